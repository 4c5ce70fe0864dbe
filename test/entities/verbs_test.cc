// The verbs of a repository one by one: what each needs, does, returns, and how it fails.

#include <string>
#include <variant>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

const Account kAnn = {.id = "a1", .holder = "Ann", .balance = 10};

class VerbsTest : public EntitiesTest {
 protected:
  Accounts accounts_ = Open<Accounts>();
  Accounts others_ = Others<Accounts>();
};

TEST_F(VerbsTest, InsertStoresAnEntityThatReadFinds) {
  const Versioned<Account> inserted = Must(accounts_.Insert(kAnn));
  EXPECT_EQ(inserted.data, kAnn);
  EXPECT_EQ(inserted.rev(), 1U);
  EXPECT_EQ(inserted.write_id().size(), 16U);
  EXPECT_EQ(inserted.last_write(), clock_.Now());
  for (const auto& read :
       {MustFind(accounts_.Read({"a1"})), MustFind(accounts_.ReadStrong({"a1"}))}) {
    EXPECT_EQ(read.data, kAnn);
    EXPECT_EQ(read.rev(), 1U);
    EXPECT_EQ(read.write_id(), inserted.write_id());
  }
  EXPECT_TRUE(Must(accounts_.Exists({"a1"})));
  EXPECT_FALSE(Must(accounts_.Exists({"a2"})));
  EXPECT_FALSE(Must(accounts_.Read({"a2"})));
}

TEST_F(VerbsTest, ASecondInsertMeetsTheFirst) {
  Must(others_.Insert(kAnn));
  const auto second = accounts_.Insert({.id = "a1", .holder = "Bob"});
  ASSERT_TRUE(FailsWith(second, ErrorCode::kAlreadyExists));
  EXPECT_EQ(FindCurrent<Account>(second.error())->data, kAnn);
  EXPECT_EQ(HttpStatus(second.error().code), 409);
  EXPECT_EQ(MustFind(accounts_.Read({"a1"})).data, kAnn);
}

TEST_F(VerbsTest, UpdateReturnsTheNewRevisionWhichTheNextOneMayUse) {
  Versioned<Account> account = Must(accounts_.Insert(kAnn));
  for (int n = 1; n <= 3; ++n) {
    account.data.balance += 1;
    account = Must(accounts_.Update(account));
    EXPECT_EQ(account.rev(), 1U + static_cast<unsigned>(n));
  }
  EXPECT_EQ(MustFind(accounts_.Read({"a1"})).data.balance, 13);
  EXPECT_EQ(faulty().calls("GetItem"), 1U) << "only the last line reads";
}

TEST_F(VerbsTest, AStaleUpdateIsAConflictThatBringsTheCurrentEntity) {
  Versioned<Account> mine = Must(accounts_.Insert(kAnn));
  Must(others_.Modify({"a1"}, [](Account& account) { account.balance = 99; }));
  mine.data.holder = "Anna";
  const auto updated = accounts_.Update(mine);
  ASSERT_TRUE(FailsWith(updated, ErrorCode::kConflict));
  const std::optional<Conflict<Account>> conflict = FindConflict<Account>(updated.error());
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->seen_rev, 1U);
  EXPECT_EQ(conflict->current->data.balance, 99);
  EXPECT_EQ(conflict->current->rev(), 2U);
  EXPECT_EQ(MustFind(accounts_.Read({"a1"})).data.holder, "Ann") << "nothing was overwritten";
  EXPECT_EQ(accounts_.counts().conflicts, 1U);
}

TEST_F(VerbsTest, ARewriteThatChangedNothingIsNoConflict) {
  Versioned<Account> mine = Must(accounts_.Insert(kAnn));
  Must(others_.Upsert(kAnn));
  mine.data.balance = 11;
  const Versioned<Account> updated = Must(accounts_.Update(mine));
  EXPECT_EQ(updated.rev(), 3U);
  EXPECT_EQ(faulty().calls("UpdateItem"), 2U) << "one retry";
}

TEST_F(VerbsTest, DisjointChangesCanBeMergedOverlappingOnesNot) {
  Versioned<Account> mine = Must(accounts_.Insert(kAnn));
  Must(others_.Modify({"a1"}, [](Account& account) { account.balance = 99; }));
  mine.data.holder = "Anna";
  mine.data.note = "new";
  const UpdateOptions merge{.merge = MergePolicy::kDisjointFields};
  const Versioned<Account> merged = Must(accounts_.Update(mine, merge));
  EXPECT_EQ(merged.data, (Account{.id = "a1", .holder = "Anna", .balance = 99, .note = "new"}));

  Versioned<Account> stale = merged;
  Must(others_.Modify({"a1"}, [](Account& account) {
    account.note.reset();
    account.balance = 1;
  }));
  stale.data.note = "mine";
  const auto overlapping = accounts_.Update(stale, merge);
  ASSERT_TRUE(FailsWith(overlapping, ErrorCode::kConflict));
  EXPECT_EQ(FactsOf(overlapping.error()).fields, std::vector<std::string>{"note"});
}

TEST_F(VerbsTest, UpdateOfWhatIsNotThereIsNotFound) {
  Versioned<Account> account = Must(accounts_.Insert(kAnn));
  Must(others_.RemoveUnchecked({"a1"}));
  account.data.balance = 1;
  EXPECT_TRUE(FailsWith(accounts_.Update(account), ErrorCode::kNotFound));
  EXPECT_EQ(HttpStatus(accounts_.Update(account).error().code), 404);
  EXPECT_FALSE(Get("account", {{"pk", "ACCOUNT#a1"}})) << "nothing was made";
}

TEST_F(VerbsTest, AnEntityThatWasRemovedAndInsertedAgainIsAnother) {
  Versioned<Account> mine = Must(accounts_.Insert(kAnn));
  Must(others_.RemoveUnchecked({"a1"}));
  Must(others_.Insert({.id = "a1", .holder = "Bob"}));
  mine.data.balance = 11;
  EXPECT_TRUE(FailsWith(accounts_.Update(mine), ErrorCode::kConflict))
      << "although both are revision 1";
  EXPECT_TRUE(FailsWith(accounts_.Remove(mine), ErrorCode::kConflict));
  EXPECT_EQ(MustFind(accounts_.Read({"a1"})).data.holder, "Bob");
}

TEST_F(VerbsTest, TheKeyOfAnEntityCannotBeChanged) {
  Versioned<Account> account = Must(accounts_.Insert(kAnn));
  account.data.id = "a2";
  EXPECT_TRUE(FailsWith(accounts_.Update(account), ErrorCode::kValidation));
  EXPECT_TRUE(
      FailsWith(accounts_.Modify({"a1"}, [](Account& a) { a.id = "a2"; }), ErrorCode::kValidation));
}

TEST_F(VerbsTest, UpsertTakesAnyPlaceAndStillCounts) {
  EXPECT_EQ(Must(accounts_.Upsert(kAnn)).rev(), 1U);
  const Account noted = {.id = "a1", .holder = "Ann", .balance = 3, .note = "x"};
  EXPECT_EQ(Must(accounts_.Upsert(noted)).rev(), 2U);
  EXPECT_EQ(MustFind(accounts_.Read({"a1"})).data, noted);
  const Versioned<Account> again = Must(accounts_.Upsert(kAnn));
  EXPECT_EQ(again.rev(), 3U);
  EXPECT_EQ(MustFind(accounts_.Read({"a1"})).data, kAnn) << "the note is gone";
  EXPECT_EQ(faulty().calls("GetItem"), 2U) << "it does not read";
}

TEST_F(VerbsTest, PatchChangesFieldsWithoutReading) {
  Must(accounts_.Insert(kAnn));
  const auto patched =
      Must(accounts_.Patch({"a1"}, Add<&Account::balance>(5).Set<&Account::note>("patched")));
  EXPECT_EQ(patched.data, (Account{.id = "a1", .holder = "Ann", .balance = 15, .note = "patched"}));
  EXPECT_EQ(patched.rev(), 2U);
  EXPECT_EQ(faulty().calls("GetItem"), 0U);
  EXPECT_TRUE(FailsWith(accounts_.Patch({"a2"}, Add<&Account::balance>(1)), ErrorCode::kNotFound));
  const auto refused =
      accounts_.Patch({"a1"}, Add<&Account::balance>(-100), Where<&Account::balance>() >= 100);
  ASSERT_TRUE(FailsWith(refused, ErrorCode::kRefused));
  EXPECT_EQ(FindCurrent<Account>(refused.error())->data.balance, 15);
}

TEST_F(VerbsTest, PatchLeavesKeysAndBookkeepingAlone) {
  Must(accounts_.Insert(kAnn));
  for (const char* name :
       {"pk", "id", "data_version", "rev", "write_id", "write_ids", "last_write", "data"}) {
    EXPECT_TRUE(FailsWith(accounts_.Patch({"a1"}, FieldUpdate<Account>(Update().Set(name, "x"))),
                          ErrorCode::kValidation))
        << name;
  }
}

TEST_F(VerbsTest, RemoveTellsMissingFromStale) {
  const Versioned<Account> account = Must(accounts_.Insert(kAnn));
  Must(others_.Modify({"a1"}, [](Account& a) { a.balance = 0; }));
  const auto stale = accounts_.Remove(account);
  ASSERT_TRUE(FailsWith(stale, ErrorCode::kConflict));
  EXPECT_EQ(FindCurrent<Account>(stale.error())->data.balance, 0);
  const Versioned<Account> current = MustFind(accounts_.Read({"a1"}));
  EXPECT_TRUE(Succeeds(accounts_.Remove(current)));
  EXPECT_FALSE(Must(accounts_.Exists({"a1"})));
  EXPECT_TRUE(FailsWith(accounts_.Remove(current), ErrorCode::kNotFound));
  EXPECT_TRUE(Succeeds(accounts_.Remove(current, {.idempotent = true})));
}

TEST_F(VerbsTest, RemoveOfWhatWasOnlyRewrittenSucceeds) {
  const Versioned<Account> account = Must(accounts_.Insert(kAnn));
  Must(others_.Upsert(kAnn));
  EXPECT_TRUE(Succeeds(accounts_.Remove(account)));
  EXPECT_FALSE(Must(accounts_.Exists({"a1"})));
}

TEST_F(VerbsTest, RemoveUncheckedSaysWhetherThereWasSomething) {
  EXPECT_FALSE(Must(accounts_.RemoveUnchecked({"a1"})));
  Must(accounts_.Insert(kAnn));
  EXPECT_TRUE(Must(accounts_.RemoveUnchecked({"a1"})));
  EXPECT_FALSE(Must(accounts_.Exists({"a1"})));
}

}  // namespace
}  // namespace stator::entities

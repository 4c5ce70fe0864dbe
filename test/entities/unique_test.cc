// Fields that no two entities may share, and transactions over several repositories.

#include <string>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

const User kAnn = {.id = "u1", .email = "ann@example.org", .badge = 7, .name = "Ann"};

class UniqueFieldsTest : public EntitiesTest {
 protected:
  template <class V>
  static std::string TakenField(const Result<V>& result) {
    EXPECT_TRUE(FailsWith(result, ErrorCode::kNotUnique));
    return result || FactsOf(result.error()).fields.empty()
               ? ""
               : FactsOf(result.error()).fields.front();
  }

  Users users_ = Open<Users>();
  Users others_ = Others<Users>();
};

TEST_F(UniqueFieldsTest, ASecondEntityCannotHaveTheValue) {
  const auto ann = Must(users_.Insert(kAnn));
  EXPECT_EQ(ann.rev(), 1U);
  EXPECT_EQ(MustFind(users_.ReadStrong({"u1"})).data, kAnn);
  EXPECT_EQ(TakenField(users_.Insert({.id = "u2", .email = "ann@example.org"})), "email");
  EXPECT_EQ(TakenField(users_.Insert({.id = "u2", .email = "bob@example.org", .badge = 7})),
            "badge");
  EXPECT_FALSE(Must(users_.Exists({"u2"})));
  EXPECT_TRUE(Succeeds(users_.Insert({.id = "u2", .email = "bob@example.org"})));
  EXPECT_TRUE(FailsWith(users_.Insert(kAnn), ErrorCode::kAlreadyExists)) << "the key comes first";
}

TEST_F(UniqueFieldsTest, AChangedValueFreesTheOldOne) {
  Versioned<User> ann = Must(users_.Insert(kAnn));
  Must(users_.Insert({.id = "u2", .email = "bob@example.org"}));
  ann.data.email = "bob@example.org";
  EXPECT_EQ(TakenField(users_.Update(ann)), "email");
  ann.data.email = "anna@example.org";
  ann.data.badge.reset();
  ann = Must(users_.Update(ann));
  EXPECT_EQ(ann.rev(), 2U);
  EXPECT_TRUE(Succeeds(users_.Insert({.id = "u3", .email = "ann@example.org", .badge = 7})));
  EXPECT_EQ(Must(users_.Modify({"u1"}, [](User& user) { user.email = "a@example.org"; })).rev(),
            3U);
  EXPECT_TRUE(Succeeds(users_.Insert({.id = "u4", .email = "anna@example.org"})));
}

TEST_F(UniqueFieldsTest, OtherFieldsAreChangedByOnePlainWrite) {
  Must(users_.Insert(kAnn));
  const std::size_t transactions = faulty().calls("TransactWriteItems");
  Must(users_.Modify({"u1"}, [](User& user) { user.name = "Anna"; }));
  Must(users_.Patch({"u1"}, Set<&User::name>("Anne")));
  EXPECT_EQ(faulty().calls("TransactWriteItems"), transactions);
  EXPECT_TRUE(FailsWith(users_.Patch({"u1"}, Set<&User::email>("x")), ErrorCode::kValidation));
}

TEST_F(UniqueFieldsTest, ARemovedEntityFreesItsValues) {
  const auto ann = Must(users_.Insert(kAnn));
  EXPECT_TRUE(Succeeds(users_.Remove(ann)));
  EXPECT_TRUE(FailsWith(users_.Remove(ann), ErrorCode::kNotFound));
  Must(users_.Insert({.id = "u2", .email = "ann@example.org", .badge = 7}));
  EXPECT_TRUE(Must(users_.RemoveUnchecked({"u2"})));
  EXPECT_FALSE(Must(users_.RemoveUnchecked({"u2"})));
  EXPECT_TRUE(Succeeds(users_.Insert(kAnn)));
  Must(users_.RemoveUnchecked({"u1"}));
  EXPECT_TRUE(All("user").empty()) << "no guard is left behind";
}

TEST_F(UniqueFieldsTest, AStaleWriteIsAConflictAlsoInATransaction) {
  Versioned<User> mine = Must(users_.Insert(kAnn));
  Must(others_.Modify({"u1"}, [](User& user) { user.name = "Anna"; }));
  mine.data.email = "new@example.org";
  const auto updated = users_.Update(mine);
  ASSERT_TRUE(FailsWith(updated, ErrorCode::kConflict));
  EXPECT_EQ(FindCurrent<User>(updated.error())->data.name, "Anna");
  EXPECT_TRUE(FailsWith(users_.Remove(mine), ErrorCode::kConflict));
  faulty().BeforeNext("TransactWriteItems", [&] {
    Must(others_.Modify({"u1"}, [](User& user) { user.name = "Anne"; }));
  });
  const auto modified =
      Must(users_.Modify({"u1"}, [](User& user) { user.email = "new@example.org"; }));
  EXPECT_EQ(modified.data.name, "Anne");
  EXPECT_EQ(modified.data.email, "new@example.org");
}

TEST_F(UniqueFieldsTest, UpsertMovesTheGuards) {
  Must(users_.Upsert(kAnn));
  User changed = kAnn;
  changed.email = "anna@example.org";
  EXPECT_EQ(Must(users_.Upsert(changed)).rev(), 2U);
  EXPECT_TRUE(Succeeds(users_.Insert({.id = "u2", .email = "ann@example.org"})));
  EXPECT_EQ(TakenField(users_.Upsert({.id = "u3", .email = "anna@example.org"})), "email");
}

TEST_F(UniqueFieldsTest, AnAnswerThatGotLostIsAskedForAgainUnderTheSameToken) {
  faulty().Script("TransactWriteItems", {Fault::kLostAfter});
  Versioned<User> ann = Must(users_.Insert(kAnn));
  EXPECT_EQ(ann.rev(), 1U);
  ann.data.email = "anna@example.org";
  faulty().Script("TransactWriteItems", {Fault::kLostBefore, Fault::kLostAfter});
  EXPECT_EQ(Must(users_.Update(ann)).rev(), 2U);
  EXPECT_EQ(MustFind(users_.ReadStrong({"u1"})).rev(), 2U);
}

TEST_F(UniqueFieldsTest, GuardsCanLiveInATableOfTheirOwn) {
  Must(db().CreateTable({.table_name = "guards",
                         .attribute_definitions = {{"g", ScalarAttributeType::kString}},
                         .key_schema = {{"g", KeyType::kHash}},
                         .billing_mode = BillingMode::kPayPerRequest}));
  home().Settle();
  const Users users = Open<Users>(
      {.guard_table = patterns::TableLayout{.table_name = "guards", .key_attributes = {"g"}}});
  Must(users.Insert(kAnn));
  EXPECT_EQ(All("guards").size(), 2U);
  EXPECT_EQ(All("user").size(), 1U);
  EXPECT_EQ(TakenField(users.Insert({.id = "u2", .email = "ann@example.org"})), "email");
}

class EntityTransactionsTest : public EntitiesTest {
 protected:
  patterns::Transaction Begin(const std::string& token) {
    return {faulty(), patterns::Idempotency::Token(token), {}, environment()};
  }

  Accounts accounts_ = Open<Accounts>();
  Users users_ = Open<Users>();
};

TEST_F(EntityTransactionsTest, SeveralRepositoriesChangeTogether) {
  Versioned<Account> account = Must(accounts_.Insert({.id = "a1", .balance = 10}));
  patterns::Transaction transaction = Begin("t1");
  const auto user = Must(users_.InsertIn(transaction, kAnn, "user"));
  account.data.balance -= 3;
  account = Must(accounts_.UpdateIn(transaction, account, "account"));
  ASSERT_TRUE(Succeeds(transaction.Commit()));
  EXPECT_EQ(MustFind(users_.ReadStrong({"u1"})).data, kAnn);
  EXPECT_EQ(MustFind(accounts_.ReadStrong({"a1"})).data.balance, 7);

  account.data.balance = 0;
  EXPECT_TRUE(Succeeds(accounts_.Update(account))) << "what UpdateIn returned is what is stored";
  patterns::Transaction removal = Begin("t2");
  users_.RemoveIn(removal, user, "user");
  ASSERT_TRUE(Succeeds(accounts_.PatchIn(removal, {"a1"}, Add<&Account::balance>(5), {}, "a")));
  ASSERT_TRUE(Succeeds(removal.Commit()));
  EXPECT_TRUE(All("user").empty());
  EXPECT_EQ(MustFind(accounts_.ReadStrong({"a1"})).data.balance, 5);
}

TEST_F(EntityTransactionsTest, NothingHappensWhenOneHasChanged) {
  const auto account = Must(accounts_.Insert({.id = "a1", .balance = 10}));
  Must(Others<Accounts>().Modify({"a1"}, [](Account& a) { a.balance = 99; }));
  patterns::Transaction transaction = Begin("t1");
  Must(users_.InsertIn(transaction, kAnn, "user"));
  accounts_.RequireIn(transaction, account, "account");
  const auto outcome = transaction.Commit();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(accounts_.CurrentOf(outcome.error(), "account")->data.balance, 99);
  EXPECT_FALSE(users_.CurrentOf(outcome.error(), "user"));
  EXPECT_TRUE(All("user").empty());
}

TEST_F(EntityTransactionsTest, WhatCannotBeWrittenRefusesTheTransaction) {
  Versioned<Account> account = Must(accounts_.Insert({.id = "a1"}));
  account.data.id = "a2";
  patterns::Transaction transaction = Begin("t1");
  Must(users_.InsertIn(transaction, kAnn, "user"));
  EXPECT_TRUE(
      FailsWith(accounts_.UpdateIn(transaction, account, "account"), ErrorCode::kValidation));
  const auto outcome = transaction.Commit();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kValidation);
  EXPECT_TRUE(All("user").empty());
}

TEST_F(EntityTransactionsTest, AUniqueValueIsGuardedThereToo) {
  Must(users_.Insert(kAnn));
  patterns::Transaction transaction = Begin("t1");
  Must(users_.InsertIn(transaction, {.id = "u2", .email = kAnn.email}, "user"));
  const auto outcome = transaction.Commit();
  ASSERT_FALSE(outcome);
  EXPECT_NE(patterns::FindReason(outcome.error(), "unique email"), nullptr);
}

}  // namespace
}  // namespace stator::entities

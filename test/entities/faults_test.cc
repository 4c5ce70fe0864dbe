// Writes whose answers get lost: done exactly once, or reported as in doubt; and what a broken
// network or a throttled table look like.

#include <string>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

const Account kAnn = {.id = "a1", .holder = "Ann", .balance = 10};

void Deposit(Account& account) {
  account.balance += 1;
}

class EntityFaultsTest : public EntitiesTest {
 protected:
  void OthersDeposit(int times) {
    for (int n = 0; n < times; ++n) {
      EXPECT_TRUE(Succeeds(others_.Modify({"a1"}, Deposit)));
    }
  }
  // The first attempt of the next update meets `fault`; before the second others write.
  void Lose(Fault fault, int others) {
    faulty().Script("UpdateItem", {fault});
    faulty().BeforeNext("UpdateItem", [] {});
    faulty().BeforeNext("UpdateItem", [this, others] { OthersDeposit(others); });
  }
  Account Stored() { return MustFind(others_.ReadStrong({"a1"})).data; }

  Accounts accounts_ = Open<Accounts>();
  Accounts others_ = Others<Accounts>();
};

TEST_F(EntityFaultsTest, AnUpdateWhoseAnswerWasLostIsDoneOnce) {
  Versioned<Account> account = Must(accounts_.Insert(kAnn));
  Lose(Fault::kLostAfter, 0);
  account.data.balance = 11;
  const Versioned<Account> updated = Must(accounts_.Update(account));
  EXPECT_EQ(updated.rev(), 2U) << "exactly one revision";
  EXPECT_EQ(updated.data.balance, 11);
  EXPECT_EQ(faulty().calls("UpdateItem"), 2U);
}

TEST_F(EntityFaultsTest, AModifyIsRecognisedBehindTheWritesOfOthers) {
  Must(accounts_.Insert(kAnn));
  Lose(Fault::kLostAfter, 3);
  EXPECT_EQ(Must(accounts_.Modify({"a1"}, Deposit)).data.balance, 14) << "mine and three of others";
  EXPECT_EQ(Stored().balance, 14);
}

TEST_F(EntityFaultsTest, AModifyThatNeverArrivedIsComputedAgain) {
  Must(accounts_.Insert(kAnn));
  Lose(Fault::kLostBefore, 2);
  EXPECT_EQ(Must(accounts_.Modify({"a1"}, Deposit)).data.balance, 13);
}

TEST_F(EntityFaultsTest, WhatCannotBeToldIsAmbiguousAndNotDoneTwice) {
  Must(accounts_.Insert(kAnn));
  Lose(Fault::kLostAfter, 5);
  const auto changed = accounts_.Modify({"a1"}, Deposit);
  ASSERT_TRUE(FailsWith(changed, ErrorCode::kAmbiguous));
  EXPECT_EQ(HttpStatus(changed.error().code), 503);
  EXPECT_EQ(Stored().balance, 16);
}

TEST_F(EntityFaultsTest, WithoutTheListOfWritesLessCanBeTold) {
  Accounts forgetful = Open<Accounts>({.write_ids_kept = 0});
  Must(forgetful.Insert(kAnn));
  Lose(Fault::kLostAfter, 0);
  EXPECT_EQ(Must(forgetful.Modify({"a1"}, Deposit)).data.balance, 11);
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  faulty().BeforeNext("UpdateItem", [] {});
  faulty().BeforeNext("UpdateItem", [&] {
    EXPECT_TRUE(Succeeds(Others<Accounts>({.write_ids_kept = 0}).Modify({"a1"}, Deposit)));
  });
  EXPECT_TRUE(FailsWith(forgetful.Modify({"a1"}, Deposit), ErrorCode::kAmbiguous));
  EXPECT_EQ(Stored().balance, 13);
}

TEST_F(EntityFaultsTest, AnInsertWhoseAnswerWasLostIsNoDuplicate) {
  faulty().Script("PutItem", {Fault::kLostAfter});
  const Versioned<Account> inserted = Must(accounts_.Insert(kAnn));
  EXPECT_EQ(inserted.rev(), 1U);
  EXPECT_EQ(faulty().calls("PutItem"), 2U);
}

TEST_F(EntityFaultsTest, ARemoveWhoseAnswerWasLostIsDone) {
  const Versioned<Account> account = Must(accounts_.Insert(kAnn));
  faulty().Script("DeleteItem", {Fault::kLostAfter});
  EXPECT_TRUE(Succeeds(accounts_.Remove(account)));
}

TEST_F(EntityFaultsTest, APatchIsNeverDoneTwice) {
  Must(accounts_.Insert(kAnn));
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  EXPECT_EQ(Must(accounts_.Patch({"a1"}, Add<&Account::balance>(1))).data.balance, 11);
  faulty().Script("UpdateItem", {Fault::kLostBefore});
  const auto lost = accounts_.Patch({"a1"}, Add<&Account::balance>(1));
  ASSERT_TRUE(FailsWith(lost, ErrorCode::kAmbiguous));
  EXPECT_EQ(Stored().balance, 11);
}

TEST_F(EntityFaultsTest, AnUpsertIsSentUntilItIsAnswered) {
  faulty().Script("UpdateItem", {Fault::kLostBefore, Fault::kThrottled, Fault::kLostAfter});
  EXPECT_EQ(Must(accounts_.Upsert(kAnn)).data, kAnn);
  EXPECT_EQ(Stored(), kAnn);
}

TEST_F(EntityFaultsTest, ThrottlingIsReportedAfterAllAttempts) {
  Must(accounts_.Insert(kAnn));
  faulty().Script("UpdateItem", {Fault::kThrottled, Fault::kUnavailable, Fault::kConflict});
  EXPECT_TRUE(Succeeds(accounts_.Modify({"a1"}, Deposit)));
  const Accounts hasty =
      Open<Accounts>({.retry = {.budget = 5ms, .wait_first = 1ms, .wait_max = 1ms}});
  faulty().Script("UpdateItem", std::vector<Fault>(6, Fault::kThrottled));
  const auto throttled = hasty.Modify({"a1"}, Deposit);
  ASSERT_TRUE(FailsWith(throttled, ErrorCode::kThrottled));
  EXPECT_GT(FactsOf(throttled.error()).retry_after, Duration::zero());
  faulty().Script("GetItem", std::vector<Fault>(6, Fault::kUnavailable));
  EXPECT_TRUE(FailsWith(hasty.Read({"a1"}), ErrorCode::kUnavailable));
}

TEST_F(EntityFaultsTest, BatchesAreReadToTheEnd) {
  std::vector<EntityKey<Account>> keys;
  for (int n = 0; n < 30; ++n) {
    const std::string id = "b" + std::to_string(n);
    Must(others_.Insert({.id = id}));
    keys.emplace_back(id);
  }
  faulty().Script("BatchGetItem", {Fault::kThrottled, Fault::kUnprocessed, Fault::kUnprocessed});
  const auto read = Must(accounts_.ReadMany(keys));
  ASSERT_EQ(read.size(), keys.size());
  for (std::size_t n = 0; n < read.size(); ++n) {
    ASSERT_TRUE(read[n]);
    EXPECT_EQ(read[n]->data.id, "b" + std::to_string(n));
  }
  EXPECT_GT(faulty().calls("BatchGetItem"), 2U);
}

TEST_F(EntityFaultsTest, AMissingTableIsNoBadRequestAndSaysWhatToDo) {
  const Accounts nowhere = *Accounts::Open(db(), {.table_name = "nowhere"}, environment());
  const auto read = nowhere.Read({"a1"});
  ASSERT_TRUE(FailsWith(read, ErrorCode::kTableNotFound));
  EXPECT_EQ(read.error().message,
            "table nowhere not found; `stator tables create --for entity account` makes it");
  EXPECT_TRUE(FailsWith(nowhere.Insert(kAnn), ErrorCode::kTableNotFound));
}

}  // namespace
}  // namespace stator::entities

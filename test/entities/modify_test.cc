// Modify: reading, changing and writing as one step, while others do the same.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

const Account kAnn = {.id = "a1", .holder = "Ann", .balance = 10};

// Answers eventually consistent reads with what an item was some writes ago.
class LaggingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  void Freeze(std::optional<Item> item) { stale_ = std::move(item); }

  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    if (!input.consistent_read && lagging) {
      ++stale_reads;
      return GetItemOutput{.item = stale_};
    }
    return ForwardingDatabase::GetItem(input);
  }

  bool lagging = true;
  int stale_reads = 0;

 private:
  std::optional<Item> stale_;
};

void Deposit(Account& account) {
  account.balance += 1;
}

class ModifyTest : public EntitiesTest {
 protected:
  void OthersDeposit() { EXPECT_TRUE(Succeeds(others_.Modify({"a1"}, Deposit))); }

  Accounts accounts_ = Open<Accounts>();
  Accounts others_ = Others<Accounts>();
};

TEST_F(ModifyTest, ChangesWhatIsThere) {
  Must(accounts_.Insert(kAnn));
  const Versioned<Account> changed = Must(accounts_.Modify({"a1"}, Deposit));
  EXPECT_EQ(changed.data.balance, 11);
  EXPECT_EQ(changed.rev(), 2U);
  EXPECT_EQ(faulty().calls("GetItem"), 1U);
  EXPECT_EQ(faulty().calls("UpdateItem"), 1U);
}

TEST_F(ModifyTest, WritesNothingWhenNothingChangedOrTheFunctionSaysSo) {
  Must(accounts_.Insert(kAnn));
  EXPECT_EQ(Must(accounts_.Modify({"a1"}, [](Account&) {})).rev(), 1U);
  EXPECT_EQ(Must(accounts_.Modify({"a1"},
                                  [](Account& account) {
                                    account.balance = 0;
                                    return Verdict::kLeave;
                                  }))
                .data,
            kAnn);
  EXPECT_EQ(faulty().calls("UpdateItem"), 0U);
}

TEST_F(ModifyTest, ARefusalOfTheFunctionReachesTheCaller) {
  Must(accounts_.Insert(kAnn));
  const auto refused = accounts_.Modify({"a1"}, [](Account& account) -> Result<Verdict> {
    if (account.balance < 100) {
      return Invalid("not enough");
    }
    return Verdict::kWrite;
  });
  ASSERT_TRUE(FailsWith(refused, ErrorCode::kRefused));
  EXPECT_EQ(refused.error().message, "not enough");
  EXPECT_EQ(FindCurrent<Account>(refused.error())->data, kAnn);
}

TEST_F(ModifyTest, ComputesTheChangeAgainWhenOthersWereFaster) {
  Must(accounts_.Insert(kAnn));
  faulty().BeforeNext("UpdateItem", [&] { OthersDeposit(); });
  const Versioned<Account> changed = Must(accounts_.Modify({"a1"}, Deposit));
  EXPECT_EQ(changed.data.balance, 12) << "both";
  EXPECT_EQ(changed.rev(), 3U);
  EXPECT_EQ(faulty().calls("GetItem"), 1U) << "the failed write brought the item";
}

TEST_F(ModifyTest, EightWritersOfOneEntityAllSucceed) {
  constexpr int kWriters = 8;
  constexpr int kTimes = 5;
  Must(others_.Insert({.id = "a1"}));
  // On the clock of the machine: whoever waits lets others go on.
  const Accounts accounts = *Accounts::Open(db());
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&] {
        for (int time = 0; time < kTimes; ++time) {
          failed += accounts.Modify({"a1"}, Deposit) ? 0 : 1;
        }
      });
    }
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(MustFind(accounts.ReadStrong({"a1"})).data.balance, kWriters * kTimes);
}

TEST_F(ModifyTest, GivesUpWhenTheTimeIsOverThatItWasGiven) {
  Must(accounts_.Insert(kAnn));
  for (int n = 0; n < 2; ++n) {
    faulty().BeforeNext("UpdateItem", [&] { OthersDeposit(); });
  }
  const auto lost = accounts_.Modify(
      {"a1"}, Deposit, {.retry = {.budget = 1ms, .wait_first = 1ms, .wait_max = 1ms}});
  ASSERT_TRUE(FailsWith(lost, ErrorCode::kConflict));
  EXPECT_EQ(FindCurrent<Account>(lost.error())->data.balance, 12);

  for (int n = 0; n < 9; ++n) {
    faulty().BeforeNext("UpdateItem", [&] { OthersDeposit(); });
  }
  EXPECT_EQ(Must(accounts_.Modify({"a1"}, Deposit)).data.balance, 22);
  EXPECT_GT(clock_.Elapsed(), Duration::zero()) << "it waited in between";
  EXPECT_LT(clock_.Elapsed(), 9 * Duration(200ms));
  EXPECT_GT(accounts_.counts().conflicts_per_write(), 1);
}

TEST_F(ModifyTest, StaleReadsAreRepaired) {
  Must(others_.Insert(kAnn));
  LaggingDatabase lagging(db());
  lagging.Freeze(Get("account", {{"pk", "ACCOUNT#a1"}}));
  OthersDeposit();
  const Accounts accounts = *Accounts::Open(lagging, {}, environment());
  EXPECT_EQ(Must(accounts.Modify({"a1"}, Deposit)).data.balance, 12);
  EXPECT_EQ(lagging.stale_reads, 1);

  lagging.Freeze(std::nullopt);
  EXPECT_EQ(Must(accounts.Modify({"a1"}, Deposit)).data.balance, 13)
      << "an item that is not there yet is looked for again";
}

TEST_F(ModifyTest, WhatIsNotThereIsNotFoundOrMade) {
  EXPECT_TRUE(FailsWith(accounts_.Modify({"a1"}, Deposit), ErrorCode::kNotFound));
  EXPECT_EQ(Must(accounts_.ModifyOrInsert({"a1"}, kAnn, Deposit)).data.balance, 11);
  EXPECT_EQ(Must(accounts_.ModifyOrInsert({"a1"}, kAnn, Deposit)).data.balance, 12);
  EXPECT_TRUE(FailsWith(accounts_.ModifyOrInsert({"a2"}, kAnn, Deposit), ErrorCode::kValidation))
      << "another key";
}

TEST_F(ModifyTest, AnInsertThatMeetsAnotherBecomesAChange) {
  faulty().BeforeNext("PutItem", [&] { Must(others_.Insert(kAnn)); });
  EXPECT_EQ(Must(accounts_.ModifyOrInsert({"a1"}, {.id = "a1", .balance = 50}, Deposit)).data,
            (Account{.id = "a1", .holder = "Ann", .balance = 11}));
}

TEST_F(ModifyTest, AnEntityThatVanishesIsNotFound) {
  Must(accounts_.Insert(kAnn));
  faulty().BeforeNext("UpdateItem", [&] { Must(others_.RemoveUnchecked({"a1"})); });
  EXPECT_TRUE(FailsWith(accounts_.Modify({"a1"}, Deposit), ErrorCode::kNotFound));
  EXPECT_FALSE(Get("account", {{"pk", "ACCOUNT#a1"}}));
}

TEST_F(ModifyTest, AFunctionThatDependsOnMoreThanTheEntityIsFoundOut) {
  Accounts careful = Open<Accounts>({.run_changes_twice = true});
  Must(careful.Insert(kAnn));
  int calls = 0;
  const auto strange =
      careful.Modify({"a1"}, [&calls](Account& account) { account.balance += ++calls; });
  ASSERT_TRUE(FailsWith(strange, ErrorCode::kRefused));
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(MustFind(careful.Read({"a1"})).data, kAnn);

  Accounts trusting = Open<Accounts>({.run_changes_twice = false});
  calls = 0;
  EXPECT_TRUE(Succeeds(
      trusting.Modify({"a1"}, [&calls](Account& account) { account.balance += ++calls; })));
  EXPECT_EQ(calls, 1);
}

TEST_F(ModifyTest, AValueWithoutAnEqualityIsComparedAsItIsStored) {
  Sessions sessions = Open<Sessions>();
  const Session session = {.id = "s1",
                           .user = "ann",
                           .expires = std::chrono::sys_seconds(std::chrono::seconds(kNow + 60)),
                           .values = {{"a", "1"}}};
  Must(sessions.Insert(session));
  EXPECT_EQ(Must(sessions.Modify({"s1"}, [](Session& s) { s.values["a"] = "1"; })).rev(), 1U);
  EXPECT_EQ(Must(sessions.Modify({"s1"}, [](Session& s) { s.values["a"] = "2"; })).rev(), 2U);
}

class ReadYourWritesTest : public EntitiesTest {
 protected:
  static Item Key() { return {{"pk", "ACCOUNT#a1"}}; }
  void SetUp() override {
    static_cast<void>(Others<Accounts>());
    lagging_ = std::make_unique<LaggingDatabase>(db());
    accounts_ = std::make_unique<Accounts>(
        *Accounts::Open(*lagging_, {.read_your_writes = 5s}, environment()));
  }

  std::unique_ptr<LaggingDatabase> lagging_;
  std::unique_ptr<Accounts> accounts_;
};

TEST_F(ReadYourWritesTest, OwnWritesAreSeenAlthoughTheAnswerLags) {
  Must(accounts_->Insert(kAnn));
  EXPECT_EQ(MustFind(accounts_->Read({"a1"})).data, kAnn) << "the lagging answer has no item";
  lagging_->Freeze(Get("account", Key()));
  Must(accounts_->Patch({"a1"}, Add<&Account::balance>(1)));
  EXPECT_EQ(MustFind(accounts_->Read({"a1"})).data.balance, 11);
  Must(accounts_->RemoveUnchecked({"a1"}));
  EXPECT_FALSE(Must(accounts_->Read({"a1"})));
  EXPECT_EQ(accounts_->counts().strong_reads, 3U);
}

TEST_F(ReadYourWritesTest, WhatIsNewEnoughIsNotReadTwice) {
  Must(accounts_->Insert(kAnn));
  lagging_->Freeze(Get("account", Key()));
  EXPECT_TRUE(Must(accounts_->Read({"a1"})));
  EXPECT_EQ(accounts_->counts().strong_reads, 0U);
}

TEST_F(ReadYourWritesTest, OnlyForAWhile) {
  Must(accounts_->Insert(kAnn));
  clock_.Advance(6s);
  EXPECT_FALSE(Must(accounts_->Read({"a1"}))) << "the lagging answer";
  EXPECT_EQ(accounts_->counts().strong_reads, 0U);
}

TEST_F(ReadYourWritesTest, OnlyForAsManyAsItWasTold) {
  const Accounts few = *Accounts::Open(
      *lagging_, {.read_your_writes = 5s, .remembered_writes_max = 2}, environment());
  for (const char* id : {"b1", "b2", "b3"}) {
    Must(few.Insert({.id = id}));
  }
  EXPECT_FALSE(Must(few.Read({"b1"}))) << "forgotten";
  EXPECT_TRUE(Must(few.Read({"b2"})));
  EXPECT_TRUE(Must(few.Read({"b3"})));
}

}  // namespace
}  // namespace stator::entities

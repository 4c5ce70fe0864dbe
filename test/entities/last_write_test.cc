// Lock::kLastWrite: sharing a table with programs that lock by the milliseconds of the latest write
// and know of nothing else. And what is wrong with that lock, shown.

#include <atomic>
#include <barrier>
#include <string>
#include <thread>
#include <vector>

#include "entities/entities_test.h"
#include "stator/patterns/requests.h"

namespace stator::entities {
namespace {

const Ledger kLedger = {.pk = "l1", .name = "Ann", .balance = 10};

std::int64_t NumberIn(const Item& item, const std::string& name) {
  return *item.at(name).If<Number>()->ToInt64();
}

// The program of the other side: writes if last_write is what it read, and leaves the time there.
class OriginalProgram {
 public:
  OriginalProgram(Database& database, const Clock& clock) : database_(&database), clock_(&clock) {}

  [[nodiscard]] Item Read() const {
    return *database_->GetItem({.table_name = "ledger", .key = {{"pk", "l1"}}})->item;
  }
  // Whether its condition held.
  [[nodiscard]] bool Write(Item item, std::int64_t seen) const {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(clock_->Now());
    item.Set("last_write", now.time_since_epoch().count());
    return database_
        ->PutItem(patterns::MakePut("ledger", std::move(item), Attribute("last_write") == seen))
        .has_value();
  }
  // Adds one, by reading and writing.
  [[nodiscard]] bool Deposit() const {
    Item item = Read();
    const std::int64_t seen = NumberIn(item, "last_write");
    item.Set("balance", NumberIn(item, "balance") + 1);
    return Write(std::move(item), seen);
  }

 private:
  Database* database_;
  const Clock* clock_;
};

class LastWriteTest : public EntitiesTest {
 protected:
  Item Stored() { return *Get("ledger", {{"pk", "l1"}}); }

  Ledgers ledgers_ = Open<Ledgers>();
  OriginalProgram original_{db(), clock_};
};

TEST_F(LastWriteTest, TheItemIsTheOneThatTheOthersKnow) {
  Must(ledgers_.Insert(kLedger));
  const Item stored = Stored();
  EXPECT_EQ(stored.at("pk"), AttributeValue("l1"));
  EXPECT_EQ(stored.at("balance"), AttributeValue(10));
  EXPECT_EQ(stored.at("data_version"), AttributeValue(1));
  EXPECT_EQ(stored.at("last_write"), AttributeValue(kNow * 1000));
  EXPECT_FALSE(stored.contains("rev"));
}

TEST_F(LastWriteTest, AnAttributeCalledRevIsTheOthersAndStays) {
  Must(ledgers_.Insert(kLedger));
  Item item = Stored();
  item.Set("rev", "theirs");
  Put("ledger", item);
  Must(ledgers_.Modify({"l1"}, [](Ledger& ledger) { ++ledger.balance; }));
  EXPECT_EQ(Stored().at("rev"), AttributeValue("theirs"));
}

TEST_F(LastWriteTest, ItemsOfTheOthersCanBeReadAndChanged) {
  Put("ledger", {{"pk", "l1"},
                 {"name", "Ann"},
                 {"balance", 10},
                 {"data_version", 1},
                 {"last_write", kNow * 1000 - 5}});
  const auto read = MustFind(ledgers_.Read({"l1"}));
  EXPECT_EQ(read.data, kLedger);
  EXPECT_EQ(read.last_write(), clock_.Now() - 5ms);
  Must(ledgers_.Modify({"l1"}, [](Ledger& ledger) { ++ledger.balance; }));
  ASSERT_TRUE(original_.Deposit());
  EXPECT_EQ(MustFind(ledgers_.Read({"l1"})).data.balance, 12);
}

TEST_F(LastWriteTest, BothSidesNoticeEachOther) {
  Versioned<Ledger> mine = Must(ledgers_.Insert(kLedger));
  const Item theirs = original_.Read();
  clock_.Advance(10ms);
  mine.data.balance = 11;
  mine = Must(ledgers_.Update(mine));
  EXPECT_FALSE(original_.Write(theirs, NumberIn(theirs, "last_write"))) << "they are stale";
  clock_.Advance(10ms);
  ASSERT_TRUE(original_.Deposit());
  mine.data.balance = 100;
  EXPECT_TRUE(FailsWith(ledgers_.Update(mine), ErrorCode::kConflict)) << "we are";
}

TEST_F(LastWriteTest, TheTimeNeverStandsStillAndNeverGoesBack) {
  Versioned<Ledger> ledger = Must(ledgers_.Insert(kLedger));
  std::int64_t before = NumberIn(Stored(), "last_write");
  for (const Duration step : {Duration(0ms), Duration(-1h), Duration(0ms), Duration(2h)}) {
    clock_.Advance(step);
    ++ledger.data.balance;
    ledger = Must(ledgers_.Update(ledger));
    const std::int64_t after = NumberIn(Stored(), "last_write");
    EXPECT_GT(after, before);
    before = after;
  }
  Must(ledgers_.Patch({"l1"}, Add<&Ledger::balance>(1)));
  EXPECT_GT(NumberIn(Stored(), "last_write"), before);
  before = NumberIn(Stored(), "last_write");
  Must(ledgers_.Upsert(kLedger));
  EXPECT_GT(NumberIn(Stored(), "last_write"), before);
  EXPECT_EQ(ledgers_.counts().clock_ahead, 2U) << "an hour was more than five seconds";
}

TEST_F(LastWriteTest, AnAnswerThatGotLostIsRecognised) {
  Versioned<Ledger> ledger = Must(ledgers_.Insert(kLedger));
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  ledger.data.balance = 11;
  EXPECT_EQ(Must(ledgers_.Update(ledger)).data.balance, 11);
}

// The demonstration. Two programs that lock by time write within one millisecond, and the second
// erases the first although it never saw what that wrote.
TEST_F(LastWriteTest, TheOriginalLockLosesUpdatesOfOneMillisecond) {
  Must(ledgers_.Insert(kLedger));
  const Item seen = original_.Read();
  ASSERT_TRUE(original_.Deposit());
  Item erasing = seen;
  erasing.Set("name", "Bob");
  EXPECT_TRUE(original_.Write(erasing, NumberIn(seen, "last_write"))) << "nobody notices";
  EXPECT_EQ(Stored().at("balance"), AttributeValue(10)) << "the deposit is lost";

  // The same race through this library, whichever lock the entity has.
  Versioned<Ledger> stale = Must(ledgers_.Upsert(kLedger));
  Must(ledgers_.Modify({"l1"}, [](Ledger& ledger) { ++ledger.balance; }));
  stale.data.name = "Bob";
  EXPECT_TRUE(FailsWith(ledgers_.Update(stale), ErrorCode::kConflict));
  const Accounts accounts = Open<Accounts>();
  Versioned<Account> stale_account = Must(accounts.Insert({.id = "a1", .balance = 10}));
  Must(accounts.Modify({"a1"}, [](Account& account) { ++account.balance; }));
  stale_account.data.holder = "Bob";
  EXPECT_TRUE(FailsWith(accounts.Update(stale_account), ErrorCode::kConflict));
}

// The same with many writers: in every round all of them read, then all of them write. The clock
// moves every tenth round, as a millisecond does on a database that needs a tenth of it.
TEST_F(LastWriteTest, CountedOverManyWritersTheOriginalLosesAndThisDoesNot) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 60;
  const auto run = [&](const auto& read, const auto& write) {
    std::atomic<int> accepted = 0;
    std::barrier together(kThreads);
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int round = 0; round < kRounds; ++round) {
          auto seen = read();
          together.arrive_and_wait();
          accepted += write(std::move(seen)) ? 1 : 0;
          together.arrive_and_wait();
          if (thread == 0 && round % 10 == 0) {
            clock_.Advance(1ms);
          }
        }
      });
    }
    threads.clear();
    return accepted.load();
  };
  Must(ledgers_.Insert({.pk = "l1"}));
  const int original_accepted = run([&] { return original_.Read(); },
                                    [&](Item item) {
                                      const std::int64_t seen = NumberIn(item, "last_write");
                                      item.Set("balance", NumberIn(item, "balance") + 1);
                                      return original_.Write(std::move(item), seen);
                                    });
  const std::int64_t original_balance = NumberIn(Stored(), "balance");
  EXPECT_LT(original_balance, original_accepted) << "accepted, and lost";
  EXPECT_GT(original_accepted - original_balance, kRounds) << "more than one in every round";

  Must(ledgers_.Upsert({.pk = "l1"}));
  const int accepted = run([&] { return MustFind(ledgers_.ReadStrong({"l1"})); },
                           [&](Versioned<Ledger> ledger) {
                             ++ledger.data.balance;
                             return ledgers_.Update(ledger).has_value();
                           });
  EXPECT_EQ(NumberIn(Stored(), "balance"), accepted);
  EXPECT_EQ(accepted, kRounds) << "one in every round";
}

}  // namespace
}  // namespace stator::entities

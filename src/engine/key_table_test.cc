// What key_table.h promises: exclusion, order of waiting, handing over, withdrawal, and the newest
// queued row of each key until it is settled.

#include "engine/key_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "stator/base/random.h"
#include "storage/commit_queue.h"

namespace stator::engine {
namespace {

// A write with one row, and the queue that settles it when the test says so.
class OneRow final : public storage::QueuedWrite {
 public:
  OneRow(const std::string& key, const std::string& value) : row(batch.Put(key, value)) {}
  const storage::WriteBatch::Row row;

 private:
  void OnSettled(const Result<void>& /*outcome*/) override {}
  void OnAnswer(const Result<void>& /*outcome*/) override {}
};

class KeyTableTest : public testing::Test {
 protected:
  static std::unique_ptr<LockRequest> Wants(std::vector<std::uint64_t> hashes) {
    auto request = std::make_unique<LockRequest>();
    request->SetHashes(std::move(hashes));
    return request;
  }

  // Those who got all their locks by it.
  std::vector<LockRequest*> Unlock(LockRequest& request) {
    GrantedRequests granted;
    keys_.Unlock(request, granted);
    std::vector<LockRequest*> all;
    while (LockRequest* const next = granted.Pop()) {
      all.push_back(next);
    }
    return all;
  }

  std::shared_ptr<OneRow> Insert(std::uint64_t hash, const std::string& key,
                                 const std::string& value) {
    auto write = std::make_shared<OneRow>(key, value);
    keys_.Insert(hash, write->batch.KeyOf(write->row),
                 {.write = write, .value = write->batch.ValueOf(write->row), .deleted = false});
    return write;
  }

  // Gives it a place; the queue is idle then.
  void Place(const std::shared_ptr<OneRow>& write) {
    const auto placed = queue_.Enqueue(write);
    ASSERT_TRUE(placed.has_value());
    placed->group->Await();
  }

  void Drop(std::uint64_t hash, const OneRow& write) {
    keys_.Drop(hash, write.batch.KeyOf(write.row), write);
  }

  std::string Value(std::uint64_t hash, const std::string& key) {
    const auto row = keys_.Find(hash, key);
    return row ? std::string(row->value) : "none";
  }

  KeyTable keys_;
  storage::CommitQueue queue_{
      {},
      [] { return Result<void>(); },
      [](std::span<const storage::QueuedWritePtr>) -> Result<void> { return {}; }};
};

TEST_F(KeyTableTest, AHeldLockIsNotGivenToAnother) {
  const auto first = Wants({1, 2});
  const auto second = Wants({2, 3});
  EXPECT_TRUE(keys_.TryLock(*first));
  EXPECT_FALSE(keys_.TryLock(*second));
  EXPECT_TRUE(Unlock(*second).empty());
  EXPECT_TRUE(Unlock(*first).empty());
  EXPECT_TRUE(keys_.TryLock(*second));
  EXPECT_TRUE(second->HoldsAll());
  Unlock(*second);
  EXPECT_TRUE(keys_.IsEmpty());
}

TEST_F(KeyTableTest, TheSameKeyTwiceIsOneLock) {
  const auto request = Wants({7, 7, 7});
  EXPECT_TRUE(keys_.TryLock(*request));
  Unlock(*request);
  EXPECT_TRUE(keys_.IsEmpty());
}

// The model's LOCK_ORDER: whatever order they are asked for in, two who want the same never wait
// for each other.
TEST_F(KeyTableTest, LocksAreTakenInAscendingOrder) {
  const auto holder = Wants({5});
  const auto first = Wants({9, 5});
  const auto second = Wants({5, 9});
  ASSERT_TRUE(keys_.TryLock(*holder));
  EXPECT_FALSE(keys_.LockOrWait(*first));
  EXPECT_FALSE(first->Holds(9)) << "it waits for 5 and has nothing behind";
  EXPECT_FALSE(keys_.LockOrWait(*second));
  EXPECT_EQ(Unlock(*holder), std::vector<LockRequest*>{first.get()});
  EXPECT_TRUE(first->HoldsAll());
  EXPECT_EQ(Unlock(*first), std::vector<LockRequest*>{second.get()});
  EXPECT_TRUE(Unlock(*second).empty());
  EXPECT_TRUE(keys_.IsEmpty());
}

// The model's BARGING.
TEST_F(KeyTableTest, ALockIsGivenInTheOrderOfArrival) {
  const auto holder = Wants({1});
  ASSERT_TRUE(keys_.TryLock(*holder));
  std::vector<std::unique_ptr<LockRequest>> waiting;
  for (int number = 0; number < 5; ++number) {
    waiting.push_back(Wants({1}));
    EXPECT_FALSE(keys_.LockOrWait(*waiting.back()));
  }
  LockRequest* owner = holder.get();
  for (const auto& next : waiting) {
    const auto newcomer = Wants({1});
    EXPECT_EQ(Unlock(*owner), std::vector<LockRequest*>{next.get()});
    EXPECT_FALSE(keys_.TryLock(*newcomer)) << "a newcomer took it from those who wait";
    owner = next.get();
  }
  EXPECT_TRUE(Unlock(*owner).empty());
  EXPECT_TRUE(keys_.IsEmpty());
}

TEST_F(KeyTableTest, WhoeverLetsGoLocksOnBehalfOfTheNext) {
  const auto low = Wants({1});
  const auto high = Wants({2});
  const auto both = Wants({1, 2});
  ASSERT_TRUE(keys_.TryLock(*low));
  ASSERT_TRUE(keys_.TryLock(*high));
  EXPECT_FALSE(keys_.LockOrWait(*both));
  EXPECT_TRUE(Unlock(*low).empty()) << "it still has to wait for the other";
  EXPECT_TRUE(both->Holds(1));
  EXPECT_EQ(Unlock(*high), std::vector<LockRequest*>{both.get()});
  Unlock(*both);
  EXPECT_TRUE(keys_.IsEmpty());
}

TEST_F(KeyTableTest, WhoIsWithdrawnGivesBackWhatItHas) {
  const auto holder = Wants({2});
  const auto overdue = Wants({1, 2});
  const auto next = Wants({1});
  ASSERT_TRUE(keys_.TryLock(*holder));
  EXPECT_FALSE(keys_.LockOrWait(*overdue));
  EXPECT_FALSE(keys_.LockOrWait(*next));
  EXPECT_TRUE(keys_.Withdraw(*overdue));
  EXPECT_EQ(Unlock(*overdue), std::vector<LockRequest*>{next.get()});
  EXPECT_TRUE(Unlock(*holder).empty()) << "nobody waits for it any more";
  Unlock(*next);
  EXPECT_TRUE(keys_.IsEmpty());
}

TEST_F(KeyTableTest, WhoWasGivenItsLocksCannotBeWithdrawn) {
  const auto holder = Wants({1});
  const auto next = Wants({1});
  ASSERT_TRUE(keys_.TryLock(*holder));
  EXPECT_FALSE(keys_.LockOrWait(*next));
  ASSERT_EQ(Unlock(*holder).size(), 1U);
  EXPECT_FALSE(keys_.Withdraw(*next));
  Unlock(*next);
}

TEST_F(KeyTableTest, TheHolderKnowsWhetherThereIsARow) {
  const auto first = Wants({1});
  const auto second = Wants({1});
  ASSERT_TRUE(keys_.TryLock(*first));
  EXPECT_FALSE(first->found_rows());
  const auto write = Insert(1, "key", "v");
  EXPECT_FALSE(keys_.LockOrWait(*second));
  Unlock(*first);
  EXPECT_TRUE(second->found_rows());
  Unlock(*second);
  Drop(1, *write);
  EXPECT_TRUE(keys_.IsEmpty());
}

// The model's DROP_ANY: three writers of one item.
TEST_F(KeyTableTest, AnOlderWriteDoesNotTakeANewerRowAway) {
  const auto first = Insert(1, "key", "1");
  Place(first);
  const auto second = Insert(1, "key", "2");
  Place(second);
  Drop(1, *first);
  EXPECT_EQ(Value(1, "key"), "2");
  const auto third = Insert(1, "key", "3");
  Drop(1, *second);
  EXPECT_EQ(Value(1, "key"), "3") << "one that has no place yet is the newest, too";
  Place(third);
  Drop(1, *third);
  EXPECT_EQ(Value(1, "key"), "none");
  EXPECT_TRUE(keys_.IsEmpty());
}

using KeyTableDeathTest = KeyTableTest;

// Its row could have been dropped before it was there, and would stay for ever.
TEST_F(KeyTableDeathTest, AWriteThatHasAPlaceInsertsNoRow) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto write = std::make_shared<OneRow>("a", "1");
  Place(write);
  EXPECT_DEATH(keys_.Insert(1, write->batch.KeyOf(write->row),
                            {.write = write, .value = "", .deleted = false}),
               "place");
}

TEST_F(KeyTableTest, TwoKeysOfOneHashHaveARowEach) {
  const auto a = Insert(1, "a", "va");
  const auto b = Insert(1, "b", "vb");
  const auto c = Insert(1, "c", "vc");
  EXPECT_EQ(Value(1, "a"), "va");
  EXPECT_EQ(Value(1, "b"), "vb");
  EXPECT_EQ(Value(1, "c"), "vc");
  EXPECT_EQ(Value(1, "d"), "none");
  Drop(1, *a);
  Drop(1, *b);
  EXPECT_EQ(Value(1, "a"), "none");
  EXPECT_EQ(Value(1, "c"), "vc");
  Drop(1, *c);
  EXPECT_TRUE(keys_.IsEmpty());
}

// Slots that come and go in one shard, by the thousand, are found as long as they are there.
TEST_F(KeyTableTest, FindsWhatIsThereAmongMany) {
  SeededRandom random(1);
  std::vector<std::shared_ptr<OneRow>> rows(300);
  const auto hash_of = [](std::size_t number) { return (number * 37 % 64) << 8U | 5U; };
  const auto key_of = [](std::size_t number) { return "key of row " + std::to_string(number); };
  for (int step = 0; step < 20'000; ++step) {
    const auto number = static_cast<std::size_t>(random.Below(rows.size()));
    if (rows[number] == nullptr) {
      rows[number] = Insert(hash_of(number), key_of(number), std::to_string(number));
    } else {
      Drop(hash_of(number), *rows[number]);
      rows[number].reset();
    }
    const auto other = static_cast<std::size_t>(random.Below(rows.size()));
    ASSERT_EQ(Value(hash_of(other), key_of(other)),
              rows[other] != nullptr ? std::to_string(other) : "none");
  }
  for (std::size_t number = 0; number < rows.size(); ++number) {
    if (rows[number] != nullptr) {
      Drop(hash_of(number), *rows[number]);
    }
  }
  EXPECT_TRUE(keys_.IsEmpty());
}

// Many threads that lock several keys each, with some giving up: all are served or withdrawn, no
// two hold one key, and nothing is left.
TEST_F(KeyTableTest, ServesManyThreads) {
  struct Waiter final : LockRequest {
    std::atomic<int> granted = 0;
  };
  constexpr int kThreads = 6;
  constexpr int kRounds = 400;
  std::array<int, 8> counters = {};
  std::atomic<int> done = 0;
  const auto grant = [](GrantedRequests& granted) {
    while (LockRequest* const next = granted.Pop()) {
      auto& waiter = static_cast<Waiter&>(*next);
      waiter.granted = 1;
      waiter.granted.notify_one();
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      SeededRandom random(static_cast<std::uint64_t>(thread));
      for (int round = 0; round < kRounds; ++round) {
        Waiter waiter;
        waiter.SetHashes({random.Below(8), random.Below(8), random.Below(8)});
        bool has_all = keys_.LockOrWait(waiter);
        if (!has_all && random.Below(3) == 0 && keys_.Withdraw(waiter)) {
          GrantedRequests granted;
          keys_.Unlock(waiter, granted);
          grant(granted);
          continue;
        }
        if (!has_all) {
          waiter.granted.wait(0);
        }
        for (std::uint64_t hash = 0; hash < counters.size(); ++hash) {
          counters[hash] += waiter.Holds(hash) ? 1 : 0;  // a race unless the lock excludes
        }
        ++done;
        GrantedRequests granted;
        keys_.Unlock(waiter, granted);
        grant(granted);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_GT(done, kThreads * kRounds / 2);
  EXPECT_TRUE(keys_.IsEmpty());
}

}  // namespace
}  // namespace stator::engine

// What a store promises when the disk fails: acknowledged writes survive a power cut, what is left
// is a prefix of what was written, and after a failure nothing is written until the store is opened
// again.

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stator/base/random.h"
#include "storage/faulty_disk.h"
#include "storage/store.h"
#include "storage/submitted.h"

namespace stator::storage {
namespace {

constexpr std::chrono::hours kNever{24};

class StoreFailure : public testing::Test {
 protected:
  [[nodiscard]] StoreOptions Options(Durability durability) const {
    return {.path = "/db",
            .durability = durability,
            .sync_interval = kNever,
            // Small, so that the log goes on to new files and tables are written.
            .write_buffer_bytes = 16 << 10,
            .watch_interval = std::chrono::milliseconds(0),
            .disk = disk_};
  }

  void Open(Durability durability = Durability::kDurable) {
    Result<std::unique_ptr<Store>> store = Store::Open(Options(durability));
    ASSERT_TRUE(store.has_value()) << store.error().message;
    store_ = std::move(store).value();
  }

  [[nodiscard]] Result<void> Put(const std::string& key, std::size_t value_bytes = 1) const {
    WriteBatch batch;
    batch.Put(key, std::string(value_bytes, 'v'));
    return store_->Write(std::move(batch));
  }

  [[nodiscard]] bool Has(const std::string& key) const {
    PinnedValue value;
    return store_->Get(key, value).value();
  }

  void ExpectHasAll(const std::vector<std::string>& keys) const {
    for (const std::string& key : keys) {
      EXPECT_TRUE(Has(key)) << key;
    }
  }

  void ReopenAfterPowerCut(Random* torn = nullptr) {
    disk_->CutPower();
    store_.reset();
    disk_->RestorePower(torn);
    disk_->Heal();
    Open();
  }

  void ExpectRefusesWrites(const std::string& since,
                           const std::string& remedy = "; reopen it") const {
    const Result<void> written = Put("refused");
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::kIo);
    EXPECT_TRUE(written.error().message.starts_with("the store refuses writes since " + since))
        << written.error().message;
    EXPECT_TRUE(written.error().message.ends_with(remedy)) << written.error().message;
    EXPECT_EQ(store_->Health().error().message, written.error().message);
    EXPECT_FALSE(Has("refused"));
  }

  std::shared_ptr<FaultyDisk> disk_ = FaultyDisk::InMemory();
  std::unique_ptr<Store> store_;
};

TEST_F(StoreFailure, DurableWritesSurviveAPowerCut) {
  Open();
  ASSERT_TRUE(Put("k").has_value());
  ReopenAfterPowerCut();
  EXPECT_TRUE(Has("k"));
}

TEST_F(StoreFailure, RelaxedWritesThatWereNotSyncedAreLostInAPowerCut) {
  Open(Durability::kRelaxed);
  ASSERT_TRUE(Put("synced").has_value());
  ASSERT_TRUE(store_->Sync().has_value());
  ASSERT_TRUE(Put("not synced").has_value());
  ReopenAfterPowerCut();
  EXPECT_TRUE(Has("synced"));
  EXPECT_FALSE(Has("not synced"));
}

TEST_F(StoreFailure, RelaxedWritesAreSyncedInTheBackground) {
  StoreOptions options = Options(Durability::kRelaxed);
  options.sync_interval = std::chrono::milliseconds(1);
  store_ = Store::Open(options).value();
  ASSERT_TRUE(Put("k").has_value());
  while (store_->Statistics().syncs == 0) {
    std::this_thread::yield();
  }
  ReopenAfterPowerCut();
  EXPECT_TRUE(Has("k"));
}

TEST_F(StoreFailure, RelaxedWritesAreSyncedWhenTheStoreIsClosed) {
  Open(Durability::kRelaxed);
  ASSERT_TRUE(Put("k").has_value());
  ASSERT_TRUE(store_->Close().has_value());
  ReopenAfterPowerCut();
  EXPECT_TRUE(Has("k"));
}

TEST_F(StoreFailure, AFailedFinalSyncIsReported) {
  Open(Durability::kRelaxed);
  ASSERT_TRUE(Put("k").has_value());
  disk_->FailSyncsAfter(0);
  EXPECT_EQ(store_->Close().error().code, ErrorCode::kIo);
}

TEST_F(StoreFailure, AFailedSyncMakesTheStoreRefuseWrites) {
  Open();
  ASSERT_TRUE(Put("before").has_value());
  disk_->FailSyncsAfter(0);
  const Result<void> failed = Put("failed");
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::kIo);
  EXPECT_FALSE(Has("failed"));
  disk_->Heal();
  ExpectRefusesWrites("a synced write failed: IO error: the disk failed to sync");
  EXPECT_FALSE(store_->Flush().has_value());
  EXPECT_TRUE(Has("before"));
  store_.reset();
  Open();
  EXPECT_TRUE(store_->Health().has_value());
  EXPECT_TRUE(Has("before"));
  EXPECT_TRUE(Put("after").has_value());
}

TEST_F(StoreFailure, AWriteThatWasStartedIsToldOfWhenItIsAwaited) {
  Open();
  const auto start = [&](const char* key) {
    WriteBatch batch;
    batch.Put(key, "v");
    return store_->StartWrite(std::move(batch));
  };
  Result<Store::InFlight> good = start("a");
  ASSERT_TRUE(good.has_value());
  EXPECT_TRUE(good->Await().has_value());
  EXPECT_TRUE(Has("a"));
  disk_->HoldSyncs();
  Result<Store::InFlight> bad = start("b");
  ASSERT_TRUE(bad.has_value());
  disk_->AwaitHeldSync();
  Result<Store::InFlight> behind = start("c");
  ASSERT_TRUE(behind.has_value());
  disk_->FailHeldSync();
  EXPECT_EQ(bad->Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(behind->Await().error().code, ErrorCode::kIo) << "it takes those behind it along";
  EXPECT_FALSE(start("d").has_value());
  EXPECT_TRUE(Store::InFlight().Await().has_value()) << "there is nothing to wait for";
}

TEST_F(StoreFailure, AFailedSyncFailsEveryWriteOfItsGroup) {
  Open();
  disk_->FailSyncsAfter(0);
  std::latch done(20);
  std::atomic<int> failed = 0;
  for (int write = 0; write < 20; ++write) {
    WriteBatch batch;
    batch.Put(std::to_string(write), "v");
    Submit(store_->queue(), std::move(batch), [&](const Result<void>& result) {
      failed += result.has_value() ? 0 : 1;
      done.count_down();
    });
  }
  done.wait();
  EXPECT_EQ(failed, 20);
}

TEST_F(StoreFailure, AFailedWriteMakesARelaxedStoreRefuseWrites) {
  Open(Durability::kRelaxed);
  ASSERT_TRUE(Put("before").has_value());
  disk_->FailWritesAfter(0);
  EXPECT_FALSE(Put("failed").has_value());
  disk_->Heal();
  ExpectRefusesWrites("a write failed: ");
  EXPECT_TRUE(Has("before"));
}

TEST_F(StoreFailure, AFailedBackgroundSyncMakesARelaxedStoreRefuseWrites) {
  Open(Durability::kRelaxed);
  ASSERT_TRUE(Put("before").has_value());
  disk_->FailSyncsAfter(0);
  EXPECT_FALSE(store_->Sync().has_value());
  disk_->Heal();
  ExpectRefusesWrites("a sync of the log failed: ");
}

// RocksDB ends the program when its log is synced after a write to it has failed, so the one must
// not meet the other.
TEST_F(StoreFailure, SyncsOfARelaxedStoreMayMeetAFailedWrite) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    disk_ = FaultyDisk::InMemory();
    Open(Durability::kRelaxed);
    disk_->FailWritesAfter(seed);
    const auto sync = [&] {
      while (store_->Sync()) {
      }
    };
    const auto write = [&](const std::string& name) {
      for (int key = 0; key < 200 && Put(name + std::to_string(key), 500); ++key) {
      }
    };
    {
      const std::jthread syncing[] = {std::jthread(sync), std::jthread(sync), std::jthread(sync)};
      const std::jthread writing[] = {std::jthread(write, "a"), std::jthread(write, "b")};
    }
    disk_->Heal();
    ExpectRefusesWrites("a ");  // write, or sync, whichever came first
    EXPECT_FALSE(store_->Close().has_value());
  }
}

TEST_F(StoreFailure, CallsThatWriteMayMeetAFailure) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    disk_ = FaultyDisk::InMemory();
    Open(seed % 2 == 0 ? Durability::kDurable : Durability::kRelaxed);
    disk_->FailAtRandom(seed, 40);
    {
      const std::jthread flushing([&] {
        while (store_->Flush() && store_->CompactRange("", "")) {
        }
      });
      for (int key = 0; key < 10'000 && Put(std::to_string(key), 500); ++key) {
      }
    }
    disk_->Heal();
    ExpectRefusesWrites("");
    EXPECT_FALSE(store_->Close().has_value());
  }
}

TEST_F(StoreFailure, AFullDiskMakesTheStoreRefuseWrites) {
  Open();
  ASSERT_TRUE(Put("before").has_value());
  disk_->FillUpAfter(100);
  const Result<void> failed = Put("failed", 1000);
  ASSERT_FALSE(failed.has_value());
  EXPECT_NE(failed.error().message.find("No space left"), std::string::npos);
  disk_->Heal();
  ExpectRefusesWrites("a synced write failed: ", "; it goes on by itself when there is room");
  store_.reset();
  Open();
  EXPECT_TRUE(Has("before"));
  EXPECT_FALSE(Has("failed"));
}

TEST_F(StoreFailure, AFailedFlushMakesTheStoreRefuseWrites) {
  Open();
  ASSERT_TRUE(Put("before").has_value());
  disk_->FailWritesAfter(0);
  EXPECT_FALSE(store_->Flush().has_value());
  disk_->Heal();
  ExpectRefusesWrites("a flush failed: ");
  EXPECT_TRUE(Has("before"));
  store_.reset();
  Open();
  EXPECT_TRUE(Has("before"));
}

// Writers on several threads until the power goes at a random moment.
// RocksDB would begin a new log for both, fail with the first, and forget that it holds the second.
TEST_F(StoreFailure, ClosesWhenTheDiskDiedAndTheMemoryOfBothFamiliesWasFull) {
  Open();
  WriteBatch full;
  for (int row = 0; row < 100; ++row) {
    full.Put("main" + std::to_string(row), std::string(2000, 'v'));
    full.Put("history" + std::to_string(row), std::string(2000, 'v'), Family::kHistory);
  }
  ASSERT_TRUE(store_->Write(std::move(full)).has_value());
  disk_->CutPower();
  ASSERT_FALSE(Put("failed").has_value());
  ReopenAfterPowerCut();
  EXPECT_TRUE(Has("main99"));
  EXPECT_FALSE(Has("failed"));
}

TEST_F(StoreFailure, AcknowledgedWritesSurviveAPowerCutAtAnyMoment) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    disk_ = FaultyDisk::InMemory();
    Open();
    SeededRandom random(seed);
    const std::uint64_t cut_after = random.Below(150);
    std::atomic<std::uint64_t> writes = 0;
    const auto write = [&](const std::string& name, std::vector<std::string>& acknowledged) {
      for (int number = 0; number < 100; ++number) {
        const std::string key = name + std::to_string(number);
        if (writes++ == cut_after) {
          disk_->CutPower();
        }
        if (Put(key, 500)) {
          acknowledged.push_back(key);
        }
      }
    };
    std::vector<std::string> first;
    std::vector<std::string> second;
    std::vector<std::string> third;
    {
      const std::jthread one(write, "one/", std::ref(first));
      const std::jthread two(write, "two/", std::ref(second));
      const std::jthread three(write, "three/", std::ref(third));
    }
    ReopenAfterPowerCut(&random);
    ExpectHasAll(first);
    ExpectHasAll(second);
    ExpectHasAll(third);
    EXPECT_TRUE(Put("after").has_value());
  }
}

TEST_F(StoreFailure, AcknowledgedWritesSurviveRandomFailures) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    disk_ = FaultyDisk::InMemory();
    Open();
    SeededRandom random(seed);
    disk_->FailAtRandom(seed, 200);
    std::vector<std::string> acknowledged;
    for (int key = 0; key < 300 && Put(std::to_string(key), 500); ++key) {
      acknowledged.push_back(std::to_string(key));
    }
    ReopenAfterPowerCut(&random);
    ExpectHasAll(acknowledged);
  }
}

// Also when the log had gone on to a new file, of which more was left than of the old one.
TEST_F(StoreFailure, ARelaxedStoreIsLeftWithAPrefixOfItsWrites) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    disk_ = FaultyDisk::InMemory();
    Open(Durability::kRelaxed);
    SeededRandom random(seed);
    const std::uint64_t writes = 20 + random.Below(150);
    for (std::uint64_t key = 0; key < writes; ++key) {
      ASSERT_TRUE(Put(std::to_string(key), 500).has_value());
    }
    ReopenAfterPowerCut(&random);
    std::uint64_t left = 0;
    while (left < writes && Has(std::to_string(left))) {
      ++left;
    }
    for (std::uint64_t key = left; key < writes; ++key) {
      EXPECT_FALSE(Has(std::to_string(key))) << key << " is there without " << left;
    }
  }
}

}  // namespace
}  // namespace stator::storage

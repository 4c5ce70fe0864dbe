// A store that lacked room goes on by itself when there is some: nothing acknowledged is lost, what
// failed is not there, also after a power cut. What begins and what ends is said once.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "storage/faulty_disk.h"
#include "storage/store.h"
#include "storage/submitted.h"

namespace stator::storage {
namespace {

using Kind = StoreNotice::Kind;

class StoreRecovery : public testing::TestWithParam<Durability> {
 protected:
  void Open() {
    Result<std::unique_ptr<Store>> store =
        Store::Open({.path = "/db",
                     .durability = GetParam(),
                     .sync_interval = std::chrono::hours(24),
                     .write_buffer_bytes = 16 << 10,
                     .watch_interval = std::chrono::milliseconds(0),
                     .on_notice = [this](const StoreNotice& notice) { said_.push_back(notice); },
                     .clock = &clock_,
                     .disk = disk_});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    store_ = std::move(store).value();
  }

  [[nodiscard]] Result<void> Put(const std::string& key, std::size_t value_bytes = 10) const {
    WriteBatch batch;
    batch.Put(key, std::string(value_bytes, 'v'));
    return store_->Write(std::move(batch));
  }

  [[nodiscard]] bool Has(const std::string& key) const {
    PinnedValue value;
    return store_->Get(key, value).value();
  }

  void Resume() {
    disk_->Heal();
    Result<void> gone_on = store_->Maintain();
    // It waits for what was begun before the failure, and so do we.
    for (int looks = 0; looks < 10'000 && !gone_on; ++looks) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      gone_on = store_->Maintain();
    }
    ASSERT_TRUE(gone_on.has_value()) << gone_on.error().message;
  }

  void ReopenAfterPowerCut() {
    disk_->CutPower();
    store_.reset();
    disk_->RestorePower();
    disk_->Heal();
    Open();
  }

  std::shared_ptr<FaultyDisk> disk_ = FaultyDisk::InMemory();
  ManualClock clock_{TimePoint(std::chrono::seconds(1'794'744'000))};
  std::vector<StoreNotice> said_;
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(Modes, StoreRecovery,
                         testing::Values(Durability::kDurable, Durability::kRelaxed),
                         [](const auto& mode) {
                           return mode.param == Durability::kDurable ? "Durable" : "Relaxed";
                         });

// RocksDB's own way to go on ends the program here: its memory is empty, so it keeps the log file.
TEST_P(StoreRecovery, GoesOnWhenTheFirstWriteToALogDidNotFit) {
  Open();
  disk_->FillUpAfter(0);
  ASSERT_FALSE(Put("failed").has_value());
  Resume();
  EXPECT_FALSE(Has("failed"));
  ASSERT_TRUE(Put("after").has_value());
  ASSERT_TRUE(store_->Sync().has_value());
  ReopenAfterPowerCut();
  EXPECT_FALSE(Has("failed"));
  EXPECT_TRUE(Has("after"));
}

TEST_P(StoreRecovery, GoesOnBehindWhatWasAcknowledged) {
  Open();
  ASSERT_TRUE(Put("before").has_value());
  disk_->FillUpAfter(100);
  ASSERT_FALSE(Put("failed", 1000).has_value());
  ASSERT_FALSE(Put("refused").has_value());
  Resume();
  ASSERT_TRUE(Put("after", 1000).has_value());
  ASSERT_TRUE(store_->Sync().has_value());
  ReopenAfterPowerCut();
  EXPECT_TRUE(Has("before") && Has("after"));
  EXPECT_FALSE(Has("failed") || Has("refused"));
}

TEST_P(StoreRecovery, WaitsAsLongAsThereIsNoRoom) {
  Open();
  ASSERT_TRUE(Put("before").has_value());
  disk_->FillUpAfter(0);
  ASSERT_FALSE(Put("failed").has_value());
  for (int look = 0; look < 3; ++look) {
    EXPECT_FALSE(store_->Maintain().has_value());
    EXPECT_FALSE(Put("refused").has_value());
    EXPECT_TRUE(Has("before"));
  }
  Resume();
  EXPECT_TRUE(Put("after").has_value());
  EXPECT_TRUE(Has("before") && Has("after") && !Has("failed"));
  EXPECT_EQ(store_->Statistics().refusals, 1U);
}

TEST_P(StoreRecovery, GoesOnAfterATableDidNotFit) {
  Open();
  ASSERT_TRUE(Put("before").has_value());
  disk_->FillUpAfter(0);
  ASSERT_FALSE(store_->Flush().has_value());
  ASSERT_FALSE(Put("refused").has_value());
  Resume();
  ASSERT_TRUE(Put("after").has_value());
  ASSERT_TRUE(store_->Flush().has_value());
  ReopenAfterPowerCut();
  EXPECT_TRUE(Has("before"));
  EXPECT_TRUE(Has("after"));
}

TEST_P(StoreRecovery, DoesNotGoOnAfterOtherFailures) {
  Open();
  disk_->FailWritesAfter(0);
  ASSERT_FALSE(Put("failed").has_value());
  disk_->Heal();
  EXPECT_FALSE(store_->Maintain().has_value());
  EXPECT_FALSE(Put("refused").has_value());
}

TEST_P(StoreRecovery, ARefusalAndItsEndAreSaidOnce) {
  Open();
  disk_->FillUpAfter(0);
  ASSERT_FALSE(Put("failed").has_value());
  EXPECT_FALSE(store_->Maintain().has_value());
  EXPECT_FALSE(store_->Maintain().has_value());
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_EQ(said_[0].kind, Kind::kRefuses);
  EXPECT_NE(said_[0].text.find("No space left"), std::string::npos) << said_[0].text;
  Resume();
  EXPECT_TRUE(store_->Maintain().has_value());
  ASSERT_EQ(said_.size(), 2U);
  EXPECT_EQ(said_[1].kind, Kind::kGoesOn);
}

class StallTest : public StoreRecovery {};
INSTANTIATE_TEST_SUITE_P(Modes, StallTest, testing::Values(Durability::kDurable));

TEST_P(StallTest, ADiskThatStandsIsSaidOnceAndSoIsItsEnd) {
  Open();
  disk_->HoldSyncs();
  std::latch done(1);
  WriteBatch batch;
  batch.Put("k", "v");
  Submit(store_->queue(), std::move(batch), [&](const Result<void>& result) {
    EXPECT_TRUE(result.has_value());
    done.count_down();
  });
  disk_->AwaitHeldSync();
  EXPECT_TRUE(store_->Maintain().has_value());
  EXPECT_FALSE(store_->IsStalled());
  clock_.Advance(std::chrono::seconds(6));
  EXPECT_TRUE(store_->IsStalled());
  EXPECT_TRUE(store_->Maintain().has_value()) << "nothing has failed";
  EXPECT_TRUE(store_->Maintain().has_value());
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_EQ(said_[0].kind, Kind::kStands);
  EXPECT_EQ(store_->Statistics().oldest_unsettled, std::chrono::seconds(6));
  disk_->LetSyncs(100);
  done.wait();
  while (store_->IsStalled()) {
    std::this_thread::yield();
  }
  EXPECT_TRUE(store_->Maintain().has_value());
  ASSERT_EQ(said_.size(), 2U);
  EXPECT_EQ(said_[1].kind, Kind::kAnswers);
  EXPECT_EQ(store_->Statistics().stalls, 1U);
}

// The disk fills up again and again under writers on several threads.
TEST_P(StoreRecovery, AcknowledgedWritesSurviveDisksThatFillUp) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    disk_ = FaultyDisk::InMemory();
    Open();
    SeededRandom random(seed);
    std::atomic<bool> stop = false;
    const auto write = [&](const std::string& name, std::vector<std::string>& acknowledged,
                           std::vector<std::string>& failed) {
      for (int number = 0; !stop; ++number) {
        const std::string key = name + std::to_string(number);
        (Put(key, 300) ? acknowledged : failed).push_back(key);
        while (!stop && !store_->Health()) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }
    };
    std::vector<std::string> good[3];
    std::vector<std::string> bad[3];
    {
      std::vector<std::jthread> writers;
      for (int writer = 0; writer < 3; ++writer) {
        writers.emplace_back(write, std::to_string(writer) + "/", std::ref(good[writer]),
                             std::ref(bad[writer]));
      }
      for (int round = 0; round < 8; ++round) {
        disk_->FillUpAfter(random.Below(40'000));
        while (store_->Health()) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        static_cast<void>(store_->Maintain());
        disk_->Heal();
        // It says no while a commit is under way.
        for (int looks = 0; looks < 10'000 && !store_->Maintain(); ++looks) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        EXPECT_TRUE(store_->Health().has_value()) << store_->Health().error().message;
        if (HasFailure()) {
          break;
        }
      }
      stop = true;
    }
    for (int looks = 0; looks < 10'000 && !store_->Maintain(); ++looks) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(Put("last").has_value());
    ASSERT_TRUE(store_->Sync().has_value());
    ReopenAfterPowerCut();
    for (int writer = 0; writer < 3; ++writer) {
      for (const std::string& key : good[writer]) {
        ASSERT_TRUE(Has(key)) << key << " was acknowledged";
      }
      for (const std::string& key : bad[writer]) {
        ASSERT_FALSE(Has(key)) << key << " has failed, and the store has gone on";
      }
    }
  }
}

}  // namespace
}  // namespace stator::storage

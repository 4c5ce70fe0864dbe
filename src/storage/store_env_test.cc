#include "storage/store_env.h"

#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <atomic>
#include <memory>

#include "storage/failure_latch.h"

namespace stator::storage {
namespace {

struct Counted {
  std::atomic<int> ran = 0;
  std::atomic<int> forgotten = 0;
};

class StoreEnvTest : public testing::Test {
 protected:
  // Opening a database does that otherwise.
  void SetUp() override { env_->SetBackgroundThreads(1, rocksdb::Env::Priority::HIGH); }

  void Schedule(Counted& counted) {
    env_->Schedule([](void* of) { ++static_cast<Counted*>(of)->ran; }, &counted,
                   rocksdb::Env::Priority::HIGH, &counted,
                   [](void* of) { ++static_cast<Counted*>(of)->forgotten; });
  }

  FailureLatch failure_;
  std::shared_ptr<FlushJobs> flushes_ = std::make_shared<FlushJobs>();
  std::unique_ptr<rocksdb::Env> env_ =
      MakeStoreEnv(rocksdb::FileSystem::Default(), failure_, flushes_);
};

TEST_F(StoreEnvTest, AFlushThatComesWhileRocksDbStopsIsHeldUntilItGoesOn) {
  Counted before;
  Schedule(before);
  flushes_->Stop();
  flushes_->AwaitBegun();
  EXPECT_EQ(before.ran, 1);
  Counted held;
  Schedule(held);
  flushes_->AwaitBegun();  // not for what is held
  EXPECT_TRUE(flushes_->HasHeld());
  EXPECT_EQ(held.ran, 0);
  ReleaseHeld(*env_, *flushes_);
  flushes_->AwaitBegun();
  EXPECT_FALSE(flushes_->HasHeld());
  EXPECT_EQ(held.ran, 1);
  Counted after;
  Schedule(after);
  flushes_->AwaitBegun();
  EXPECT_EQ(after.ran, 1);
  EXPECT_EQ(after.forgotten, 0);
}

TEST_F(StoreEnvTest, AFlushThatIsHeldIsForgottenWhenItsDatabaseIsClosed) {
  flushes_->Stop();
  Counted one;
  Counted other;
  Schedule(one);
  Schedule(other);
  EXPECT_EQ(env_->UnSchedule(&one, rocksdb::Env::Priority::LOW), 0);
  EXPECT_EQ(env_->UnSchedule(&one, rocksdb::Env::Priority::HIGH), 1);
  EXPECT_EQ(one.forgotten, 1);
  EXPECT_EQ(other.forgotten, 0);
  ReleaseHeld(*env_, *flushes_);
  flushes_->AwaitBegun();
  EXPECT_EQ(one.ran, 0);
  EXPECT_EQ(other.ran, 1);
}

TEST_F(StoreEnvTest, WhatIsNoFlushIsNotHeld) {
  flushes_->Stop();
  Counted counted;
  env_->Schedule([](void* of) { ++static_cast<Counted*>(of)->ran; }, &counted,
                 rocksdb::Env::Priority::HIGH, nullptr, nullptr);
  flushes_->AwaitBegun();
  EXPECT_EQ(counted.ran, 1);
}

}  // namespace
}  // namespace stator::storage

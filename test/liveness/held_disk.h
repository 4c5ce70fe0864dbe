// For tests: an engine on a disk whose syncs stand until the test lets them go, and answers that
// are collected as they come.

#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "engine/engine.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "storage/faulty_disk.h"

namespace stator::liveness {

// The outcome of a call that was started.
template <class Output>
class Answer {
 public:
  // To be given to a Start... call.
  Completion<Output> Expect() {
    return [state = state_](Result<Output> result) {
      const std::lock_guard lock(state->mutex);
      EXPECT_FALSE(state->result.has_value()) << "it was answered twice";
      state->result.emplace(std::move(result));
      state->arrived.notify_all();
    };
  }

  [[nodiscard]] bool is_there() const {
    const std::lock_guard lock(state_->mutex);
    return state_->result.has_value();
  }

  Result<Output> Await() {
    std::unique_lock lock(state_->mutex);
    state_->arrived.wait(lock, [this] { return state_->result.has_value(); });
    return *state_->result;
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<Result<Output>> result;  // protected by mutex
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

class HeldDisk : public testing::Test {
 protected:
  HeldDisk();
  ~HeldDisk() override;

  void Open(std::size_t queue_bytes_max = 64 << 20, const engine::GoingBackLimits& going_back = {});
  // Loses the power and what was not synced, and opens what is left.
  void LosePower();

  [[nodiscard]] engine::Engine& db() { return *engine_; }
  [[nodiscard]] storage::FaultyDisk& disk() { return *disk_; }
  [[nodiscard]] ManualClock& clock() { return clock_; }

  // Returns when nothing holds a lock, waits, or is on its way: a moment after the last answer,
  // unless something was left behind.
  void AwaitQuiet();

  void MakeTable(const std::string& name, bool with_stream = false);
  void Put(const Item& item);
  std::optional<Item> Get(const std::string& pk);
  Answer<PutItemOutput> StartPut(const Item& item, const std::string& condition = "");
  Answer<UpdateItemOutput> StartCount(const std::string& pk);
  static TransactWriteItemsInput TransactionOn(const std::string& pk, const std::string& token);

 private:
  const std::shared_ptr<storage::FaultyDisk> disk_ = storage::FaultyDisk::InMemory();
  ManualClock clock_{TimePoint(std::chrono::seconds(1'794'744'000))};
  SeededRandom random_{1};
  std::unique_ptr<engine::Engine> engine_;
};

std::int64_t NumberIn(const Item& item, const std::string& name);

}  // namespace stator::liveness

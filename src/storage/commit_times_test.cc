// Commit times: that they rise, up to which everything is visible, and the row that none is behind.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "stator/base/clock.h"
#include "storage/commit_queue.h"
#include "storage/submitted.h"

namespace stator::storage {
namespace {

CommitQueue::Check Always() {
  return [] { return Result<void>(); };
}

// Writes and waits, as Store::Write does.
Result<void> Write(CommitQueue& queue, WriteBatch&& batch) {
  Result<void> outcome;
  const auto write = std::make_shared<Submitted>(
      std::move(batch), [&](const Result<void>& settled) { outcome = settled; });
  auto placed = queue.Enqueue(write, CommitQueue::Whose::kCaller);
  if (!placed) {
    return std::unexpected(std::move(placed).error());
  }
  if (placed->owned) {
    queue.CommitOwned();
  } else {
    placed->group->Await();
  }
  return outcome;
}

TEST(CommitTimes, TellsUpToWhenEverythingIsVisible) {
  ManualClock clock(TimePoint(std::chrono::seconds(1000)));
  constexpr std::uint64_t kStart = 1'000'000'000;
  std::uint64_t during = 0;
  CommitQueue* itself = nullptr;
  CommitQueue queue({.clock = &clock}, Always(),
                    [&](std::span<const QueuedWritePtr> group) -> Result<void> {
                      during = itself->SettledTime();
                      EXPECT_EQ(group.back()->commit_time(), during + 1);
                      return {};
                    });
  itself = &queue;
  const auto stamped = [] {
    WriteBatch batch;
    batch.PutStampedValue("last", "12345678", 0, StampKind::kCommitTime);
    return batch;
  };
  queue.StartTimesBehind(kStart - 10, "bound");
  EXPECT_EQ(queue.SettledTime(), kStart);
  ASSERT_TRUE(Write(queue, stamped()).has_value());
  EXPECT_EQ(during, kStart) << "what was told is not taken back";
  EXPECT_EQ(queue.SettledTime(), kStart + 1) << "whoever was answered is in it";
  clock.Advance(std::chrono::seconds(-5));
  ASSERT_TRUE(Write(queue, stamped()).has_value());
  EXPECT_EQ(queue.SettledTime(), kStart + 2) << "the clock went back, the times did not";
  clock.Advance(std::chrono::seconds(6));
  EXPECT_EQ(queue.SettledTime(), kStart + 1'000'000);
}

// What a store would hold of the bound, and what was given of times.
class BoundKeeper {
 public:
  Result<void> Commit(std::span<const QueuedWritePtr> group) {
    if (fails) {
      return Fail(ErrorCode::kIo, "no disk");
    }
    for (const QueuedWritePtr& write : group) {
      Keep(write->batch);
      EXPECT_LE(write->commit_time(), bound) << "a commit is behind the bound";
    }
    return {};
  }
  Result<bool> WriteNow(const WriteBatch& batch) {
    if (fails) {
      return false;
    }
    Keep(batch);
    return true;
  }

  bool fails = false;
  int raised = 0;
  std::uint64_t bound = 0;

 private:
  void Keep(const WriteBatch& batch) {
    const std::string& bytes = batch.representation();
    const std::size_t at = bytes.find("bound");
    if (at == std::string::npos) {
      return;
    }
    ++raised;
    bound = 0;
    for (const char byte : bytes.substr(at + 6, 8)) {
      bound = bound << 8U | static_cast<unsigned char>(byte);
    }
  }
};

WriteBatch TimedBatch() {
  WriteBatch batch;
  batch.Put("key", "value");
  batch.TakeTime();
  return batch;
}

TEST(CommitTimes, WritesTheBoundOfTimesRarely) {
  ManualClock clock(TimePoint(std::chrono::seconds(1000)));
  constexpr std::uint64_t kStart = 1'000'000'000;
  BoundKeeper keeper;
  {
    CommitQueue queue({.clock = &clock}, Always(),
                      [&](std::span<const QueuedWritePtr> group) { return keeper.Commit(group); });
    queue.StartTimesBehind(kStart - 10, "bound");
    for (int write = 0; write < 1000; ++write) {
      ASSERT_TRUE(Write(queue, TimedBatch()).has_value());
    }
    EXPECT_EQ(keeper.raised, 1);
    EXPECT_EQ(keeper.bound, kStart + 100'000);
    clock.Advance(std::chrono::seconds(1));
    ASSERT_TRUE(Write(queue, TimedBatch()).has_value());
    EXPECT_EQ(keeper.raised, 2);
    EXPECT_EQ(keeper.bound, kStart + 1'100'000);
    queue.ReturnTimes();
  }
  EXPECT_EQ(keeper.bound, kStart + 1'000'000) << "the next start goes on right behind the last";
}

TEST(CommitTimes, AFailedBoundIsWrittenAgain) {
  ManualClock clock(TimePoint(std::chrono::seconds(1000)));
  BoundKeeper keeper;
  CommitQueue queue({.clock = &clock}, Always(),
                    [&](std::span<const QueuedWritePtr> group) { return keeper.Commit(group); });
  queue.StartTimesBehind(0, "bound");
  keeper.fails = true;
  EXPECT_FALSE(Write(queue, TimedBatch()).has_value());
  queue.ReturnTimes();
  keeper.fails = false;
  ASSERT_TRUE(queue.Resume([]() -> Result<void> { return {}; }).has_value());
  ASSERT_TRUE(Write(queue, TimedBatch()).has_value());
  EXPECT_EQ(keeper.raised, 1);
}

// A write past the queue that was not written takes nobody along who rests on its bound.
TEST(CommitTimes, ABoundThatWasNotWrittenPastTheQueueCountsForNobody) {
  ManualClock clock(TimePoint(std::chrono::seconds(1000)));
  BoundKeeper keeper;
  CommitQueue queue({.clock = &clock}, Always(),
                    [&](std::span<const QueuedWritePtr> group) { return keeper.Commit(group); });
  queue.StartTimesBehind(0, "bound");
  const auto timed = [] {
    return std::make_shared<Submitted>(TimedBatch(), [](const Result<void>&) {});
  };
  const auto write_now = [&](WriteBatch& batch) { return keeper.WriteNow(batch); };
  keeper.fails = true;
  EXPECT_FALSE(queue.TryWriteNow(*timed(), write_now).value());
  keeper.fails = false;
  const auto now = timed();
  // Somebody else gets a place while the first is being written, and the bound with it.
  std::shared_ptr<CommitQueue::Group> other;
  EXPECT_FALSE(queue
                   .TryWriteNow(*now,
                                [&](WriteBatch&) -> Result<bool> {
                                  other = queue.Enqueue(timed())->group;
                                  return false;
                                })
                   .value());
  other->Await();
  EXPECT_EQ(keeper.raised, 1);
  ASSERT_TRUE(Write(queue, TimedBatch()).has_value());
  EXPECT_EQ(keeper.raised, 1) << "the bound is there";
}

}  // namespace
}  // namespace stator::storage

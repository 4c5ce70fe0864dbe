// What commit_queue.h promises, with a commit function that the test controls: places, order,
// grouping, bounds, stamps, answers to everybody, one commit at a time, and nothing behind a
// failure.

#include "storage/commit_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/submitted.h"

namespace stator::storage {
namespace {

WriteBatch BatchOf(const std::string& key) {
  WriteBatch batch;
  batch.Put(key, "");
  return batch;
}

WriteBatch Merged(std::span<const QueuedWritePtr> group) {
  WriteBatch merged;
  for (const QueuedWritePtr& write : group) {
    merged.Append(write->batch);
  }
  return merged;
}

// A commit function that can be held up, and remembers what it was given.
class Log {
 public:
  CommitQueue::Commit Function() {
    return [this](std::span<const QueuedWritePtr> group) -> Result<void> {
      EXPECT_FALSE(running_.exchange(true)) << "two commits at the same time";
      if (held_) {
        entered_.release();
        go_on_.acquire();
      }
      groups.push_back({Merged(group).representation(), group.size()});
      committed += group.size();
      running_ = false;
      return result;
    };
  }

  void Hold() { held_ = true; }
  void AwaitEntered() { entered_.acquire(); }
  void Release() {
    held_ = false;
    go_on_.release();
  }

  struct Group {
    std::string bytes;
    std::size_t batches;
  };
  std::vector<Group> groups;
  std::atomic<std::uint64_t> committed{0};
  Result<void> result;

 private:
  std::atomic<bool> running_ = false;
  std::atomic<bool> held_ = false;
  std::counting_semaphore<> entered_{0};
  std::counting_semaphore<> go_on_{0};
};

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

// A call whose answer rests on a write.
class Resting final : public Dependent {
 public:
  std::function<void(const Result<void>&)> told;

 private:
  void OnRested(const Result<void>& outcome) override { told(outcome); }
};

std::string MergedBytes(const std::vector<std::string>& keys) {
  WriteBatch merged;
  for (const std::string& key : keys) {
    merged.Append(BatchOf(key));
  }
  return merged.representation();
}

TEST(CommitQueue, CommitsASingleWriteOnTheThreadOfItsWriter) {
  std::thread::id committer;
  CommitQueue queue({}, Always(), [&](std::span<const QueuedWritePtr>) -> Result<void> {
    committer = std::this_thread::get_id();
    return {};
  });
  EXPECT_TRUE(Write(queue, BatchOf("a")).has_value());
  EXPECT_EQ(committer, std::this_thread::get_id());
}

TEST(CommitQueue, GoesOnWhenWhatFailedIsMended) {
  Log log;
  CommitQueue queue({}, Always(), log.Function());
  log.result = Fail(ErrorCode::kIo, "the disk is full");
  EXPECT_FALSE(Write(queue, BatchOf("a")).has_value());
  EXPECT_EQ(Write(queue, BatchOf("b")).error().message, "the disk is full");
  EXPECT_FALSE(queue.Resume([&] { return log.result; }).has_value());
  EXPECT_FALSE(Write(queue, BatchOf("c")).has_value()) << "it was not mended";
  log.result = {};
  EXPECT_TRUE(queue.Resume([] { return Result<void>(); }).has_value());
  EXPECT_TRUE(Write(queue, BatchOf("d")).has_value());
  EXPECT_EQ(log.groups.size(), 2U) << "the first and the last";
}

// It may have read rows that have failed since.
TEST(CommitQueue, WhatWasDecidedBeforeItWentOnGetsNoPlace) {
  Log log;
  CommitQueue queue({}, Always(), log.Function());
  const auto decided = [&] {
    auto write = std::make_shared<Submitted>(BatchOf("a"), [](const Result<void>&) {});
    write->set_epoch(queue.epoch());
    return write;
  };
  const auto before = decided();
  const auto past_the_queue = decided();
  log.result = Fail(ErrorCode::kIo, "the disk is full");
  EXPECT_FALSE(Write(queue, BatchOf("b")).has_value());
  log.result = {};
  ASSERT_TRUE(queue.Resume([] { return Result<void>(); }).has_value());
  EXPECT_EQ(queue.Enqueue(before).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(queue.TryWriteNow(*past_the_queue, [](WriteBatch&) { return true; }).error().code,
            ErrorCode::kUnavailable);
  EXPECT_TRUE(queue.Enqueue(decided()).has_value());
}

// An answer that rests on a write may ask for its outcome after the queue has gone on.
TEST(CommitQueue, TellsWhyAWriteHasFailedAfterItWentOn) {
  Log log;
  CommitQueue queue({}, Always(), log.Function());
  log.result = Fail(ErrorCode::kIo, "the disk is full");
  const auto failed = std::make_shared<Submitted>(BatchOf("a"), [](const Result<void>&) {});
  const auto placed = queue.Enqueue(failed, CommitQueue::Whose::kCaller);
  ASSERT_TRUE(placed.has_value() && placed->owned);
  queue.CommitOwned();
  log.result = {};
  ASSERT_TRUE(queue.Resume([] { return Result<void>(); }).has_value());
  const Result<void> outcome = queue.OutcomeOf(*failed);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().message, "the disk is full");
}

TEST(CommitQueue, IsNotMendedDuringACommit) {
  Log log;
  CommitQueue queue({}, Always(), log.Function());
  log.Hold();
  std::latch done(1);
  Submit(queue, BatchOf("a"), [&](const Result<void>&) { done.count_down(); });
  log.AwaitEntered();
  EXPECT_EQ(queue
                .Resume([]() -> Result<void> {
                  ADD_FAILURE() << "a commit is under way";
                  return {};
                })
                .error()
                .code,
            ErrorCode::kUnavailable);
  log.Release();
  done.wait();
}

TEST(CommitQueue, AWriterMayLeaveItsCommitToTheThread) {
  Log log;
  CommitQueue queue({}, Always(), log.Function());
  std::latch done(2);
  const auto count = [&](const Result<void>&) { done.count_down(); };
  const auto first =
      queue.Enqueue(std::make_shared<Submitted>(BatchOf("a"), count), CommitQueue::Whose::kCaller);
  ASSERT_TRUE(first.has_value() && first->owned);
  Submit(queue, BatchOf("b"), count);
  queue.LeaveToThread();
  done.wait();
  ASSERT_EQ(log.groups.size(), 1U) << "what came meanwhile is in the same group";
}

TEST(CommitQueue, MergesWhatWaitsIntoOneGroupInItsOrder) {
  Log log;
  std::latch done(3);
  {
    CommitQueue queue({}, Always(), log.Function());
    log.Hold();
    Submit(queue, BatchOf("first"), [](const Result<void>&) {});
    log.AwaitEntered();
    for (const std::string key : {"a", "b", "c"}) {
      Submit(queue, BatchOf(key), [&](const Result<void>& result) {
        EXPECT_TRUE(result.has_value());
        done.count_down();
      });
    }
    log.Release();
    done.wait();
  }
  ASSERT_EQ(log.groups.size(), 2U);
  EXPECT_EQ(log.groups[0].bytes, MergedBytes({"first"}));
  EXPECT_EQ(log.groups[1].bytes, MergedBytes({"a", "b", "c"}));
  EXPECT_EQ(log.groups[1].batches, 3U);
}

TEST(CommitQueue, SplitsGroupsAtTheBoundButNeverABatch) {
  Log log;
  const std::size_t two = BatchOf("a").bytes() * 2;
  {
    CommitQueue queue({.group_bytes_max = two}, Always(), log.Function());
    log.Hold();
    Submit(queue, BatchOf("first"), [](const Result<void>&) {});
    log.AwaitEntered();
    for (const std::string key : {"a", "b", "c"}) {
      Submit(queue, BatchOf(key), [](const Result<void>&) {});
    }
    Submit(queue, BatchOf(std::string(1000, 'x')), [](const Result<void>&) {});
    log.Release();
  }
  std::vector<std::size_t> sizes;
  for (const Log::Group& group : log.groups) {
    sizes.push_back(group.batches);
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 2, 1, 1}));
}

// The model's ACK_EARLY, DROP_EARLY and the order of answers: nothing is said or let go before the
// commit has returned; then places are settled in order, all of a group before the first answer.
class Watched final : public QueuedWrite {
 public:
  Watched(const std::string& name, std::vector<std::string>& events)
      : name_(name), events_(events) {
    batch.Put(name, "");
  }

 private:
  void OnSettled(const Result<void>& outcome) override { Note(" settled", outcome); }
  void OnAnswer(const Result<void>& outcome) override { Note(" answered", outcome); }
  void Note(const char* what, const Result<void>& outcome) {
    events_.push_back(name_ + (outcome ? "" : " not") + what);
  }

  const std::string name_;
  std::vector<std::string>& events_;
};

TEST(CommitQueue, SettlesAGroupBeforeItAnswersAndDependentsBehindTheirWrite) {
  std::vector<std::string> events;
  Resting refusal;
  refusal.told = [&](const Result<void>& outcome) {
    events.emplace_back(outcome ? "refusal told" : "refusal failed");
  };
  CommitQueue queue({}, Always(), [&](std::span<const QueuedWritePtr>) -> Result<void> {
    events.emplace_back("committed");
    return {};
  });
  const auto a = std::make_shared<Watched>("a", events);
  const auto b = std::make_shared<Watched>("b", events);
  ASSERT_TRUE(queue.Enqueue(a, CommitQueue::Whose::kCaller)->owned);
  ASSERT_TRUE(queue.Enqueue(b).has_value());
  EXPECT_EQ(a->place(), 1U);
  EXPECT_EQ(b->place(), 2U);
  EXPECT_TRUE(queue.WhenSettled(*a, refusal));
  EXPECT_TRUE(events.empty());
  queue.CommitOwned();
  EXPECT_EQ(events, (std::vector<std::string>{"committed", "a settled", "b settled", "a answered",
                                              "refusal told", "b answered"}));
  EXPECT_FALSE(queue.WhenSettled(*a, refusal)) << "it is settled already";
  EXPECT_TRUE(queue.OutcomeOf(*a).has_value());
}

// The model's NO_CASCADE.
TEST(CommitQueue, NothingIsCommittedBehindAFailure) {
  std::vector<std::string> events;
  Resting refusal;
  refusal.told = [&](const Result<void>& outcome) {
    events.emplace_back(outcome ? "refusal told" : "refusal failed");
  };
  CommitQueue queue({.group_bytes_max = 1}, Always(),
                    [&](std::span<const QueuedWritePtr>) -> Result<void> {
                      events.emplace_back("failed");
                      return Fail(ErrorCode::kIo, "no disk");
                    });
  const auto a = std::make_shared<Watched>("a", events);
  const auto b = std::make_shared<Watched>("b", events);
  ASSERT_TRUE(queue.Enqueue(a, CommitQueue::Whose::kCaller)->owned);
  ASSERT_TRUE(queue.Enqueue(b).has_value());
  ASSERT_TRUE(queue.WhenSettled(*b, refusal));
  queue.CommitOwned();
  EXPECT_EQ(events,
            (std::vector<std::string>{"failed", "a not settled", "a not answered", "b not settled",
                                      "b not answered", "refusal failed"}));
  const auto c = std::make_shared<Watched>("c", events);
  const auto refused = queue.Enqueue(c);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "no disk");
  EXPECT_EQ(c->place(), 0U);
  EXPECT_EQ(queue.OutcomeOf(*b).error().message, "no disk");
  EXPECT_EQ(queue.unsettled_bytes(), 0U);
}

TEST(CommitQueue, GivesNoPlaceWhenItIsToldNotTo) {
  Log log;
  CommitQueue queue(
      {}, [] { return Result<void>(Fail(ErrorCode::kIo, "failed")); }, log.Function());
  EXPECT_EQ(Write(queue, BatchOf("a")).error().message, "failed");
  EXPECT_EQ(log.committed, 0U);
}

TEST(CommitQueue, ADependentThatIsWithdrawnIsNotCalled) {
  Log log;
  CommitQueue queue({}, Always(), log.Function());
  int told = 0;
  std::vector<std::unique_ptr<Resting>> all;
  const auto write = std::make_shared<Submitted>(BatchOf("a"), [](const Result<void>&) {});
  ASSERT_TRUE(queue.Enqueue(write, CommitQueue::Whose::kCaller)->owned);
  for (int number = 0; number < 3; ++number) {
    all.push_back(std::make_unique<Resting>());
    all.back()->told = [&told, number](const Result<void>&) { told = told * 10 + number + 1; };
    ASSERT_TRUE(queue.WhenSettled(*write, *all.back()));
  }
  EXPECT_TRUE(queue.Withdraw(*write, *all[2]));
  EXPECT_TRUE(queue.Withdraw(*write, *all[0]));
  EXPECT_FALSE(queue.Withdraw(*write, *all[0]));
  all.push_back(std::make_unique<Resting>());
  all.back()->told = [&](const Result<void>&) { told = told * 10 + 9; };
  ASSERT_TRUE(queue.WhenSettled(*write, *all.back()));
  queue.CommitOwned();
  EXPECT_EQ(told, 29);
  EXPECT_FALSE(queue.Withdraw(*write, *all[1])) << "it was called";
}

TEST(CommitQueue, StampsRiseInTheOrderOfPlaces) {
  ManualClock clock(TimePoint(std::chrono::seconds(1000)));
  std::vector<std::string> keys;
  CommitQueue queue({.clock = &clock}, Always(),
                    [&](std::span<const QueuedWritePtr> group) -> Result<void> {
                      for (const QueuedWritePtr& write : group) {
                        for (const WriteBatch::Stamp& stamp : write->batch.stamps()) {
                          keys.push_back(write->batch.representation().substr(stamp.at, 8));
                        }
                      }
                      return {};
                    });
  queue.StartSequencesBehind(41);
  EXPECT_EQ(queue.visible_sequence(), 41U);
  const auto stamped = [](StampKind kind, int count) {
    WriteBatch batch;
    for (int number = 0; number < count; ++number) {
      batch.PutStamped("k" + std::string(8, '\0'), 1, kind, "v");
    }
    return batch;
  };
  const auto big_endian = [](std::uint64_t number) {
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<char>(number >> static_cast<unsigned>(shift)));
    }
    return bytes;
  };
  ASSERT_TRUE(Write(queue, stamped(StampKind::kSequence, 2)).has_value());
  EXPECT_EQ(queue.visible_sequence(), 43U);
  ASSERT_TRUE(Write(queue, stamped(StampKind::kCommitTime, 2)).has_value());
  ASSERT_TRUE(Write(queue, stamped(StampKind::kCommitTime, 1)).has_value());
  clock.Advance(std::chrono::seconds(1));
  ASSERT_TRUE(Write(queue, stamped(StampKind::kCommitTime, 1)).has_value());
  constexpr std::uint64_t kThen = 1'000'000'000;
  EXPECT_EQ(keys, (std::vector<std::string>{big_endian(42), big_endian(43), big_endian(kThen),
                                            big_endian(kThen), big_endian(kThen + 1),
                                            big_endian(kThen + 1'000'000)}));
}

// The model's TICKET_BACK: a number whose write has failed is never below the visible end.
TEST(CommitQueue, AFailedNumberDoesNotBecomeVisible) {
  Result<void> result;
  CommitQueue queue({}, Always(),
                    [&](std::span<const QueuedWritePtr>) -> Result<void> { return result; });
  const auto stamped = [] {
    WriteBatch batch;
    batch.PutStamped(std::string(8, '\0'), 0, StampKind::kSequence, "v");
    return batch;
  };
  ASSERT_TRUE(Write(queue, stamped()).has_value());
  EXPECT_EQ(queue.visible_sequence(), 1U);
  result = Fail(ErrorCode::kIo, "no disk");
  EXPECT_FALSE(Write(queue, stamped()).has_value());
  EXPECT_EQ(queue.visible_sequence(), 1U);
}

TEST(CommitQueue, WritesPastTheQueueOnlyWhileItIsEmpty) {
  Log log;
  CommitQueue queue({}, Always(), log.Function());
  int written = 0;
  bool stalls = false;
  const auto write_now = [&](WriteBatch&) -> Result<bool> {
    written += stalls ? 0 : 1;
    return !stalls;
  };
  const auto plain = std::make_shared<Submitted>(BatchOf("a"), [](const Result<void>&) {});
  EXPECT_TRUE(queue.TryWriteNow(*plain, write_now).value());
  stalls = true;
  EXPECT_FALSE(queue.TryWriteNow(*plain, write_now).value());
  stalls = false;
  WriteBatch batch;
  batch.PutStamped(std::string(8, '\0'), 0, StampKind::kSequence, "v");
  const auto stamped = std::make_shared<Submitted>(std::move(batch), [](const Result<void>&) {});
  EXPECT_TRUE(queue.TryWriteNow(*stamped, write_now).value());
  EXPECT_EQ(queue.visible_sequence(), 1U);
  const auto queued = std::make_shared<Submitted>(BatchOf("b"), [](const Result<void>&) {});
  ASSERT_TRUE(queue.Enqueue(queued, CommitQueue::Whose::kCaller)->owned);
  EXPECT_FALSE(queue.TryWriteNow(*plain, write_now).value());
  EXPECT_FALSE(queue.TryWriteNow(*stamped, write_now).value());
  queue.CommitOwned();
  EXPECT_TRUE(queue.TryWriteNow(*plain, write_now).value());
  EXPECT_EQ(written, 3);
}

TEST(CommitQueue, SaysWhenItIsFullAndWhenThereIsRoomAgain) {
  Log log;
  CommitQueue queue({.queue_bytes_max = 1000}, Always(), log.Function());
  int room = 0;
  queue.set_on_room([&] { ++room; });
  const auto large = std::make_shared<Submitted>(BatchOf("a"), [](const Result<void>&) {});
  large->set_charge(2000);
  EXPECT_TRUE(queue.HasRoom());
  ASSERT_TRUE(queue.Enqueue(large, CommitQueue::Whose::kCaller)->owned);
  EXPECT_FALSE(queue.HasRoom());
  EXPECT_EQ(queue.unsettled_bytes(), 2000U);
  queue.CommitOwned();
  EXPECT_TRUE(queue.HasRoom());
  EXPECT_EQ(room, 1);
}

TEST(CommitQueue, TellsHowLongTheOldestHasWaited) {
  Log log;
  ManualClock clock(TimePoint{});
  CommitQueue queue({.clock = &clock}, Always(), log.Function());
  EXPECT_EQ(queue.OldestAge(), Duration::zero());
  const auto write = std::make_shared<Submitted>(BatchOf("a"), [](const Result<void>&) {});
  ASSERT_TRUE(queue.Enqueue(write, CommitQueue::Whose::kCaller)->owned);
  clock.Advance(std::chrono::seconds(7));
  EXPECT_EQ(queue.OldestAge(), std::chrono::seconds(7));
  queue.CommitOwned();
  EXPECT_EQ(queue.OldestAge(), Duration::zero());
}

TEST(CommitQueue, CommitsWhatHasAPlaceBeforeItEnds) {
  Log log;
  std::atomic<int> called = 0;
  {
    CommitQueue queue({}, Always(), log.Function());
    for (int batch = 0; batch < 100; ++batch) {
      Submit(queue, BatchOf("k"), [&](const Result<void>&) { ++called; });
    }
  }
  EXPECT_EQ(called, 100);
  EXPECT_EQ(log.committed, 100U);
}

// Many writers of both kinds at once; each batch is committed exactly once, and a thread's batches
// in its order.
TEST(CommitQueue, LosesNothingBetweenManyThreads) {
  constexpr int kThreads = 16;
  constexpr int kWrites = 300;
  std::vector<std::vector<int>> seen(kThreads);
  std::atomic<int> answered = 0;
  {
    CommitQueue queue({.group_bytes_max = 4096}, Always(),
                      [&](std::span<const QueuedWritePtr> group) -> Result<void> {
                        // The key of each record is three bytes: thread and number; see FORMAT in
                        // write_batch.h.
                        const WriteBatch merged = Merged(group);
                        const std::string& bytes = merged.representation();
                        for (std::size_t at = 12; at < bytes.size(); at += 6) {
                          seen[static_cast<unsigned char>(bytes[at + 2])].push_back(
                              static_cast<unsigned char>(bytes[at + 3]) * 256 +
                              static_cast<unsigned char>(bytes[at + 4]));
                        }
                        return {};
                      });
    const auto count = [&](const Result<void>& result) { answered += result ? 1 : 0; };
    const auto write_all = [&](int thread) {
      for (int write = 0; write < kWrites; ++write) {
        const std::string key = {static_cast<char>(thread), static_cast<char>(write / 256),
                                 static_cast<char>(write % 256)};
        if (thread % 2 == 0) {
          count(Write(queue, BatchOf(key)));
        } else {
          Submit(queue, BatchOf(key), count);
        }
      }
    };
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back(write_all, thread);
    }
  }
  EXPECT_EQ(answered, kThreads * kWrites);
  std::vector<int> expected;
  for (int write = 0; write < kWrites; ++write) {
    expected.push_back(write);
  }
  for (const std::vector<int>& writes : seen) {
    EXPECT_EQ(writes, expected);
  }
}

}  // namespace
}  // namespace stator::storage

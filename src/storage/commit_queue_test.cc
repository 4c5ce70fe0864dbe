// What commit_queue.h promises, with a commit function that the test controls: order, grouping,
// bounds, results to everybody, one commit at a time, and nothing lost when the queue ends.

#include "storage/commit_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace stator::storage {
namespace {

constexpr std::size_t kNoBound = 1 << 20;

WriteBatch BatchOf(const std::string& key) {
  WriteBatch batch;
  batch.Put(key, "");
  return batch;
}

// A commit function that can be held up, and remembers what it was given.
class Log {
 public:
  CommitQueue::Commit Function() {
    return [this](WriteBatch&& group, std::uint32_t batches) -> Result<void> {
      EXPECT_FALSE(running_.exchange(true)) << "two commits at the same time";
      if (held_) {
        entered_.release();
        go_on_.acquire();
      }
      groups.push_back({group.representation(), batches});
      committed += batches;
      running_ = false;
      return result;
    };
  }

  void Hold() { held_ = true; }
  void AwaitEntered() { entered_.acquire(); }
  void LetGo() {
    held_ = false;
    go_on_.release();
  }

  struct Group {
    std::string bytes;
    std::uint32_t batches;
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

std::string MergedBytes(const std::vector<std::string>& keys) {
  WriteBatch merged;
  for (const std::string& key : keys) {
    merged.Append(BatchOf(key));
  }
  return merged.representation();
}

TEST(CommitQueue, CommitsASingleWriteOnTheThreadOfItsWriter) {
  std::thread::id committer;
  CommitQueue queue(kNoBound, [&](WriteBatch&&, std::uint32_t) -> Result<void> {
    committer = std::this_thread::get_id();
    return {};
  });
  EXPECT_TRUE(queue.Write(BatchOf("a")).has_value());
  EXPECT_EQ(committer, std::this_thread::get_id());
}

TEST(CommitQueue, MergesWhatWaitsIntoOneGroupInItsOrder) {
  Log log;
  std::latch done(3);
  {
    CommitQueue queue(kNoBound, log.Function());
    log.Hold();
    queue.Submit(BatchOf("first"), [](const Result<void>&) {});
    log.AwaitEntered();
    for (const std::string key : {"a", "b", "c"}) {
      queue.Submit(BatchOf(key), [&](const Result<void>& result) {
        EXPECT_TRUE(result.has_value());
        done.count_down();
      });
    }
    log.LetGo();
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
    CommitQueue queue(two, log.Function());
    log.Hold();
    queue.Submit(BatchOf("first"), [](const Result<void>&) {});
    log.AwaitEntered();
    for (const std::string key : {"a", "b", "c"}) {
      queue.Submit(BatchOf(key), [](const Result<void>&) {});
    }
    queue.Submit(BatchOf(std::string(1000, 'x')), [](const Result<void>&) {});
    log.LetGo();
  }
  std::vector<std::uint32_t> sizes;
  for (const Log::Group& group : log.groups) {
    sizes.push_back(group.batches);
  }
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{1, 2, 1, 1}));
}

TEST(CommitQueue, WritersThatWaitGetTheResultOfTheirGroup) {
  Log log;
  log.result = Fail(ErrorCode::kIo, "no disk");
  CommitQueue queue(kNoBound, log.Function());
  log.Hold();
  std::latch first_failed(1);
  queue.Submit(BatchOf("first"), [&](const Result<void>& result) {
    EXPECT_EQ(result.error().message, "no disk");
    first_failed.count_down();
  });
  log.AwaitEntered();
  std::jthread writer([&] { EXPECT_EQ(queue.Write(BatchOf("a")).error().message, "no disk"); });
  log.LetGo();
  first_failed.wait();
}

TEST(CommitQueue, CommitsWhatWasSubmittedBeforeItEnds) {
  Log log;
  std::atomic<int> called = 0;
  {
    CommitQueue queue(kNoBound, log.Function());
    for (int batch = 0; batch < 100; ++batch) {
      queue.Submit(BatchOf("k"), [&](const Result<void>&) { ++called; });
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
    CommitQueue queue(4096, [&](WriteBatch&& group, std::uint32_t) -> Result<void> {
      // The key of each record is two bytes: thread and number; see FORMAT in write_batch.h.
      const std::string& bytes = group.representation();
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
          count(queue.Write(BatchOf(key)));
        } else {
          queue.Submit(BatchOf(key), count);
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

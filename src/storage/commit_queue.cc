#include "storage/commit_queue.h"

#include <utility>

namespace stator::storage {
namespace {

// How often the commit thread lets others run while it waits for writers to come back. These turns
// of the scheduler are far shorter than the sync that waiting may save; measured with 4 to 64
// writers on two cores, more of them gain nothing.
constexpr int kYieldsMax = 16;

}  // namespace

CommitQueue::CommitQueue(std::size_t group_bytes_max, Commit commit)
    : group_bytes_max_(group_bytes_max),
      commit_(std::move(commit)),
      thread_([this] { RunCommitThread(); }) {}

CommitQueue::~CommitQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_one();
  thread_.join();
}

Result<void> CommitQueue::Write(WriteBatch&& batch) {
  std::shared_ptr<Group> group;
  {
    const std::lock_guard lock(mutex_);
    if (owner_ == Owner::kNobody) {
      owner_ = Owner::kWriter;
    } else {
      group = Join(std::move(batch));
    }
  }
  if (group != nullptr) {
    group->finished.wait(0);
    return group->result;
  }
  // NOLINTNEXTLINE(bugprone-use-after-move): it went into a group, or is still here.
  Result<void> result = commit_(std::move(batch), 1);
  GiveUpOwnership();
  return result;
}

void CommitQueue::Submit(WriteBatch&& batch, Done done) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    Join(std::move(batch))->callbacks.push_back(std::move(done));
    if (owner_ == Owner::kNobody) {
      owner_ = Owner::kThread;
      wake = true;
    }
  }
  if (wake) {
    work_.notify_one();
  }
}

std::shared_ptr<CommitQueue::Group> CommitQueue::Join(WriteBatch&& batch) {
  if (waiting_.empty() || waiting_.back()->merged.bytes() + batch.bytes() > group_bytes_max_) {
    waiting_.push_back(std::make_shared<Group>());
    waiting_.back()->merged = std::move(batch);
  } else {
    waiting_.back()->merged.Append(batch);
  }
  waiting_.back()->batches += 1;
  waiting_batches_.fetch_add(1, std::memory_order_relaxed);
  return waiting_.back();
}

void CommitQueue::GiveUpOwnership() {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      owner_ = Owner::kNobody;
      return;
    }
    owner_ = Owner::kThread;
  }
  work_.notify_one();
}

void CommitQueue::RunCommitThread() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return owner_ == Owner::kThread || stopping_; });
    if (owner_ != Owner::kThread) {
      return;
    }
    CommitWaitingGroups(lock);
    owner_ = Owner::kNobody;
  }
}

void CommitQueue::CommitWaitingGroups(std::unique_lock<std::mutex>& lock) {
  while (!waiting_.empty()) {
    const std::shared_ptr<Group> group = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_batches_.fetch_sub(group->batches, std::memory_order_relaxed);
    lock.unlock();
    CommitGroup(*group);
    AwaitReturningWriters(group->batches);
    lock.lock();
  }
}

void CommitQueue::CommitGroup(Group& group) {
  group.result = commit_(std::move(group.merged), group.batches);
  group.finished.store(1);
  group.finished.notify_all();
  for (Done& done : group.callbacks) {
    done(group.result);
  }
}

void CommitQueue::AwaitReturningWriters(std::uint32_t writers) {
  if (writers < 2) {
    return;
  }
  for (int yields = 0; yields < kYieldsMax; ++yields) {
    if (waiting_batches_.load(std::memory_order_relaxed) >= writers) {
      return;
    }
    std::this_thread::yield();
  }
}

}  // namespace stator::storage

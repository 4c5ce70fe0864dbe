#include "stator/patterns/fire_and_forget.h"

#include <iterator>
#include <utility>

namespace stator::patterns {

FireAndForget::FireAndForget(FireAndForgetOptions options, Environment environment)
    : options_(std::move(options)), environment_(environment) {
  if (options_.background_thread) {
    thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
  }
}

FireAndForget::~FireAndForget() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  for (const Task& task : waiting_) {
    Report(task.purpose, {ErrorCode::kTimeout, "the program ended before it was written"});
  }
}

void FireAndForget::Report(std::string purpose, Error error) const {
  if (options_.on_failure) {
    options_.on_failure({std::move(purpose), std::move(error)});
  }
}

void FireAndForget::Submit(const std::string& key, std::string purpose, Write write) {
  std::optional<Task> dropped;
  {
    const MutexLock lock(mutex_);
    ++counts_.submitted;
    if (const auto known = key.empty() ? by_key_.end() : by_key_.find(key);
        known != by_key_.end()) {
      ++counts_.coalesced;
      known->second->purpose = std::move(purpose);
      known->second->write = std::move(write);
      return;
    }
    if (waiting_.size() >= options_.waiting_max && !waiting_.empty()) {
      ++counts_.dropped;
      dropped = std::move(waiting_.front());
      by_key_.erase(dropped->key);
      waiting_.pop_front();
    }
    waiting_.push_back({key, std::move(purpose), std::move(write)});
    if (!key.empty()) {
      by_key_[key] = std::prev(waiting_.end());
    }
  }
  changed_.NotifyOne();
  if (dropped) {
    Report(std::move(dropped->purpose), {ErrorCode::kThrottled, "too many writes were waiting"});
  }
}

std::optional<FireAndForget::Task> FireAndForget::Take() {
  const MutexLock lock(mutex_);
  if (waiting_.empty()) {
    return std::nullopt;
  }
  Task task = std::move(waiting_.front());
  waiting_.pop_front();
  by_key_.erase(task.key);
  ++under_way_;
  return task;
}

void FireAndForget::Do(const Task& task) {
  const Result<void> written = task.write();
  if (!written) {
    Report(task.purpose, written.error());
  }
  {
    const MutexLock lock(mutex_);
    --under_way_;
    ++(written ? counts_.done : counts_.failed);
  }
  changed_.NotifyAll();
}

void FireAndForget::Work(const std::stop_token& stop) {
  while (true) {
    {
      MutexLock lock(mutex_);
      if (!changed_.Wait(lock, stop,
                         [this]() STATOR_REQUIRES(mutex_) { return !waiting_.empty(); }) ||
          stop.stop_requested()) {
        return;
      }
    }
    // Drain may have been faster.
    if (const std::optional<Task> task = Take()) {
      Do(*task);
    }
  }
}

bool FireAndForget::Drain(Duration at_most) {
  const Duration end = environment_.clock->Elapsed() + at_most;
  while (environment_.clock->Elapsed() < end) {
    const std::optional<Task> task = Take();
    if (!task) {
      // What the other thread has in its hands takes as long as one request.
      MutexLock lock(mutex_);
      changed_.Wait(
          lock, [this]() STATOR_REQUIRES(mutex_) { return under_way_ == 0 || !waiting_.empty(); });
      if (waiting_.empty()) {
        return true;
      }
      continue;
    }
    Do(*task);
  }
  const MutexLock lock(mutex_);
  return waiting_.empty() && under_way_ == 0;
}

FireAndForgetCounts FireAndForget::counts() const {
  const MutexLock lock(mutex_);
  return counts_;
}

}  // namespace stator::patterns

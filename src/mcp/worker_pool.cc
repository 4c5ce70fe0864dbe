#include "mcp/worker_pool.h"

#include <algorithm>
#include <utility>

namespace stator::mcp {
namespace {

// The job of this thread.
thread_local const JobKey* current_job = nullptr;  // NOLINT: nobody else sees it

}  // namespace

WorkerPool::WorkerPool(const PoolLimits& limits) : limits_(limits), reserved_(limits.running / 4) {}

void WorkerPool::Start() {
  const MutexLock lock(mutex_);
  started_ = true;
  AddThreadLocked();
}

void WorkerPool::Stop() {
  std::list<std::thread> threads;
  std::map<std::string, Owner> owners;  // destroyed outside of the lock, with their jobs
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    owners.swap(owners_);
    turns_.clear();
    queued_ = 0;
    changed_.NotifyAll();
    changed_.Wait(lock, [&]() STATOR_REQUIRES(mutex_) { return ended_.size() == threads_.size(); });
    threads.swap(threads_);
    ended_.clear();
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

WorkerPool::Load WorkerPool::load() {
  const MutexLock lock(mutex_);
  return {.running = running_, .queued = queued_, .waiting = waiting_};
}

bool WorkerPool::IsFullFor(const std::string& owner) {
  const MutexLock lock(mutex_);
  const auto found = owners_.find(owner);
  return queued_ >= limits_.queued && found != owners_.end() && !found->second.queue.empty();
}

bool WorkerPool::Enqueue(const JobKey& key, Job job, bool urgent) {
  const MutexLock lock(mutex_);
  Owner& owner = owners_[key.owner];
  const bool is_full = queued_ >= limits_.queued && !owner.queue.empty();
  if (stopping_ || (!urgent && is_full)) {
    return false;
  }
  if (owner.queue.empty()) {
    turns_.push_back(key.owner);
  }
  owner.queue.push_back({.key = key, .job = std::move(job)});
  ++queued_;
  AddThreadLocked();
  changed_.NotifyOne();
  return true;
}

// As many threads as may have something to do.
void WorkerPool::AddThreadLocked() {
  for (const auto& thread : std::exchange(ended_, {})) {
    thread->join();  // It has left Work and holds no lock.
    threads_.erase(thread);
  }
  if (started_ && !stopping_ && idle_ < std::min<std::size_t>(queued_, limits_.running) &&
      threads_.size() < limits_.running + waiting_) {
    const auto self = threads_.emplace(threads_.end());
    *self = std::thread([this, self] { Work(self); });
  }
}

bool WorkerPool::MayRunLocked(const Owner& owner, const JobKey& key) const {
  if (owner.running > 0 && running_ + reserved_ >= limits_.running) {
    return false;
  }
  if (limits_.owner_running > 0 && owner.running >= limits_.owner_running) {
    return false;
  }
  const auto tool = tools_.find(key.tool);
  return key.tool_running_max == 0 || tool == tools_.end() || tool->second < key.tool_running_max;
}

bool WorkerPool::TakeLocked(Entry& entry) {
  if (running_ >= limits_.running) {
    return false;
  }
  for (auto turn = turns_.begin(); turn != turns_.end(); ++turn) {
    Owner& owner = owners_[*turn];
    const auto next =
        std::ranges::find_if(owner.queue, [&](const Entry& queued) STATOR_REQUIRES(mutex_) {
          return MayRunLocked(owner, queued.key);
        });
    if (next == owner.queue.end()) {
      continue;
    }
    entry = std::move(*next);
    owner.queue.erase(next);
    --queued_;
    std::string name = std::move(*turn);
    turns_.erase(turn);
    if (!owner.queue.empty()) {
      turns_.push_back(std::move(name));
    }
    CountLocked(entry.key, true);
    return true;
  }
  return false;
}

void WorkerPool::CountLocked(const JobKey& key, bool begins) {
  Owner& owner = owners_[key.owner];
  if (begins) {
    ++running_;
    ++owner.running;
    ++tools_[key.tool];
    return;
  }
  --running_;
  --owner.running;
  if (--tools_[key.tool] == 0) {
    tools_.erase(key.tool);
  }
}

void WorkerPool::ForgetLocked(const std::string& owner) {
  const auto found = owners_.find(owner);
  if (found != owners_.end() && found->second.queue.empty() && found->second.running == 0 &&
      found->second.waiting == 0) {
    owners_.erase(found);
  }
}

void WorkerPool::Work(std::list<std::thread>::iterator self) {
  MutexLock lock(mutex_);
  for (;;) {
    Entry entry;
    ++idle_;
    changed_.Wait(lock, [&]() STATOR_REQUIRES(mutex_) {
      return stopping_ || TakeLocked(entry) || threads_.size() > limits_.running + waiting_;
    });
    --idle_;
    if (!entry.job) {
      break;  // Stopped, or there are more threads than needed.
    }
    lock.Unlock();
    current_job = &entry.key;
    entry.job();
    current_job = nullptr;
    entry.job = nullptr;  // What it holds is let go of outside of the lock.
    lock.Lock();
    if (!stopping_) {
      CountLocked(entry.key, false);
      ForgetLocked(entry.key.owner);
      changed_.NotifyAll();  // A limit that others were up against may be gone.
    }
  }
  ended_.push_back(self);
  changed_.NotifyAll();
}

WorkerPool::Wait::Wait(WorkerPool& pool) : pool_(pool) {
  const MutexLock lock(pool_.mutex_);
  Owner& owner = pool_.owners_[current_job->owner];
  has_room_ = !pool_.stopping_ && pool_.waiting_ < pool_.limits_.waiting &&
              owner.waiting < pool_.limits_.owner_waiting;
  if (has_room_) {
    ++pool_.waiting_;
    ++owner.waiting;
    pool_.CountLocked(*current_job, false);
    pool_.AddThreadLocked();
    pool_.changed_.NotifyAll();
  }
}

WorkerPool::Wait::~Wait() {
  if (!has_room_) {
    return;
  }
  const MutexLock lock(pool_.mutex_);
  --pool_.waiting_;
  if (!pool_.stopping_) {
    --pool_.owners_[current_job->owner].waiting;
    pool_.CountLocked(*current_job, true);  // Perhaps one more than `running`, for a while.
  }
  pool_.changed_.NotifyAll();
}

}  // namespace stator::mcp

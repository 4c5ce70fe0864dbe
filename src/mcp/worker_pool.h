// Threads that run tools, and the calls that wait for one.
//
// Owners take turns, however many calls each of them has waiting. The last quarter of the threads
// is for owners that occupy none, so that nobody can take them all. A job that waits for something
// outside gives its place to another meanwhile (Wait), up to a number of such threads.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"

namespace stator::mcp {

struct PoolLimits {
  std::size_t running = 8;         // jobs at once, besides those that wait
  std::size_t queued = 256;        // jobs that are not begun
  std::size_t owner_running = 0;   // of one owner; 0: no limit besides the quarter
  std::size_t waiting = 256;       // threads that wait
  std::size_t owner_waiting = 64;  // of one owner
};

// Whose job it is.
struct JobKey {
  std::string owner;
  std::string tool;
  std::size_t tool_running_max = 0;  // 0: no limit
};

class WorkerPool {
 public:
  using Job = std::move_only_function<void()>;

  explicit WorkerPool(const PoolLimits& limits);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { Stop(); }

  void Start();

  // Ends when the jobs that run have returned; those that wait are dropped.
  void Stop();

  // How many jobs there are now.
  struct Load {
    std::size_t running = 0;
    std::size_t queued = 0;
    std::size_t waiting = 0;
  };
  [[nodiscard]] Load load();

  // Whether a job of the owner would be refused.
  [[nodiscard]] bool IsFullFor(const std::string& owner);

  // False when too many wait or the pool is stopped. An owner that has none waiting may always add
  // one, and `urgent` jobs wait however many there are.
  bool Enqueue(const JobKey& key, Job job, bool urgent);

  // While one exists, the job of this thread does not count as running. Without room for it the job
  // goes on counting. REQUIRES: made and destroyed in a job.
  class Wait {
   public:
    explicit Wait(WorkerPool& pool);
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;
    ~Wait();

    [[nodiscard]] bool has_room() const { return has_room_; }

   private:
    WorkerPool& pool_;
    bool has_room_ = false;
  };

 private:
  struct Entry {
    JobKey key;
    Job job;
  };
  struct Owner {
    std::deque<Entry> queue;
    std::size_t running = 0;
    std::size_t waiting = 0;
  };

  void Work(std::list<std::thread>::iterator self);
  // The next job whose owner and tool may run one more; false when there is none.
  bool TakeLocked(Entry& entry) STATOR_REQUIRES(mutex_);
  [[nodiscard]] bool MayRunLocked(const Owner& owner, const JobKey& key) const
      STATOR_REQUIRES(mutex_);
  void CountLocked(const JobKey& key, bool begins) STATOR_REQUIRES(mutex_);
  void AddThreadLocked() STATOR_REQUIRES(mutex_);
  void ForgetLocked(const std::string& owner) STATOR_REQUIRES(mutex_);

  const PoolLimits limits_;
  const std::size_t reserved_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::map<std::string, Owner> owners_ STATOR_GUARDED_BY(mutex_);  // those with jobs
  // Owners with queued jobs, the next one first.
  std::deque<std::string> turns_ STATOR_GUARDED_BY(mutex_);
  std::map<std::string, std::size_t> tools_ STATOR_GUARDED_BY(mutex_);  // running jobs of tools
  std::size_t queued_ STATOR_GUARDED_BY(mutex_) = 0;
  std::size_t running_ STATOR_GUARDED_BY(mutex_) = 0;
  std::size_t waiting_ STATOR_GUARDED_BY(mutex_) = 0;
  std::size_t idle_ STATOR_GUARDED_BY(mutex_) = 0;
  bool started_ STATOR_GUARDED_BY(mutex_) = false;
  bool stopping_ STATOR_GUARDED_BY(mutex_) = false;
  std::list<std::thread> threads_ STATOR_GUARDED_BY(mutex_);
  std::vector<std::list<std::thread>::iterator> ended_ STATOR_GUARDED_BY(mutex_);  // to be joined
};

}  // namespace stator::mcp

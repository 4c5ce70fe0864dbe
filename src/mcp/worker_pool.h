// Threads that run tools, and the calls that wait for one.
//
// Owners take turns, however many calls each of them has waiting. The last quarter of the threads
// is for owners that occupy none, so that nobody can take them all. A job that waits for something
// outside gives its place to another meanwhile (Wait), up to a number of such threads.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

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
  bool TakeLocked(Entry& entry);
  [[nodiscard]] bool MayRunLocked(const Owner& owner, const JobKey& key) const;
  void CountLocked(const JobKey& key, bool begins);
  void AddThreadLocked();
  void ForgetLocked(const std::string& owner);

  const PoolLimits limits_;
  const std::size_t reserved_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Protected by mutex_.
  std::map<std::string, Owner> owners_;       // those with jobs
  std::deque<std::string> turns_;             // owners with queued jobs, the next one first
  std::map<std::string, std::size_t> tools_;  // running jobs of tools
  std::size_t queued_ = 0;
  std::size_t running_ = 0;
  std::size_t waiting_ = 0;
  std::size_t idle_ = 0;
  bool started_ = false;
  bool stopping_ = false;
  std::list<std::thread> threads_;
  std::vector<std::list<std::thread>::iterator> ended_;  // to be joined
};

}  // namespace stator::mcp

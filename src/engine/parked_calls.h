// The attendant of calls that are parked: one thread that looks after their deadlines, lets them in
// when the queue has room again, and runs those who got their locks when the thread that let these
// go has run enough of them.
//
// A parked call is kept alive by its registration here. Whoever takes it up (the one who hands it
// its last lock, the committer that settles what it rests on, the thread here) unparks it first.
//
// THREADS: all methods from any thread, except Start and Stop.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/key_table.h"
#include "stator/base/clock.h"
#include "storage/store.h"

namespace stator::engine {

class Call;

class ParkedCalls {
 public:
  ParkedCalls(storage::Store& store, Clock& clock) : store_(store), clock_(clock) {}
  ParkedCalls(const ParkedCalls&) = delete;
  ParkedCalls& operator=(const ParkedCalls&) = delete;
  ~ParkedCalls() { Stop(); }

  void Start();
  // Returns when no call is parked or run here: what they wait for comes, or their deadline.
  void AwaitEmpty();
  void Stop();

  // Registers a call that is about to wait for a lock, or for what it rests on.
  void Park(Call& call);
  // The call itself, which nobody else may keep.
  std::shared_ptr<Call> Unpark(Call& call);
  // Behind those who wait for room already.
  void ParkForRoom(Call& call);
  [[nodiscard]] bool HasRoomWaiters() const { return room_waiters_ > 0; }
  // The queue has room again.
  void AdmitWaiting();

  // Runs a parked call that has its locks.
  void RunGranted(Call& call);

  [[nodiscard]] bool IsEmpty() const { return parked_ == 0; }

 private:
  // A call whose time is over, and what it rested on then.
  struct Overdue {
    std::shared_ptr<Call> call;
    storage::QueuedWritePtr rests_on;
  };

  void Loop();
  // Lets the mutex go while `step` runs.
  template <class Step>
  void RunWithoutMutex(std::unique_lock<std::mutex>& lock, const Step& step);
  // Runs one call that can run; false when there is none.
  bool RunOne(std::unique_lock<std::mutex>& lock);
  void RemindOverdue(std::unique_lock<std::mutex>& lock);
  // REQUIRES for these: mutex_ is held.
  void Link(Call& call);
  std::shared_ptr<Call> Unlink(Call& call);
  std::vector<Overdue> TakeOverdue();

  storage::Store& store_;
  Clock& clock_;

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable emptied_;
  // Protected by mutex_:
  Call* first_ = nullptr;  // all that are parked, in the order in which they were
  Call* last_ = nullptr;
  GrantedRequests granted_;
  std::deque<Call*> for_room_;
  bool asleep_ = false;   // waits for work without looking at the time
  bool running_ = false;  // a call, or one that is overdue
  bool stopping_ = false;

  // Written under mutex_, read without.
  std::atomic<std::size_t> parked_ = 0;
  std::atomic<std::size_t> room_waiters_ = 0;

  std::thread thread_;
};

}  // namespace stator::engine

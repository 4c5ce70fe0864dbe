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
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "engine/key_table.h"
#include "stator/base/clock.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
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

  // Until tables are opened; then it begins anew.
  void ParkForOpening(Call& call);
  // Tables were opened to writers.
  void AdmitOpened();

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
  void RunWithoutMutex(const Step& step) STATOR_REQUIRES(mutex_);
  // What a parked call has waited for, besides locks and what it rests on. Removes it from there.
  enum class WaitedFor : std::uint8_t { kOther, kRoom, kOpening };
  WaitedFor TakeFromQueues(Call& call) STATOR_REQUIRES(mutex_);
  // Runs one call that can run; false when there is none.
  bool RunOne() STATOR_REQUIRES(mutex_);
  void RemindOverdue() STATOR_REQUIRES(mutex_);
  void Link(Call& call) STATOR_REQUIRES(mutex_);
  std::shared_ptr<Call> Unlink(Call& call) STATOR_REQUIRES(mutex_);
  std::vector<Overdue> TakeOverdue() STATOR_REQUIRES(mutex_);

  storage::Store& store_;
  Clock& clock_;

  Mutex mutex_;
  ConditionVariable work_;
  ConditionVariable emptied_;
  // All that are parked, in the order in which they were.
  Call* first_ STATOR_GUARDED_BY(mutex_) = nullptr;
  Call* last_ STATOR_GUARDED_BY(mutex_) = nullptr;
  GrantedRequests granted_ STATOR_GUARDED_BY(mutex_);
  std::deque<Call*> for_room_ STATOR_GUARDED_BY(mutex_);
  std::deque<Call*> for_opening_ STATOR_GUARDED_BY(mutex_);
  std::deque<Call*> opened_ STATOR_GUARDED_BY(mutex_);  // waited for that, and can begin anew
  bool asleep_ STATOR_GUARDED_BY(mutex_) = false;   // waits for work without looking at the time
  bool running_ STATOR_GUARDED_BY(mutex_) = false;  // a call, or one that is overdue
  bool stopping_ STATOR_GUARDED_BY(mutex_) = false;

  // Written under mutex_, read without.
  std::atomic<std::size_t> parked_ = 0;
  std::atomic<std::size_t> room_waiters_ = 0;

  std::thread thread_;
};

}  // namespace stator::engine

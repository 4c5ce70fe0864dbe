// Locks that clang checks. A class names the mutex that protects a datum where it declares the datum,
// and clang, which compiles the debug tree, refuses code that touches it without that mutex:
//
//   class Counter {
//    public:
//     void Add() {
//       const MutexLock lock(mutex_);
//       ++count_;
//     }
//    private:
//     Mutex mutex_;
//     int count_ STATOR_GUARDED_BY(mutex_) = 0;
//   };
//
// Mutex and MutexLock are std::mutex and std::unique_lock under names that carry annotations; they
// cost what those cost. The annotations are nothing for compilers other than clang.

#pragma once

#include <mutex>

#if defined(__clang__)
#define STATOR_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define STATOR_THREAD_ANNOTATION(x)
#endif

// Of a datum: it is read and written by holders of the mutex only. PT_ means what it points to.
#define STATOR_GUARDED_BY(mutex) STATOR_THREAD_ANNOTATION(guarded_by(mutex))
#define STATOR_PT_GUARDED_BY(mutex) STATOR_THREAD_ANNOTATION(pt_guarded_by(mutex))

// Of a function or a lambda: callers hold the mutex, alone or (SHARED) perhaps with other readers; or
// they must not hold it, because the function takes it.
#define STATOR_REQUIRES(...) STATOR_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define STATOR_REQUIRES_SHARED(...) \
  STATOR_THREAD_ANNOTATION(requires_shared_capability(__VA_ARGS__))
#define STATOR_EXCLUDES(...) STATOR_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

// Of a function that gives out a reference to a mutex.
#define STATOR_RETURN_CAPABILITY(mutex) STATOR_THREAD_ANNOTATION(lock_returned(mutex))

// Of a function that clang cannot follow; a comment beside it says why it is right.
#define STATOR_NO_THREAD_SAFETY_ANALYSIS STATOR_THREAD_ANNOTATION(no_thread_safety_analysis)

// For the classes of this folder.
#define STATOR_CAPABILITY(name) STATOR_THREAD_ANNOTATION(capability(name))
#define STATOR_SCOPED_CAPABILITY STATOR_THREAD_ANNOTATION(scoped_lockable)
#define STATOR_ACQUIRE(...) STATOR_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define STATOR_ACQUIRE_SHARED(...) STATOR_THREAD_ANNOTATION(acquire_shared_capability(__VA_ARGS__))
#define STATOR_TRY_ACQUIRE(...) STATOR_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define STATOR_RELEASE(...) STATOR_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define STATOR_RELEASE_GENERIC(...) \
  STATOR_THREAD_ANNOTATION(release_generic_capability(__VA_ARGS__))

namespace stator {

// Held by one thread at a time, and not twice by the same. Whoever can takes a MutexLock; Lock and
// Unlock are for what is not a scope.
class STATOR_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() STATOR_ACQUIRE() { mutex_.lock(); }
  bool TryLock() STATOR_TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void Unlock() STATOR_RELEASE() { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds a mutex for a scope, save between Unlock and Lock. THREADS: of the one that made it.
class STATOR_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) STATOR_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  // Takes over what TryLock got.
  MutexLock(Mutex& mutex, std::adopt_lock_t how) STATOR_REQUIRES(mutex)
      : lock_(mutex.mutex_, how) {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() STATOR_RELEASE() = default;

  // REQUIRES: the mutex is held, and is not, respectively.
  void Unlock() STATOR_RELEASE() { lock_.unlock(); }
  void Lock() STATOR_ACQUIRE() { lock_.lock(); }

 private:
  friend class ConditionVariable;
  friend class StoppableConditionVariable;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace stator

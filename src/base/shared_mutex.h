// A mutex for what is read much and rarely written; see stator/base/mutex.h for what clang checks.

#pragma once

#include <mutex>
#include <shared_mutex>

#include "stator/base/mutex.h"

namespace stator {

// Held by one writer or by many readers: take a WriterLock or a ReaderLock.
class STATOR_CAPABILITY("shared_mutex") SharedMutex {
 public:
  SharedMutex() = default;
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

 private:
  friend class ReaderLock;
  friend class WriterLock;
  std::shared_mutex mutex_;
};

// Holds the mutex for a scope, with other readers.
class STATOR_SCOPED_CAPABILITY ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) STATOR_ACQUIRE_SHARED(mutex) : lock_(mutex.mutex_) {}
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;
  ~ReaderLock() STATOR_RELEASE_GENERIC() = default;

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

// Holds the mutex for a scope, alone.
class STATOR_SCOPED_CAPABILITY WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) STATOR_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;
  ~WriterLock() STATOR_RELEASE() = default;

 private:
  std::lock_guard<std::shared_mutex> lock_;
};

}  // namespace stator

// How much one call may do on the thread that runs it.
//
// A thread that serves many gives each call a share of its time and never lets it wait. A call that
// needs more says so, by failing before it has changed anything, and is begun again elsewhere. Work
// is counted, not timed, so the same call always moves at the same point: one unit is a byte
// decoded, compared or searched, about a nanosecond; a row costs 256 on top, an operator of an
// expression 64.
//
//   base::WorkScope scope({.share = base::kServingShare, .may_wait = false});
//   handler.Handle(request, done);
//   if (scope.wanted_threads()) { ... the answer is void: begin again there, without bounds ... }
//
// Threads without a scope (a program that embeds the engine) have no bounds.
//
// THREADS: a scope bounds the thread that made it.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/executor.h"
#include "stator/base/result.h"

namespace stator::base {

inline constexpr std::uint64_t kServingShare = 256 * 1024;
inline constexpr std::uint64_t kRowUnits = 256;
inline constexpr std::uint64_t kOperatorUnits = 64;

struct WorkBounds {
  std::uint64_t share = std::numeric_limits<std::uint64_t>::max();
  bool may_wait = true;
  // Set when nobody wants the answer any more; null for never.
  const std::atomic<bool>* gone = nullptr;
};

class WorkScope {
 public:
  explicit WorkScope(const WorkBounds& bounds);
  WorkScope(const WorkScope&) = delete;
  WorkScope& operator=(const WorkScope&) = delete;
  ~WorkScope();

  // Where the call that ran in this scope wants to be begun again, if it does.
  [[nodiscard]] std::optional<Threads> wanted_threads() const { return wanted_threads_; }

 private:
  friend Result<void> SpendWork(std::uint64_t units);
  friend Result<void> AskToWait();
  friend bool HasWorkShare();

  const WorkBounds bounds_;
  std::uint64_t left_;
  std::optional<Threads> wanted_threads_;
  WorkScope* const outer_;
};

// To be called before the work is done, and while nothing has been changed. Fails, and then the
// caller has to give up, when the thread's share does not have so many units left, or when nobody
// wants the answer any more.
[[nodiscard]] Result<void> SpendWork(std::uint64_t units);

// The same before a call that waits for a lock or a disk.
[[nodiscard]] Result<void> AskToWait();

// Whether this thread's share is bounded at all.
[[nodiscard]] bool HasWorkShare();

}  // namespace stator::base

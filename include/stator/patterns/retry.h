// Trying again: the one loop, and the one read-modify-write.
//
//   return RetryTransient(options, environment, [&] { return database.GetItem(input); });
//
// or, where more than an error decides,
//
//   for (Retry retry(options, environment);;) {
//     ...
//     if (done || !retry.Wait()) { return ...; }
//   }
//
// TIME: what is tried again is bounded by a span of time, not by a count: however many writers meet
// at one item, each has the same chance, and nobody waits for longer than he said. The waits grow
// and are spread over their whole span by chance (base/backoff.h).

#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"

namespace stator::patterns {

struct RetryOptions {
  // From the first failure on; no attempt begins later. Zero: there is one attempt.
  Duration budget = std::chrono::seconds(2);
  // Before the n-th repetition, counted from 0: anything up to min(wait_max, wait_first * 2^n).
  std::chrono::milliseconds wait_first{5};
  std::chrono::milliseconds wait_max{200};

  friend bool operator==(const RetryOptions&, const RetryOptions&) = default;
};

class Retry {
 public:
  // The options are copied; what the environment points to must outlive this object.
  explicit Retry(const RetryOptions& options, const Environment& environment = {},
                 std::stop_token stop = {})
      : options_(options), environment_(environment), stop_(std::move(stop)) {}

  // After a failure: waits and says whether to try again. False when the time is over or the caller
  // was asked to stop. Waits are at least a millisecond, so their number is bounded, too.
  [[nodiscard]] bool Wait();

  // Begins anew: there was progress.
  void Reset();

  // Counts the one that is under way.
  [[nodiscard]] int attempts() const { return repetitions_ + 1; }

 private:
  RetryOptions options_;
  Environment environment_;
  std::stop_token stop_;
  std::optional<Duration> deadline_;  // on Clock::Elapsed; absent until something failed
  Duration waited_ = Duration::zero();
  int repetitions_ = 0;  // since the last progress
};

// Calls until it succeeds, fails with what `again` does not accept, or the time is over.
template <class Call, class Again>
auto RetryWhile(const RetryOptions& options, const Environment& environment, Call&& call,
                Again&& again) -> decltype(call()) {
  for (Retry retry(options, environment);;) {
    auto answer = call();
    if (answer || !again(answer.error()) || !retry.Wait()) {
      return answer;
    }
  }
}

// The same for calls that are harmless to repeat, while the database says that they may work later.
template <class Call>
auto RetryTransient(const RetryOptions& options, const Environment& environment, Call&& call)
    -> decltype(call()) {
  return RetryWhile(options, environment, std::forward<Call>(call),
                    [](const Error& error) { return IsTransient(error.code); });
}

// Whether a write that failed so was made for something that is not there any more: somebody else
// changed, made or removed it since it was read.
bool IsOvertaken(ErrorCode code);

// The one read-modify-write.
//
//   read(overtaken)   Result<State>: what there is, or the failure that ends it. `overtaken` is
//                     null in the first round, then the error of the write that came too late,
//                     which may bring what others left and so save a read.
//   change(state)     Result<std::optional<Answer>>: changes it in place. An answer, or a failure,
//                     ends it: there is nothing to write, or it must not be written.
//   write(state)      Result<Answer>: on condition that nothing happened since the read. Everything
//                     begins again while IsOvertaken and there is time.
//
// So of any number of writers that meet within their time, all succeed, each on what the one before
// left.
template <class Read, class Change, class Write>
auto ReadModifyWrite(const RetryOptions& options, const Environment& environment, Read&& read,
                     Change&& change, Write&& write)
    -> std::invoke_result_t<Write&,
                            typename std::invoke_result_t<Read&, const Error*>::value_type&> {
  std::optional<Error> overtaken;
  for (Retry retry(options, environment);;) {
    auto state = read(overtaken ? &*overtaken : static_cast<const Error*>(nullptr));
    if (!state) {
      return std::unexpected(std::move(state).error());
    }
    auto settled = change(*state);
    if (!settled) {
      return std::unexpected(std::move(settled).error());
    }
    if (*settled) {
      return **std::move(settled);
    }
    auto written = write(*state);
    if (written || !IsOvertaken(written.error().code) || !retry.Wait()) {
      return written;
    }
    overtaken = std::move(written).error();
  }
}

}  // namespace stator::patterns

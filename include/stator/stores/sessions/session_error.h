// What the errors of the session store carry beside their code.
//
//   kNotFound           there is no such session or record, or it has expired
//   kNotOwner           the session belongs to somebody else
//   kStale              what it belongs to was invalidated, or is another session by now
//   kAlreadyExists      current
//   kConflict           others were always faster; current
//   kIllegalTransition  state: the actual one; current
//   kLeaseHeld          another worker works on it; lease
//   kLeaseLost          this worker does not, or not any more; lease
//   kValidation         the request is wrong and will stay wrong
//   kRefused            the caller's change function said no; current
//   kTooLarge           bytes, path: the largest part
//   kCorruption         a stored record that its struct does not fit; path
//   kIncomplete         invalidated, but some records or blobs are still there; remaining
//   kAmbiguous          it may have happened, or not
//
// and those of the home of the sessions: throttled (IsThrottled), not set up (IsConfiguration),
// away. Their `cause` is what it said, for the log and not for clients. HttpStatus(error.code) is
// what a handler answers.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/sessions/record.h"

namespace stator::sessions {

struct SessionFacts {
  std::string state = {};
  std::optional<Record> current = std::nullopt;
  std::optional<Lease> lease = std::nullopt;
  std::string path = {};
  std::size_t bytes = 0;
  std::vector<std::string> remaining = {};  // sort keys of records, keys of blobs
  std::optional<Error> cause = std::nullopt;
};

struct SessionDetail final : ErrorDetail, SessionFacts {
  explicit SessionDetail(SessionFacts facts) : SessionFacts(std::move(facts)) {}
};

// Of any error; without a SessionDetail they are empty.
const SessionFacts& FactsOf(const Error& error);

}  // namespace stator::sessions

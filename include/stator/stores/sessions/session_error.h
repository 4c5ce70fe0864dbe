// How the session store reports failure: a kind for branching, the parts that belong to it, a text
// for people.

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/sessions/record.h"

namespace stator::sessions {

enum class SessionErrorKind : std::uint8_t {
  kNotFound,           // there is no such session or record, or it has expired
  kNotOwner,           // the session belongs to somebody else
  kStale,              // what it belongs to was invalidated, or is another session by now
  kAlreadyExists,      // current
  kConflict,           // others were always faster; current
  kIllegalTransition,  // state: the actual one
  kLeaseHeld,          // another worker works on it; lease
  kLeaseLost,          // this worker does not, or not any more
  kInvalid,            // the request is wrong and will stay wrong
  kTooLarge,           // bytes, path: the largest part
  kCorrupt,            // a stored record that its struct does not fit; path
  kIncomplete,         // invalidated, but some records or blobs are still there; remaining
  kThrottled,
  kAmbiguous,    // it may have happened, or not; cause
  kUnavailable,  // the home of the data fails; cause
};

std::string_view NameOf(SessionErrorKind kind);

// What an HTTP handler answers: 404, 403, 409, 409, 409, 409, 409, 409, 400, 413, 500, 503, 429,
// 503, 503.
int HttpStatus(SessionErrorKind kind);

struct SessionError {
  SessionErrorKind kind;
  std::string message;
  std::string state = {};
  std::optional<Record> current = std::nullopt;
  std::optional<Lease> lease = std::nullopt;
  std::string path = {};
  std::size_t bytes = 0;
  std::vector<std::string> remaining = {};    // sort keys of records, keys of blobs
  std::optional<Error> cause = std::nullopt;  // for the log, not for clients
};

template <class T>
using SessionResult = std::expected<T, SessionError>;

}  // namespace stator::sessions

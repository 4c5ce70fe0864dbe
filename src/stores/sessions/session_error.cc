#include "stator/stores/sessions/session_error.h"

#include "base/check.h"
#include "stator/mapping/mapping_error.h"
#include "stator/stores/sessions/session.h"
#include "stator/stores/sessions/summary.h"

namespace stator::sessions {

std::string_view NameOf(SessionErrorKind kind) {
  switch (kind) {
    case SessionErrorKind::kNotFound:
      return "NotFound";
    case SessionErrorKind::kNotOwner:
      return "NotOwner";
    case SessionErrorKind::kStale:
      return "Stale";
    case SessionErrorKind::kAlreadyExists:
      return "AlreadyExists";
    case SessionErrorKind::kConflict:
      return "Conflict";
    case SessionErrorKind::kIllegalTransition:
      return "IllegalTransition";
    case SessionErrorKind::kLeaseHeld:
      return "LeaseHeld";
    case SessionErrorKind::kLeaseLost:
      return "LeaseLost";
    case SessionErrorKind::kInvalid:
      return "Invalid";
    case SessionErrorKind::kTooLarge:
      return "TooLarge";
    case SessionErrorKind::kCorrupt:
      return "Corrupt";
    case SessionErrorKind::kIncomplete:
      return "Incomplete";
    case SessionErrorKind::kThrottled:
      return "Throttled";
    case SessionErrorKind::kAmbiguous:
      return "Ambiguous";
    case SessionErrorKind::kUnavailable:
      return "Unavailable";
  }
  base::FailCheck("SessionErrorKind is one of its enumerators", "");
}

int HttpStatus(SessionErrorKind kind) {
  switch (kind) {
    case SessionErrorKind::kNotFound:
      return 404;
    case SessionErrorKind::kNotOwner:
      return 403;
    case SessionErrorKind::kStale:
    case SessionErrorKind::kAlreadyExists:
    case SessionErrorKind::kConflict:
    case SessionErrorKind::kIllegalTransition:
    case SessionErrorKind::kLeaseHeld:
    case SessionErrorKind::kLeaseLost:
      return 409;
    case SessionErrorKind::kInvalid:
      return 400;
    case SessionErrorKind::kTooLarge:
      return 413;
    case SessionErrorKind::kCorrupt:
      return 500;
    case SessionErrorKind::kThrottled:
      return 429;
    case SessionErrorKind::kIncomplete:
    case SessionErrorKind::kAmbiguous:
    case SessionErrorKind::kUnavailable:
      return 503;
  }
  base::FailCheck("SessionErrorKind is one of its enumerators", "");
}

SessionError UndecodableRecord(const Record& record, const Error& error) {
  const auto* detail = dynamic_cast<const MappingErrorDetail*>(error.detail.get());
  return {.kind = SessionErrorKind::kCorrupt,
          .message = "record " + record.id + " of kind " + record.kind + ": " + error.message,
          .path = detail == nullptr ? std::string() : detail->path,
          .cause = error};
}

SessionError Session::NotStorable(Error error) {
  return {.kind = SessionErrorKind::kInvalid, .message = error.message, .cause = std::move(error)};
}

}  // namespace stator::sessions

#include "stator/stores/sessions/session_error.h"

#include "stator/mapping/mapping_error.h"
#include "stator/stores/sessions/session.h"
#include "stator/stores/sessions/summary.h"
#include "stores/sessions/failures.h"

namespace stator::sessions {

const SessionFacts& FactsOf(const Error& error) {
  static const SessionFacts none;
  const auto* const detail = FindDetail<SessionDetail>(error);
  return detail == nullptr ? none : *detail;
}

Error UndecodableRecord(const Record& record, const Error& error) {
  const auto* const detail = FindDetail<MappingErrorDetail>(error);
  return MakeError(ErrorCode::kCorruption,
                   "record " + record.id + " of kind " + record.kind + ": " + error.message,
                   {.path = detail == nullptr ? std::string() : detail->path, .cause = error});
}

Error Session::NotStorable(Error error) {
  std::string message = error.message;
  return MakeError(ErrorCode::kValidation, std::move(message), {.cause = std::move(error)});
}

}  // namespace stator::sessions

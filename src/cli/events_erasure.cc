// Erasing what events say about somebody, and what one event says.

#include <cstdio>
#include <string>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/events_actions.h"
#include "cli/print_line.h"
#include "stator/stores/events/erasure.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

void Print(const events::Erasure& erasure, bool as_json) {
  if (as_json) {
    PrintLine(value::ToPlainJson(Item{{"subject", erasure.subject},
                                      {"erasedAt", erasure.erased_at},
                                      {"by", erasure.by},
                                      {"reason", erasure.reason}}));
    return;
  }
  PrintLine(erasure.erased_at + "  " + erasure.subject +
            (erasure.by.empty() ? "" : "  by " + erasure.by) +
            (erasure.reason.empty() ? "" : ": " + erasure.reason));
}

void Print(const events::Redaction& redaction, bool as_json) {
  if (as_json) {
    PrintLine(value::ToPlainJson(Item{{"event", redaction.event_id},
                                      {"position", redaction.position},
                                      {"redactedAt", redaction.redacted_at},
                                      {"by", redaction.by},
                                      {"reason", redaction.reason}}));
    return;
  }
  PrintLine(redaction.redacted_at + "  " + std::to_string(redaction.position) + "  " +
            redaction.event_id + (redaction.by.empty() ? "" : "  by " + redaction.by) +
            (redaction.reason.empty() ? "" : ": " + redaction.reason));
}

}  // namespace

Result<int> EraseSubject(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  Print(TRY(events::EraseSubject(
            *opened.store, arguments.name,
            {.by = arguments.by, .reason = arguments.reason, .unknown = arguments.unknown})),
        arguments.json);
  return kSuccess;
}

Result<int> ListErasures(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  for (const events::Erasure& erasure : TRY(events::ListErasures(*opened.store))) {
    Print(erasure, arguments.json);
  }
  return kSuccess;
}

Result<int> RedactEvent(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  Print(TRY(events::RedactEvent(*opened.store, arguments.name,
                                {.by = arguments.by, .reason = arguments.reason})),
        arguments.json);
  return kSuccess;
}

Result<int> ListRedactions(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  for (const events::Redaction& redaction : TRY(events::ListRedactions(*opened.store))) {
    Print(redaction, arguments.json);
  }
  return kSuccess;
}

}  // namespace stator::cli

// Erasing what events say about somebody.

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

}  // namespace stator::cli

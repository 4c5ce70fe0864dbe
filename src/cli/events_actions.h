// What `stator events` does, command by command. Each returns the exit code of the program.

#pragma once

#include <memory>
#include <optional>

#include "cli/events_command.h"
#include "stator/api/database.h"
#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"
#include "stator/stores/events/event_store.h"

namespace stator::cli {

// The store and what it stands on, for one command.
struct OpenedEvents {
  std::unique_ptr<Database> database;
  std::unique_ptr<BlobStore> blobs;  // null when none are named
  std::optional<events::EventStore> store;
};
Result<OpenedEvents> OpenEvents(const EventsArguments& arguments);

// One line, of JSON or for people.
void PrintEvent(const events::Event& event, bool as_json);

Result<int> ListEvents(const EventsArguments& arguments);
Result<int> ShowEvent(const EventsArguments& arguments);
// Until the program is stopped.
Result<int> TailEvents(const EventsArguments& arguments);
Result<int> ListTags(const EventsArguments& arguments);
Result<int> ListServices(const EventsArguments& arguments);

Result<int> ShowProjections(const EventsArguments& arguments);
Result<int> ListProjectors(const EventsArguments& arguments);

Result<int> EraseSubject(const EventsArguments& arguments);
Result<int> ListErasures(const EventsArguments& arguments);
Result<int> RedactEvent(const EventsArguments& arguments);
Result<int> ListRedactions(const EventsArguments& arguments);

Result<int> AppendEvent(const EventsArguments& arguments);
Result<int> VerifyStore(const EventsArguments& arguments);
Result<int> ExportStore(const EventsArguments& arguments);
Result<int> ImportStore(const EventsArguments& arguments);
Result<int> LookAfterView(const EventsArguments& arguments);
Result<int> SweepPayloads(const EventsArguments& arguments);

// Until it is told to stop.
Result<int> ServeEvents(const EventsArguments& arguments);

Result<int> LookAfterSubscriptions(const EventsArguments& arguments);

}  // namespace stator::cli

#include "stator/stores/events/listings.h"

#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stores/events/event_store_core.h"
#include "stores/events/item_fields.h"
#include "stores/events/note_projector.h"
#include "stores/events/page_cursor.h"

namespace stator::events {
namespace {

// The sort keys of a partition.
Result<std::vector<std::string>> ListEntries(EventStoreCore& core, const std::string& table,
                                             std::string partition) {
  PageCursor cursor(core, {.table_name = table,
                           .partition_attribute = "pk",
                           .partition = std::move(partition),
                           .sort_attribute = "sk",
                           .consistent = true});
  std::vector<std::string> names;
  for (const Item* item = TRY(cursor.Peek()); item != nullptr; item = TRY(cursor.Peek())) {
    names.push_back(TextOr(*item, "sk"));
    cursor.Pop();
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> ListServices(EventStore& store) {
  EventStoreCore& core = EventStoreCoreOf(store);
  return ListEntries(core, core.options.events_table_name, TextOr(core.keys.ServiceEntry(), "pk"));
}

Result<std::vector<std::string>> ListProjectors(EventStore& store) {
  EventStoreCore& core = EventStoreCoreOf(store);
  return ListEntries(core, core.options.projection_states_table_name,
                     core.keys.ProjectorsPartition());
}

void NoteProjector(const EventStore& store, const std::string& name) {
  EventStoreCore& core = EventStoreCoreOf(store);
  const std::string entry = "projector " + name;
  if (core.known_entries.Contains(entry)) {
    return;
  }
  const auto noted = core.database->UpdateItem(patterns::MakeUpdate(
      core.options.projection_states_table_name, core.keys.ProjectorEntry(name), {}));
  if (noted) {
    core.known_entries.Add(entry);
  }
}

}  // namespace stator::events

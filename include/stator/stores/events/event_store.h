// EventStore: appends events and reads them, on any Database, with conditions that hold across
// processes (the Dynamic Consistency Boundary specification, dcb.events).
//
//   auto store = EventStore::Open(database, {.service_id = "school"});
//   const EventQuery course{{.tags = {"course:c1"}}};
//   const std::vector<Event> seen = *store->ReadList({.query = course});
//   const auto appended = store->Append(
//       {{.type = "Subscribed", .payload = "{}", .tags = {"course:c1", "student:s7"}}},
//       {.condition = AppendCondition{course, LastOf(seen)}, .append_id = request_id});
//   if (!appended) { if (FindConflict(appended.error()) != nullptr) { ... } }
//
// HOW: the truth is a log of slots. A slot is put on condition that it is not there yet, holds a
// group of appends, and names the slot that it was decided on; one that names another than the last
// valid one does not count. So whoever appends has seen everything below, and one put decides. An
// index, written behind, says where the events of a tag and a type are; what it does not have yet
// is in memory. A process should use one store of a service: two race with each other.
//
// LIMITS: an append has up to 10,000 events and 16 MB, an event 400 KB with its tags, of which there
// are at most 1000. Nothing of an append is visible before all of it is.
//
// COST: an append is one write, shared by those that arrive together, and a share of the index. A
// condition whose `after` is recent costs no read. Reading by tags or types costs as much as they
// have events in the range.
// THREADS: every method may be called from many threads.
// ERRORS: kConditionFailed for a condition that does not hold (FindConflict), kValidation before
// anything is sent, kAmbiguous when an append may have happened and reading back did not tell;
// repeating it with its append id settles it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/provision/table_spec.h"
#include "stator/stores/events/append.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"
#include "stator/stores/events/event_stream.h"
#include "stator/stores/events/options.h"

namespace stator::events {

struct EventStoreCore;

struct TagInfo {
  std::string tag;
  std::string group;
  std::uint64_t events = 0;
  SortableId first;
  SortableId last;
  std::string last_event_id;

  friend bool operator==(const TagInfo&, const TagInfo&) = default;
};

// That an event has a tag.
struct TagRow {
  std::string tag;
  std::string event_id;
  SortableId sortable_id;
  std::string event_type;

  friend bool operator==(const TagRow&, const TagRow&) = default;
};

// What is recorded once for a service.
struct Recorded {
  std::vector<int> shard_counts = {};  // every one that was ever used
  int shard_count = 1;                 // of new rows of the view
  bool seed_rows = true;               // whether there is a view

  friend bool operator==(const Recorded&, const Recorded&) = default;
};

class EventStore {
 public:
  // Makes or checks the tables and reads what is recorded for the service, or records it. The
  // database must outlive the store.
  static Result<EventStore> Open(Database& database, EventStoreOptions options,
                                 patterns::Environment environment = {});
  // What the store needs in its database: events, tags and projection states, in this order; paid
  // per request, protected and recoverable, as data should be that cannot be made again.
  static std::vector<provision::TableSpec> Tables(const EventStoreOptions& options);

  // Nothing that works on the store may be there when it is moved.
  EventStore(EventStore&&) noexcept;
  EventStore& operator=(EventStore&&) noexcept;
  // Waits until what was started is answered; what is started meanwhile, which only a completion can
  // do, fails with kUnavailable. Not from a completion.
  ~EventStore();

  // All of them or none. No events: success, with nothing done.
  Result<Appended> Append(std::vector<NewEvent> events, const AppendOptions& options = {});
  // The same without a thread that waits: one thread can have any number of appends under way. `done`
  // is called exactly once, by a thread of the store, never within this call. It may append, but must
  // not wait for another completion; while it works, others are called later. The call itself reads
  // when the index has to be asked about the append id or a condition that is not recent, and writes
  // what does not fit a slot.
  void StartAppend(std::vector<NewEvent> events, AppendOptions options, Completion<Appended> done);

  // One event under a key that can be taken once.
  Result<Claimed> ClaimKey(const Claim& claim);

  // Ascending by sortable id, or descending: everything that was committed when it began.
  Result<EventStream> Read(const ReadOptions& options = {});
  Result<std::vector<Event>> ReadList(const ReadOptions& options = {});

  // Fails with kResourceNotFound.
  Result<Event> ReadEvent(std::string_view id);

  // Without `since` a matter of one read, or of one per type; with it, of the events behind it.
  Result<std::uint64_t> CountEvents(const std::optional<Cursor>& since = std::nullopt);
  // The greatest id; nothing in an empty store.
  Result<std::optional<SortableId>> FindLastId();
  // Of the event at a position; nothing when there is none. REQUIRES: the store has a log.
  Result<std::optional<SortableId>> FindIdAt(std::uint64_t position);

  Result<bool> TagExists(std::string_view tag);
  Result<std::optional<TagInfo>> FindTag(std::string_view tag);
  // Sorted by group and tag. Costs as much as there are tags, however many events have them.
  Result<std::vector<TagInfo>> ListTags(const std::optional<std::string>& group = std::nullopt);
  Result<std::vector<TagRow>> ListTagRows(std::string_view tag,
                                          const std::optional<Cursor>& since = std::nullopt);
  Result<std::vector<std::string>> ListTypes();

  [[nodiscard]] const EventStoreOptions& options() const;
  [[nodiscard]] const Recorded& recorded() const;
  [[nodiscard]] Database& database() const;
  [[nodiscard]] const patterns::Environment& environment() const;

 private:
  friend EventStoreCore& EventStoreCoreOf(const EventStore& store);
  explicit EventStore(std::unique_ptr<EventStoreCore> core);

  std::unique_ptr<EventStoreCore> core_;
};

}  // namespace stator::events

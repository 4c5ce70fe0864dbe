#include "stator/stores/events/event_store.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/tables.h"
#include "stator/stores/events/tag.h"
#include "stores/events/append_events.h"
#include "stores/events/event_item.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/foreign_tables.h"
#include "stores/events/indexer.h"
#include "stores/events/item_fields.h"
#include "stores/events/locate_event.h"
#include "stores/events/log_places.h"
#include "stores/events/log_reader.h"
#include "stores/events/log_source.h"
#include "stores/events/page_cursor.h"
#include "stores/events/payload_blobs.h"
#include "stores/events/prepared_append.h"
#include "stores/events/read_retry.h"
#include "stores/events/settings.h"
#include "stores/events/started_append.h"
#include "stores/events/tag_reader.h"

namespace stator::events {
namespace {

// Whether every item of the query can be answered from the rows of a tag.
bool IsTagged(const EventQuery& query) {
  return !query.items.empty() &&
         std::all_of(query.items.begin(), query.items.end(),
                     [](const QueryItem& item) { return !item.tags.empty(); });
}

// The sort keys of a registry's partition.
Result<std::vector<std::string>> ListEntries(EventStoreCore& core, const std::string& partition) {
  PageCursor cursor(core, {.table_name = core.options.tags_table_name,
                           .partition_attribute = "pk",
                           .partition = partition,
                           .sort_attribute = "sk",
                           .consistent = core.options.use_consistent_reads});
  std::vector<std::string> entries;
  for (const Item* item = TRY(cursor.Peek()); item != nullptr; item = TRY(cursor.Peek())) {
    entries.push_back(TRY(TextField(*item, "sk")));
    cursor.Pop();
  }
  return entries;
}

// What the index and the tail together know of a tag.
Result<std::optional<TagInfo>> FindTagInfo(EventStoreCore& core, const std::string& tag,
                                           bool consistent) {
  Mark mark;
  Tail::Summary behind;
  core.log.LookAtTail([&](const Tail& tail) {
    mark = tail.mark();
    behind = tail.SummaryOf(tag);
  });
  std::optional<Totals> totals = core.log.known_tags().FindTotals(mark, tag);
  if (!totals) {
    totals =
        TRY(ReadTotals(core, {BlockKind::kTag, tag}, mark.chunk, consistent)).value_or(Totals());
    if (consistent) {
      core.log.known_tags().Remember(mark, tag, *totals);
    }
  }
  if (totals->events == 0 && behind.events == 0) {
    return std::nullopt;
  }
  const bool has_news = behind.events > 0;
  return TagInfo{.tag = tag,
                 .group = std::string(GroupOf(tag)),
                 .events = totals->events + behind.events,
                 .first = totals->events > 0 ? totals->first : behind.first,
                 .last = has_news ? behind.last : totals->last,
                 .last_event_id = has_news ? behind.last_event_id : totals->last_event_id};
}

}  // namespace

EventStore::EventStore(std::unique_ptr<EventStoreCore> core) : core_(std::move(core)) {}
EventStore::EventStore(EventStore&&) noexcept = default;
EventStore& EventStore::operator=(EventStore&&) noexcept = default;
EventStore::~EventStore() = default;

EventStoreCore& EventStoreCoreOf(const EventStore& store) {
  return *store.core_;
}

Result<EventStore> EventStore::Open(Database& database, EventStoreOptions options,
                                    patterns::Environment environment) {
  TRY_VOID(CheckOptions(options));
  options.service_id = TRY(NormalizeServiceId(options.service_id));
  TRY_VOID(options.auto_create_tables && !options.read_only
               ? CreateTables(database, options, environment)
               : CheckTables(database, options, environment));
  auto core = std::make_unique<EventStoreCore>(database, std::move(options), environment);
  TRY_VOID(LoadSettings(*core));
  if (!core->is_foreign) {
    TRY_VOID(core->log.Open());
  }
  return EventStore(std::move(core));
}

Result<Appended> EventStore::Append(std::vector<NewEvent> events, const AppendOptions& options) {
  if (core_->options.read_only) {
    return Invalid("the event store was opened for reading only");
  }
  if (events.empty()) {
    return Appended{};
  }
  return MakeAnswer(TRY(AppendEvents(*core_, std::move(events), options)));
}

void EventStore::StartAppend(std::vector<NewEvent> events, AppendOptions options,
                             Completion<Appended> done) {
  StartAppendEvents(*core_, std::move(events), std::move(options), std::move(done));
}

Result<EventStream> EventStore::Read(const ReadOptions& options) {
  TRY_VOID(CheckQuery(options.query));
  const std::optional<std::uint64_t> limit = options.limit;
  std::unique_ptr<EventStream::Source> source;
  if (!core_->is_foreign) {
    source = TRY(OpenSource(*core_, options, core_->options.use_consistent_reads));
  } else if (IsTagged(options.query)) {
    source = TRY(TagReader::Open(*core_, options));
  } else {
    source = TRY(LogReader::Open(*core_, options));
  }
  return EventStream(std::move(source), limit);
}

Result<std::vector<Event>> EventStore::ReadList(const ReadOptions& options) {
  EventStream stream = TRY(Read(options));
  std::vector<Event> events;
  constexpr std::uint64_t kRoomMax = 1000;
  events.reserve(std::min(options.limit.value_or(0), kRoomMax));
  TRY_VOID(stream.Take(std::numeric_limits<std::uint64_t>::max(), events));
  return events;
}

Result<Event> EventStore::ReadEvent(std::string_view id) {
  const auto missing = [&] {
    return Fail(ErrorCode::kResourceNotFound, "Event with ID " + std::string(id) + " not found");
  };
  if (id.empty() || id.size() > 256) {
    return missing();
  }
  const bool consistent = core_->options.use_consistent_reads;
  if (core_->is_foreign) {
    const GetItemOutput output = TRY(RetryRead(*core_, [&] {
      return core_->database->GetItem({.table_name = core_->options.events_table_name,
                                       .key = core_->keys.Event(id),
                                       .consistent_read = consistent});
    }));
    return output.item ? DecodeEvent(*output.item) : missing();
  }
  TRY_VOID(core_->log.Refresh(consistent));
  const LocatedEvent located = TRY(LocateEvent(*core_, id, consistent));
  if (located.slot == nullptr) {
    return missing();
  }
  Event event = located.event();
  TRY_VOID(LoadPayload(*core_, event));
  return event;
}

Result<std::uint64_t> EventStore::CountEvents(const std::optional<Cursor>& since) {
  if (core_->is_foreign) {
    return CountForeignEvents(*core_, since);
  }
  const bool consistent = core_->options.use_consistent_reads;
  TRY_VOID(core_->log.Refresh(consistent));
  const std::uint64_t all =
      core_->log.LookAtTail([](const Tail& tail) { return tail.settled().position; });
  if (!since) {
    return all;
  }
  const std::uint64_t before = since->position != 0
                                   ? since->position
                                   : TRY(CountUpTo(*core_, since->sortable_id, consistent));
  return all > before ? all - before : 0;
}

Result<std::optional<SortableId>> EventStore::FindLastId() {
  if (core_->is_foreign) {
    EventStream last = TRY(Read({.limit = 1, .backwards = true}));
    const std::optional<Event> event = TRY(last.Next());
    return event ? std::optional<SortableId>(event->sortable_id) : std::nullopt;
  }
  TRY_VOID(core_->log.Refresh(core_->options.use_consistent_reads));
  const ChainPlace end = core_->log.LookAtTail([](const Tail& tail) { return tail.settled(); });
  return end.position == 0 ? std::nullopt : std::optional<SortableId>(end.hi);
}

Result<std::optional<SortableId>> EventStore::FindIdAt(std::uint64_t position) {
  if (core_->is_foreign) {
    return Invalid("events of another system have no positions");
  }
  const bool consistent = core_->options.use_consistent_reads;
  const auto end = [this] {
    return core_->log.LookAtTail([](const Tail& tail) { return tail.settled().position; });
  };
  if (position > end()) {
    TRY_VOID(core_->log.Refresh(consistent));
  }
  if (position == 0 || position > end()) {
    return std::nullopt;
  }
  const SlotPointer slot = TRY(ReadSlotAt(*core_, position, consistent));
  if (slot == nullptr) {
    return std::nullopt;
  }
  return slot->events[position - slot->first_position].sortable_id;
}

Result<bool> EventStore::TagExists(std::string_view tag) {
  return TRY(FindTag(tag)).has_value();
}

Result<std::optional<TagInfo>> EventStore::FindTag(std::string_view tag) {
  if (core_->is_foreign) {
    return FindForeignTag(*core_, std::string(tag));
  }
  TRY_VOID(core_->log.Refresh(core_->options.use_consistent_reads));
  return FindTagInfo(*core_, std::string(tag), core_->options.use_consistent_reads);
}

Result<std::vector<TagInfo>> EventStore::ListTags(const std::optional<std::string>& group) {
  if (core_->is_foreign) {
    return ListForeignTags(*core_, group);
  }
  TRY_VOID(core_->log.Refresh(core_->options.use_consistent_reads));
  std::set<std::pair<std::string, std::string>> names;  // by group and tag
  const std::vector<std::string> groups =
      group ? std::vector<std::string>{*group}
            : TRY(ListEntries(*core_, core_->keys.GroupsPartition()));
  for (const std::string& name : groups) {
    for (std::string& tag : TRY(ListEntries(*core_, core_->keys.TagsPartition(name)))) {
      names.emplace(name, std::move(tag));
    }
  }
  for (std::string& tag : core_->log.LookAtTail([](const Tail& tail) { return tail.Tags(); })) {
    std::string name(GroupOf(tag));
    if (!group || name == *group) {
      names.emplace(std::move(name), std::move(tag));
    }
  }
  std::vector<TagInfo> tags;
  for (const auto& [name, tag] : names) {
    if (std::optional<TagInfo> info =
            TRY(FindTagInfo(*core_, tag, core_->options.use_consistent_reads))) {
      tags.push_back(*std::move(info));
    }
  }
  return tags;
}

Result<std::vector<TagRow>> EventStore::ListTagRows(std::string_view tag,
                                                    const std::optional<Cursor>& since) {
  std::vector<TagRow> rows;
  if (core_->is_foreign) {
    TagRows source(*core_, MakeTagRead(*core_, std::string(tag), since, std::nullopt), QueryItem{});
    for (const DecodedTagRow* row = TRY(source.Peek()); row != nullptr; row = TRY(source.Peek())) {
      rows.push_back(row->row);
      source.Pop();
    }
    return rows;
  }
  EventStream stream = TRY(Read({.query = EventQuery::Tagged(std::string(tag)), .since = since}));
  while (std::optional<Event> event = TRY(stream.Next())) {
    rows.push_back({.tag = std::string(tag),
                    .event_id = std::move(event->id),
                    .sortable_id = event->sortable_id,
                    .event_type = std::move(event->type)});
  }
  return rows;
}

Result<std::vector<std::string>> EventStore::ListTypes() {
  if (core_->is_foreign) {
    return ListForeignTypes(*core_);
  }
  TRY_VOID(core_->log.Refresh(core_->options.use_consistent_reads));
  std::set<std::string> types;
  for (std::string& type : TRY(ListEntries(*core_, core_->keys.TypesPartition()))) {
    types.insert(std::move(type));
  }
  for (std::string& type : core_->log.LookAtTail([](const Tail& tail) { return tail.Types(); })) {
    types.insert(std::move(type));
  }
  return std::vector<std::string>(types.begin(), types.end());
}

const EventStoreOptions& EventStore::options() const {
  return core_->options;
}
const Recorded& EventStore::recorded() const {
  return core_->recorded;
}
Database& EventStore::database() const {
  return *core_->database;
}
const patterns::Environment& EventStore::environment() const {
  return core_->environment;
}

const AppendConflict* FindConflict(const Error& error) {
  return FindDetail<AppendConflict>(error);
}

}  // namespace stator::events

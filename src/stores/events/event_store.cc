#include "stator/stores/events/event_store.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/tables.h"
#include "stator/stores/events/tag.h"
#include "stores/events/append_run.h"
#include "stores/events/core.h"
#include "stores/events/foreign_tables.h"
#include "stores/events/item_fields.h"
#include "stores/events/log_reader.h"
#include "stores/events/publications.h"
#include "stores/events/read_retry.h"
#include "stores/events/settings.h"
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
Result<std::vector<std::string>> ListEntries(Core& core, const std::string& partition) {
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

TagInfo MakeTagInfo(const std::string& tag, const Head& head) {
  return {.tag = tag,
          .group = std::string(GroupOf(tag)),
          .events = head.events,
          .first = head.first,
          .last = head.last,
          .last_event_id = head.last_event_id};
}

Result<void> ListTagsOfGroup(Core& core, const std::string& group, std::vector<TagInfo>& tags) {
  const std::vector<std::string> names = TRY(ListEntries(core, core.keys.TagsPartition(group)));
  const auto batch = static_cast<std::size_t>(core.options.batch_get_items_max);
  for (std::size_t start = 0; start < names.size(); start += batch) {
    std::vector<HeadKey> keys;
    for (std::size_t index = start; index < std::min(start + batch, names.size()); ++index) {
      keys.push_back(HeadKey::OfTag(names[index]));
    }
    for (const auto& [key, head] : TRY(ReadHeads(core, keys))) {
      // A tag can be registered before its first event is committed.
      if (head) {
        tags.push_back(MakeTagInfo(key.name, *head));
      }
    }
  }
  return {};
}

// How many events of one partition of the index are behind a cursor, without fetching them.
Result<std::uint64_t> CountPartition(Core& core, int shard, const std::string& lower, bool staged) {
  QueryInput query = MakeQuery({.table_name = core.options.events_table_name,
                                .index_name = kIndexName,
                                .partition_attribute = "gsi1pk",
                                .partition = core.keys.LogPartition(shard),
                                .sort_attribute = "sortableUniqueId",
                                .bounds = {.lower = lower}});
  query.filter_expression = staged ? "attribute_exists(#stage)" : "attribute_not_exists(#stage)";
  query.expression_attribute_names->emplace("#stage", "stage");
  query.select = staged ? Select::kAllProjectedAttributes : Select::kCount;
  StageView view(core);
  std::uint64_t count = 0;
  do {
    QueryOutput output = TRY(RetryRead(core, [&] { return core.database->Query(query); }));
    if (!staged) {
      count += static_cast<std::uint64_t>(output.count);
    }
    for (const Item& item : output.items.value_or(std::vector<Item>())) {
      count += TRY(view.IsVisible(FindStageMark(item))) ? 1 : 0;
    }
    query.exclusive_start_key = std::move(output.last_evaluated_key);
  } while (query.exclusive_start_key);
  return count;
}

}  // namespace

EventStore::EventStore(std::unique_ptr<Core> core) : core_(std::move(core)) {}
EventStore::EventStore(EventStore&&) noexcept = default;
EventStore& EventStore::operator=(EventStore&&) noexcept = default;
EventStore::~EventStore() = default;

Core& CoreOf(const EventStore& store) {
  return *store.core_;
}

Result<EventStore> EventStore::Open(Database& database, EventStoreOptions options,
                                    patterns::Environment environment) {
  TRY_VOID(CheckOptions(options));
  options.service_id = TRY(NormalizeServiceId(options.service_id));
  TRY_VOID(options.auto_create_tables && !options.read_only
               ? CreateTables(database, options, environment)
               : CheckTables(database, options, environment));
  auto core = std::make_unique<Core>(database, std::move(options), environment);
  TRY_VOID(LoadSettings(*core));
  return EventStore(std::move(core));
}

Result<Appended> EventStore::Append(std::vector<NewEvent> events, const AppendOptions& options) {
  if (core_->options.read_only) {
    return Invalid("the event store was opened for reading only");
  }
  return AppendRun(*core_, options).Run(std::move(events));
}

Result<EventStream> EventStore::Read(const ReadOptions& options) {
  TRY_VOID(CheckQuery(options.query));
  const std::optional<std::uint64_t> limit = options.limit;
  std::unique_ptr<EventStream::Source> source;
  if (IsTagged(options.query)) {
    source = TRY(TagReader::Open(*core_, options));
  } else {
    source = TRY(LogReader::Open(*core_, options));
  }
  return EventStream(std::move(source), limit);
}

Result<std::vector<Event>> EventStore::ReadList(const ReadOptions& options) {
  EventStream stream = TRY(Read(options));
  std::vector<Event> events;
  while (std::optional<Event> event = TRY(stream.Next())) {
    events.push_back(*std::move(event));
  }
  return events;
}

Result<Event> EventStore::ReadEvent(std::string_view id) {
  const auto missing = [&] {
    return Fail(ErrorCode::kResourceNotFound, "Event with ID " + std::string(id) + " not found");
  };
  if (id.empty() || id.size() > 256) {
    return missing();
  }
  const GetItemOutput output = TRY(RetryRead(*core_, [&] {
    return core_->database->GetItem({.table_name = core_->options.events_table_name,
                                     .key = core_->keys.Event(id),
                                     .consistent_read = core_->options.use_consistent_reads});
  }));
  std::optional<Event> event;
  if (output.item) {
    event = TRY(StageView(*core_).Decode(*output.item));
  }
  if (!event) {
    return missing();
  }
  return *std::move(event);
}

Result<std::uint64_t> EventStore::CountEvents(const std::optional<Cursor>& since) {
  if (core_->recorded.global_head) {
    const Heads heads = TRY(ReadHeads(*core_, {HeadKey::All()}));
    const std::uint64_t all = heads.begin()->second ? heads.begin()->second->events : 0;
    if (!since) {
      return all;
    }
    std::uint64_t before = since->position;
    if (before == 0) {
      const auto last = TRY(
          LogReader::Open(*core_, {.until = since->sortable_id, .limit = 1, .backwards = true}));
      const std::optional<Event> event = TRY(last->Next());
      before = event ? event->position : 0;
    }
    return all > before ? all - before : 0;
  }
  std::uint64_t count = 0;
  if (!since && core_->recorded.type_heads) {
    std::vector<HeadKey> keys;
    for (std::string& type : TRY(ListTypes())) {
      keys.push_back(HeadKey::OfType(std::move(type)));
    }
    for (const auto& [key, head] : TRY(ReadHeads(*core_, keys))) {
      count += head ? head->events : 0;
    }
    return count;
  }
  const SortableId lower = since ? Successor(since->sortable_id) : SortableId();
  for (const int shard : TRY(ReadShards(*core_))) {
    count += TRY(CountPartition(*core_, shard, lower.ToText(), /*staged=*/false));
    count += TRY(CountPartition(*core_, shard, lower.ToText(), /*staged=*/true));
  }
  return count;
}

Result<std::optional<SortableId>> EventStore::FindLastId() {
  if (core_->recorded.global_head) {
    const Heads heads = TRY(ReadHeads(*core_, {HeadKey::All()}));
    const std::optional<Head>& head = heads.begin()->second;
    return head ? std::optional<SortableId>(head->last) : std::nullopt;
  }
  const auto reader = TRY(LogReader::Open(*core_, {.limit = 1, .backwards = true}));
  const std::optional<Event> event = TRY(reader->Next());
  return event ? std::optional<SortableId>(event->sortable_id) : std::nullopt;
}

Result<bool> EventStore::TagExists(std::string_view tag) {
  return TRY(FindTag(tag)).has_value();
}

Result<std::optional<TagInfo>> EventStore::FindTag(std::string_view tag) {
  if (core_->is_foreign) {
    return FindForeignTag(*core_, std::string(tag));
  }
  const HeadKey key = HeadKey::OfTag(std::string(tag));
  const Heads heads = TRY(ReadHeads(*core_, {key}));
  const std::optional<Head>& head = heads.at(key);
  return head ? std::optional<TagInfo>(MakeTagInfo(key.name, *head)) : std::nullopt;
}

Result<std::vector<TagInfo>> EventStore::ListTags(const std::optional<std::string>& group) {
  if (core_->is_foreign) {
    return ListForeignTags(*core_, group);
  }
  std::vector<TagInfo> tags;
  const std::vector<std::string> groups =
      group ? std::vector<std::string>{*group}
            : TRY(ListEntries(*core_, core_->keys.GroupsPartition()));
  for (const std::string& name : groups) {
    TRY_VOID(ListTagsOfGroup(*core_, name, tags));
  }
  return tags;
}

Result<std::vector<TagRow>> EventStore::ListTagRows(std::string_view tag,
                                                    const std::optional<Cursor>& since) {
  TagRows source(*core_, MakeTagRead(*core_, std::string(tag), since, std::nullopt), QueryItem{});
  std::vector<TagRow> rows;
  for (const DecodedTagRow* row = TRY(source.Peek()); row != nullptr; row = TRY(source.Peek())) {
    rows.push_back(row->row);
    source.Pop();
  }
  return rows;
}

Result<std::vector<std::string>> EventStore::ListTypes() {
  return core_->is_foreign ? ListForeignTypes(*core_)
                           : ListEntries(*core_, core_->keys.TypesPartition());
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

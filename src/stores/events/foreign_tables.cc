#include "stores/events/foreign_tables.h"

#include <set>
#include <tuple>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/tables.h"
#include "stator/stores/events/tag.h"
#include "stores/events/item_fields.h"
#include "stores/events/log_reader.h"
#include "stores/events/page_cursor.h"
#include "stores/events/read_retry.h"
#include "stores/events/tag_reader.h"

namespace stator::events {
namespace {

void Count(const TagRow& row, std::optional<TagInfo>& info) {
  if (!info) {
    info = TagInfo{.tag = row.tag,
                   .group = std::string(GroupOf(row.tag)),
                   .first = row.sortable_id,
                   .last = row.sortable_id,
                   .last_event_id = row.event_id};
  }
  ++info->events;
  info->first = std::min(info->first, row.sortable_id);
  if (std::tie(row.sortable_id, row.event_id) >= std::tie(info->last, info->last_event_id)) {
    info->last = row.sortable_id;
    info->last_event_id = row.event_id;
  }
}

using Tags = std::map<std::string, std::optional<TagInfo>>;

Result<void> ReadGroup(EventStoreCore& core, const std::string& group, Tags& tags) {
  PageCursor cursor(core, {.table_name = core.options.tags_table_name,
                           .index_name = kIndexName,
                           .partition_attribute = "tagGroup",
                           .partition = core.options.service_id + "|" + group,
                           .sort_attribute = "tagString"});
  for (const Item* item = TRY(cursor.Peek()); item != nullptr; item = TRY(cursor.Peek())) {
    const DecodedTagRow row = TRY(DecodeTagRow(*item));
    Count(row.row, tags[row.row.tag]);
    cursor.Pop();
  }
  return {};
}

Result<void> ReadAllGroups(EventStoreCore& core, Tags& tags) {
  ScanInput scan{.table_name = core.options.tags_table_name};
  do {
    ScanOutput output = TRY(RetryRead(core, [&] { return core.database->Scan(scan); }));
    for (const Item& item : output.items.value_or(std::vector<Item>())) {
      if (TextOr(item, "serviceId") != core.options.service_id || !item.contains("eventId")) {
        continue;
      }
      const DecodedTagRow row = TRY(DecodeTagRow(item));
      Count(row.row, tags[row.row.tag]);
    }
    scan.exclusive_start_key = std::move(output.last_evaluated_key);
  } while (scan.exclusive_start_key);
  return {};
}

}  // namespace

Result<std::optional<TagInfo>> FindForeignTag(EventStoreCore& core, const std::string& tag) {
  TagRows rows(core, MakeTagRead(core, tag, std::nullopt, std::nullopt), QueryItem{});
  std::optional<TagInfo> info;
  for (const DecodedTagRow* row = TRY(rows.Peek()); row != nullptr; row = TRY(rows.Peek())) {
    Count(row->row, info);
    rows.Pop();
  }
  return info;
}

Result<std::vector<TagInfo>> ListForeignTags(EventStoreCore& core,
                                             const std::optional<std::string>& group) {
  Tags tags;
  TRY_VOID(group ? ReadGroup(core, *group, tags) : ReadAllGroups(core, tags));
  std::map<std::pair<std::string, std::string>, TagInfo> sorted;  // by group and tag
  for (auto& [tag, info] : tags) {
    std::pair place(info->group, tag);
    sorted.emplace(std::move(place), *std::move(info));
  }
  std::vector<TagInfo> infos;
  infos.reserve(sorted.size());
  for (auto& [place, info] : sorted) {
    infos.push_back(std::move(info));
  }
  return infos;
}

Result<std::uint64_t> CountForeignEvents(EventStoreCore& core, const std::optional<Cursor>& since) {
  EventStream all(TRY(LogReader::Open(core, {.since = since})), std::nullopt);
  std::uint64_t count = 0;
  while (TRY(all.Next())) {
    ++count;
  }
  return count;
}

Result<std::vector<std::string>> ListForeignTypes(EventStoreCore& core) {
  EventStream all(TRY(LogReader::Open(core, {})), std::nullopt);
  std::set<std::string> types;
  while (std::optional<Event> event = TRY(all.Next())) {
    types.insert(std::move(event->type));
  }
  return std::vector<std::string>(types.begin(), types.end());
}

}  // namespace stator::events

#include "stores/events/publications.h"

#include "base/digest.h"
#include "base/try.h"
#include "stores/events/item_fields.h"
#include "stores/events/read_retry.h"
#include "stores/events/uuid_text.h"

namespace stator::events {
namespace {

Result<std::optional<Publication>> FindPublication(Core& core, const std::string& append_id) {
  {
    const MutexLock lock(core.publications_mutex);
    if (const auto known = core.publications.find(append_id); known != core.publications.end()) {
      return known->second;
    }
  }
  const std::optional<AppendRecord> record = TRY(FindAppendRecord(core, append_id));
  if (!record || !record->staged) {
    return std::nullopt;
  }
  // What is published stays so; what is not may be at any moment.
  constexpr std::size_t kPublicationsMax = 10'000;
  Publication publication{.stage = record->seed, .first_position = record->first_position};
  const MutexLock lock(core.publications_mutex);
  if (core.publications.size() >= kPublicationsMax) {
    core.publications.clear();
  }
  core.publications.emplace(append_id, publication);
  return publication;
}

}  // namespace

Item EncodeAppendRecord(const Core& core, const AppendRecord& record) {
  Item item = core.keys.Append(record.append_id);
  item.Set("appendId", record.append_id);
  item.Set("fingerprint", record.fingerprint);
  item.Set("seed", record.seed);
  item.Set("eventCount", record.events);
  if (record.staged) {
    item.Set("staged", true);
    item.Set("firstPosition", record.first_position);
  }
  return item;
}

Result<AppendRecord> DecodeAppendRecord(const Item& item) {
  return AppendRecord{.append_id = TRY(TextField(item, "appendId")),
                      .fingerprint = TRY(TextField(item, "fingerprint")),
                      .seed = TRY(TextField(item, "seed")),
                      .events = TRY(CountField(item, "eventCount")),
                      .first_position = CountOr(item, "firstPosition"),
                      .staged = FlagOr(item, "staged")};
}

Result<std::optional<AppendRecord>> FindAppendRecord(Core& core, const std::string& append_id) {
  const GetItemOutput output = TRY(RetryRead(core, [&] {
    return core.database->GetItem({.table_name = core.options.events_table_name,
                                   .key = core.keys.Append(append_id),
                                   .consistent_read = true});
  }));
  if (!output.item) {
    return std::nullopt;
  }
  return TRY(DecodeAppendRecord(*output.item));
}

std::string MakeEventId(const std::string& seed, std::uint64_t index) {
  return MakeUuidText(base::Sha256(seed + "#" + std::to_string(index)));
}

Result<bool> StageView::IsVisible(const std::optional<StageMark>& mark) {
  if (!mark) {
    return true;
  }
  if (unseen_.contains(mark->append_id)) {
    return false;
  }
  const std::optional<Publication> publication = TRY(FindPublication(*core_, mark->append_id));
  if (!publication) {
    unseen_.insert(mark->append_id);
    return false;
  }
  return publication->stage == mark->stage;
}

Result<std::optional<Event>> StageView::Decode(const Item& item) {
  const std::optional<StageMark> mark = FindStageMark(item);
  if (!TRY(IsVisible(mark))) {
    return std::nullopt;
  }
  Event event = TRY(DecodeEvent(item));
  if (mark) {
    const std::optional<Publication> publication = TRY(FindPublication(*core_, mark->append_id));
    const std::uint64_t first = publication ? publication->first_position : 0;
    event.position = first == 0 ? 0 : first + mark->index;
  }
  return event;
}

Result<bool> StageView::HasChanged() {
  for (const std::string& append_id : unseen_) {
    if (TRY(FindPublication(*core_, append_id))) {
      return true;
    }
  }
  return false;
}

}  // namespace stator::events

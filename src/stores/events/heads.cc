#include "stores/events/heads.h"

#include "base/try.h"
#include "stator/patterns/batch.h"
#include "stores/events/core.h"
#include "stores/events/item_fields.h"

namespace stator::events {
namespace {

using patterns::Attribute;

constexpr const char* kLast = "lastSortableUniqueId";
constexpr const char* kLastEventId = "lastEventId";
constexpr const char* kFirst = "firstSortableUniqueId";
constexpr const char* kEvents = "eventCount";
constexpr const char* kBoundary = "boundary";

}  // namespace

Result<Head> DecodeHead(const Item& item) {
  return Head{.last = TRY(IdField(item, kLast)),
              .last_event_id = TRY(TextField(item, kLastEventId)),
              .first = TRY(IdField(item, kFirst)),
              .events = TRY(CountField(item, kEvents))};
}

Result<Heads> ReadHeads(Core& core, const std::vector<HeadKey>& keys) {
  Heads heads;
  for (const HeadKey& key : keys) {
    heads.emplace(key, std::nullopt);
  }
  std::vector<Item> wanted;
  for (const auto& [key, head] : heads) {
    wanted.push_back(core.keys.Head(key));
  }
  const patterns::BatchReadOutcome outcome =
      patterns::BatchReader(*core.database, core.MakeReadOptions(), core.environment)
          .Read(core.tags_table, wanted);
  if (!outcome.complete()) {
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "heads could not be read"}));
  }
  std::size_t index = 0;
  for (auto& [key, head] : heads) {
    if (const std::optional<Item>& item = outcome.items[index++]) {
      head = TRY(DecodeHead(*item));
    }
  }
  return heads;
}

patterns::Update MakeHeadUpdate(const HeadKey& key, const HeadMove& move) {
  patterns::Update update;
  update.Set(kLast, move.last.ToText())
      .Set(kLastEventId, move.last_event_id)
      .SetIfMissing(kFirst, move.first.ToText())
      .SetIfMissing(kBoundary, key.name)
      .Add(kEvents, move.events);
  return update;
}

patterns::Condition IsStill(const std::optional<Head>& seen) {
  return seen ? Attribute(kLast) == seen->last.ToText() : Attribute("pk").NotExists();
}

patterns::Condition IsBelow(SortableId first) {
  return Attribute(kLast).NotExists() || Attribute(kLast) < first.ToText();
}

}  // namespace stator::events

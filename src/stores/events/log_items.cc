#include "stores/events/log_items.h"

#include <algorithm>

#include "base/digest.h"
#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/requests.h"
#include "stores/events/item_fields.h"
#include "stores/events/read_retry.h"

namespace stator::events {
namespace {

constexpr std::size_t kPartBytes = 350'000;

Result<std::optional<Item>> Get(EventStoreCore& core, const Item& key, bool consistent) {
  return TRY(RetryRead(core,
                       [&] {
                         return core.database->GetItem(
                             {.table_name = core.options.events_table_name,
                              .key = key,
                              .consistent_read = consistent});
                       }))
      .item;
}

Result<std::vector<std::optional<Item>>> GetAll(EventStoreCore& core, const std::vector<Item>& keys,
                                                bool consistent) {
  patterns::BatchReadOutcome outcome =
      patterns::BatchReader(*core.database, core.MakeReadOptions(), core.environment)
          .Read(core.events_table, keys, {.consistent_read = consistent});
  if (!outcome.complete()) {
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "the log could not be read"}));
  }
  return std::move(outcome.items);
}

// Good as long as the item.
Result<std::string_view> BytesField(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  const Binary* binary = value == nullptr ? nullptr : value->If<Binary>();
  if (binary == nullptr) {
    return Fail(ErrorCode::kCorruption,
                "an item of the log has no usable attribute " + std::string(name));
  }
  return std::string_view(binary->bytes);
}

Result<Genesis> DecodeGenesis(const Item& item) {
  return Genesis{.id = TRY(SlotIdField(item, "id")),
                 .stripes = std::max<std::uint64_t>(TRY(CountField(item, "stripes")), 1),
                 .chunk = {.slots = TRY(CountField(item, "chunkSlots")),
                           .bytes = TRY(CountField(item, "chunkBytes")),
                           .events = TRY(CountField(item, "chunkEvents"))}};
}

Item KeyOf(const EventStoreCore& core, MarkKind kind) {
  return kind == MarkKind::kIndex ? core.keys.Mark() : core.keys.ViewMark();
}

Result<std::string> ReadParts(EventStoreCore& core, const Item& item, std::uint64_t count) {
  const std::string group = TRY(TextField(item, "g"));
  std::vector<Item> keys;
  for (std::uint64_t index = 0; index < count; ++index) {
    keys.push_back(core.keys.Part(group, index));
  }
  std::string body;
  for (const std::optional<Item>& part : TRY(GetAll(core, keys, /*consistent=*/true))) {
    body += part ? TRY(BytesField(*part, "b")) : std::string_view();
  }
  if (base::Sha256(body) != TRY(BytesField(item, "h"))) {
    return Fail(ErrorCode::kCorruption, "parts of a slot of the log are missing or damaged");
  }
  return body;
}

}  // namespace

Result<std::optional<Genesis>> LoadGenesis(EventStoreCore& core, bool make) {
  std::optional<Item> item = TRY(Get(core, core.keys.Genesis(), /*consistent=*/true));
  if (!item && !make) {
    return std::nullopt;
  }
  if (!item) {
    Genesis genesis{.id = MakeSlotId(*core.environment.random)};
    genesis.chunk.slots = static_cast<std::uint64_t>(core.options.chunk_slots);
    Item made = core.keys.Genesis();
    made.Set("v", 1);
    made.Set("id", ToBinary(genesis.id));
    made.Set("stripes", genesis.stripes);
    made.Set("chunkSlots", genesis.chunk.slots);
    made.Set("chunkBytes", genesis.chunk.bytes);
    made.Set("chunkEvents", genesis.chunk.events);
    const auto put = RetryRead(core, [&] {
      return core.database->PutItem(patterns::MakePut(core.options.events_table_name, made,
                                                      patterns::Attribute("pk").NotExists()));
    });
    // Somebody else, or a lost answer of our own: either way there is one now.
    if (!put && put.error().code != ErrorCode::kConditionFailed) {
      return std::unexpected(put.error());
    }
    item = TRY(Get(core, core.keys.Genesis(), /*consistent=*/true));
  }
  if (!item) {
    return Fail(ErrorCode::kCorruption, "the beginning of the log vanished");
  }
  return TRY(DecodeGenesis(*item));
}

Result<Mark> ReadMark(EventStoreCore& core, MarkKind kind, bool consistent) {
  const std::optional<Item> item = TRY(Get(core, KeyOf(core, kind), consistent));
  if (!item) {
    return Mark{.place = {.id = core.genesis.id}};
  }
  return Mark{.place = {.slot = TRY(CountField(*item, "slot")),
                        .id = TRY(SlotIdField(*item, "id")),
                        .position = TRY(CountField(*item, "position")),
                        .hi = TRY(IdField(*item, "hi"))},
              .chunk = TRY(CountField(*item, "chunk"))};
}

Result<void> MoveMark(EventStoreCore& core, MarkKind kind, const Mark& mark) {
  patterns::Update update;
  update.Set("slot", mark.place.slot)
      .Set("id", ToBinary(mark.place.id))
      .Set("position", mark.place.position)
      .Set("hi", mark.place.hi.ToText())
      .Set("chunk", mark.chunk);
  const patterns::Attribute slot("slot");
  const auto moved = RetryRead(core, [&] {
    return core.database->UpdateItem(
        patterns::MakeUpdate(core.options.events_table_name, KeyOf(core, kind), update,
                             slot.NotExists() || slot < mark.place.slot));
  });
  if (!moved && moved.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(moved.error());
  }
  return {};
}

Result<std::string> ReadBody(EventStoreCore& core, const Item& item) {
  const std::uint64_t parts = CountOr(item, "p");
  return parts > 0 ? ReadParts(core, item, parts) : std::string(TRY(BytesField(item, "b")));
}

Result<std::shared_ptr<Slot>> AssembleSlot(EventStoreCore& core, const Item& item,
                                           std::uint64_t number) {
  return CountOr(item, "p") > 0 ? DecodeSlot(item, number, TRY(ReadBody(core, item)))
                                : DecodeSlot(item, number, TRY(BytesField(item, "b")));
}

Result<std::optional<SlotPointer>> ReadSlot(EventStoreCore& core, std::uint64_t number,
                                            bool consistent) {
  const std::optional<Item> item =
      TRY(Get(core, core.keys.Slot(number, core.genesis.stripes), consistent));
  if (!item) {
    return std::nullopt;
  }
  return TRY(AssembleSlot(core, *item, number));
}

Result<std::optional<SlotId>> ReadSlotId(EventStoreCore& core, std::uint64_t number,
                                         bool consistent) {
  const GetItemOutput output = TRY(RetryRead(core, [&] {
    return core.database->GetItem({.table_name = core.options.events_table_name,
                                   .key = core.keys.Slot(number, core.genesis.stripes),
                                   .consistent_read = consistent,
                                   .projection_expression = "#id",
                                   .expression_attribute_names = AttributeNames{{"#id", "id"}}});
  }));
  if (!output.item) {
    return std::nullopt;
  }
  return TRY(SlotIdField(*output.item, "id"));
}

Result<std::vector<std::shared_ptr<Slot>>> ReadSlots(EventStoreCore& core,
                                                     const std::vector<std::uint64_t>& numbers,
                                                     bool consistent, bool up_to_a_hole) {
  std::vector<Item> keys;
  keys.reserve(numbers.size());
  for (const std::uint64_t number : numbers) {
    keys.push_back(core.keys.Slot(number, core.genesis.stripes));
  }
  std::vector<std::shared_ptr<Slot>> slots;
  std::size_t index = 0;
  for (const std::optional<Item>& item : TRY(GetAll(core, keys, consistent))) {
    if (!item && up_to_a_hole) {
      break;
    }
    if (!item) {
      return Fail(ErrorCode::kCorruption,
                  "slot " + std::to_string(numbers[index]) + " of the log is missing");
    }
    slots.push_back(TRY(AssembleSlot(core, *item, numbers[index++])));
  }
  return slots;
}

Result<Parts> WriteParts(EventStoreCore& core, const std::string& body) {
  Parts parts{.group = core.environment.random->Uuid(), .digest = base::Sha256(body)};
  std::vector<WriteRequest> writes;
  for (std::size_t at = 0; at < body.size(); at += kPartBytes) {
    Item item = core.keys.Part(parts.group, parts.count++);
    item.Set("b", Binary{body.substr(at, kPartBytes)});
    writes.emplace_back(PutRequest{std::move(item)});
  }
  const patterns::BatchWriteOutcome outcome =
      patterns::BatchWriter(*core.database, core.MakeWriteOptions(), core.environment)
          .Write({{.table = core.events_table, .writes = std::move(writes)}});
  if (!outcome.complete()) {
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "a large append could not be written"}));
  }
  return parts;
}

void RemoveParts(EventStoreCore& core, const Parts& parts) {
  std::vector<WriteRequest> writes;
  for (std::uint64_t index = 0; index < parts.count; ++index) {
    writes.emplace_back(DeleteRequest{core.keys.Part(parts.group, index)});
  }
  static_cast<void>(patterns::BatchWriter(*core.database, core.MakeWriteOptions(), core.environment)
                        .Write({{.table = core.events_table, .writes = std::move(writes)}}));
}

}  // namespace stator::events

// RedactEvent, step by step; redaction.h says in which order, and why.

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/blobs/blob_store.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/retry.h"
#include "stator/stores/events/erasure.h"
#include "stores/events/event_item.h"
#include "stores/events/event_log.h"
#include "stores/events/index_rows.h"
#include "stores/events/indexer.h"
#include "stores/events/item_fields.h"
#include "stores/events/locate_event.h"
#include "stores/events/log_items.h"
#include "stores/events/log_places.h"
#include "stores/events/page_cursor.h"
#include "stores/events/read_retry.h"
#include "stores/events/redaction.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

constexpr std::size_t kNoteBytesMax = 4096;
// How far below its slot copies of an event are looked for, that writers left who lost a race.
constexpr int kChunksBack = 16;

// What is to be done, as its row says.
struct Work {
  std::uint64_t slot = 0;
  std::size_t index = 0;
  Redaction redaction = {};
};

Result<Work> DecodeWork(const Item& row) {
  return Work{.slot = TRY(CountField(row, "slot")),
              .index = TRY(CountField(row, "index")),
              .redaction = {.event_id = TRY(TextField(row, "eventId")),
                            .position = TRY(CountField(row, "position")),
                            .redacted_at = TRY(TextField(row, "redactedAt")),
                            .by = TextOr(row, "by"),
                            .reason = TextOr(row, "reason")}};
}

void SetRedaction(const Redaction& redaction, Item& item) {
  item.Set("eventId", redaction.event_id);
  item.Set("position", redaction.position);
  item.Set("redactedAt", redaction.redacted_at);
  item.Set("by", redaction.by);
  item.Set("reason", redaction.reason);
}

Result<std::optional<Item>> Get(EventStoreCore& core, const Item& key) {
  return TRY(RetryRead(core,
                       [&] {
                         return core.database->GetItem(
                             {.table_name = core.options.events_table_name,
                              .key = key,
                              .consistent_read = true});
                       }))
      .item;
}

// Whether it was put; false if there is one.
Result<bool> PutIfAbsent(EventStoreCore& core, const Item& item) {
  const auto put = RetryRead(core, [&] {
    return core.database->PutItem(patterns::MakePut(core.options.events_table_name, item,
                                                    patterns::Attribute("pk").NotExists()));
  });
  if (!put && put.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(put.error());
  }
  return put.has_value();
}

// What has to be removed when the slot no longer names it.
Result<void> NoteLeftovers(EventStoreCore& core, const Work& work, const Event& event,
                           const Item& slot) {
  patterns::Update update;
  if (!event.payload_key.empty()) {
    update.Add("blobs", StringSet{event.payload_key});
  }
  if (const std::uint64_t count = CountOr(slot, "p"); count > 0) {
    update.Add("parts", StringSet{TRY(TextField(slot, "g")) + "/" + std::to_string(count)});
  }
  if (update.empty()) {
    return {};
  }
  const auto noted = RetryRead(core, [&] {
    return core.database->UpdateItem(patterns::MakeUpdate(
        core.options.events_table_name, core.keys.RedactionWork(work.redaction.position), update));
  });
  return noted ? Result<void>() : std::unexpected(noted.error());
}

// Puts the item of a slot with another body in the place of the one that was read. Whether nobody else
// had changed it meanwhile.
Result<bool> ReplaceBody(EventStoreCore& core, const Item& item, const std::string& body) {
  const std::uint64_t revision = CountOr(item, "r");
  Item changed = item;
  changed.Set("r", revision + 1);
  std::optional<Parts> parts;
  if (CountOr(item, "p") > 0) {
    parts = TRY(WriteParts(core, body));
    changed.Set("g", parts->group);
    changed.Set("p", parts->count);
    changed.Set("h", Binary{parts->digest});
  } else {
    changed.Set("b", Binary{body});
  }
  const patterns::Attribute written("r");
  const auto put = RetryRead(core, [&] {
    return core.database->PutItem(
        patterns::MakePut(core.options.events_table_name, changed,
                          patterns::Attribute("id") == item.at("id") &&
                              (revision == 0 ? written.NotExists() : written == revision)));
  });
  if (put) {
    return true;
  }
  if (put.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(put.error());
  }
  // It may have been an attempt of this very call whose answer was lost.
  const Item* there = patterns::FindItem(put.error());
  if (parts && there != nullptr && TextOr(*there, "g") != parts->group) {
    RemoveParts(core, *parts);
  }
  return false;
}

// Takes the payload of one event out of a slot, valid or void.
Result<void> BlankInSlot(EventStoreCore& core, const Work& work, std::uint64_t number,
                         std::size_t index) {
  for (patterns::Retry retry(core.options.retry, core.environment);;) {
    const std::optional<Item> item = TRY(Get(core, core.keys.Slot(number, core.genesis.stripes)));
    if (!item) {
      return Fail(ErrorCode::kCorruption,
                  "slot " + std::to_string(number) + " of the log is missing");
    }
    const std::string body = TRY(ReadBody(core, *item));
    Slot slot;
    TRY_VOID(DecodeAppends(body, slot));
    if (index >= slot.events.size()) {
      return Fail(ErrorCode::kCorruption, "a slot of the log lost an event");
    }
    if (slot.events[index].erased) {
      return {};
    }
    TRY_VOID(NoteLeftovers(core, work, slot.events[index], *item));
    BlankPayload(slot, index);
    if (TRY(ReplaceBody(core, *item, EncodeBody(slot)))) {
      return {};
    }
    if (!retry.Wait()) {
      return Fail(ErrorCode::kConflict, "others changed the slot each time");
    }
  }
}

// The void ones below a slot: neither a chunk of the index nor the tail has them.
Result<std::vector<std::uint64_t>> FindVoidBelow(EventStoreCore& core, const Slot& slot) {
  std::set<std::uint64_t> valid;
  Mark mark;
  core.log.LookAtTail([&](const Tail& tail) {
    mark = tail.mark();
    for (const SlotPointer& one : tail.SlotsBehind(SortableId())) {
      valid.insert(one->number);
    }
  });
  std::uint64_t lowest = mark.place.slot + 1;
  std::uint64_t position = std::min(slot.first_position, mark.place.position);
  for (int chunks = 0; chunks < kChunksBack && position > 0; ++chunks) {
    const std::optional<ChunkRow> row = TRY(FindChunkAt(core, position, /*consistent=*/true));
    if (!row || row->slots.empty()) {
      return Fail(ErrorCode::kCorruption, "the index lacks a chunk");
    }
    for (const ChunkRow::SlotPlace& place : row->slots) {
      valid.insert(place.number);
    }
    lowest = row->slots.front().number;
    position = row->slots.front().first_position - 1;
  }
  lowest = position == 0 ? 1 : lowest;
  std::vector<std::uint64_t> found;
  for (std::uint64_t number = lowest; number < slot.number; ++number) {
    if (!valid.contains(number)) {
      found.push_back(number);
    }
  }
  return found;
}

bool SaysTheSame(const Event& left, const Event& right) {
  return left.type == right.type && left.tags == right.tags && left.payload == right.payload &&
         left.payload_key == right.payload_key && left.subject == right.subject &&
         left.metadata == right.metadata && left.recorded_at == right.recorded_at;
}

// An append that lost a race was decided again, and is in the void slot, too.
Result<void> BlankVoidCopies(EventStoreCore& core, const Work& work, const Slot& slot) {
  const Event& event = slot.events[work.index];
  for (const std::uint64_t number : TRY(FindVoidBelow(core, slot))) {
    const std::optional<Item> item = TRY(Get(core, core.keys.Slot(number, core.genesis.stripes)));
    const Result<std::string> body = item ? ReadBody(core, *item) : Result<std::string>("");
    Slot copy;
    // One that has lost its parts has lost the payload.
    if (!body || !DecodeAppends(*body, copy)) {
      continue;
    }
    for (std::size_t index = 0; index < copy.events.size(); ++index) {
      if (SaysTheSame(copy.events[index], event)) {
        TRY_VOID(BlankInSlot(core, work, number, index));
      }
    }
  }
  return {};
}

// Blobs and parts that no slot names any more.
Result<void> RemoveLeftovers(EventStoreCore& core, const Work& work) {
  const std::optional<Item> row = TRY(Get(core, core.keys.RedactionWork(work.redaction.position)));
  const auto names = [&](const char* attribute) {
    const AttributeValue* value = row ? row->Find(attribute) : nullptr;
    const auto* set = value == nullptr ? nullptr : value->If<StringSet>();
    return set == nullptr ? std::vector<std::string>()
                          : std::vector<std::string>(set->begin(), set->end());
  };
  for (const std::string& key : names("blobs")) {
    if (core.options.blobs == nullptr) {
      return Invalid("the payload is in a blob store, and the event store was opened without one");
    }
    TRY_VOID(core.options.blobs->Remove(key));
  }
  for (const std::string& name : names("parts")) {
    Parts parts{.group = name.substr(0, name.find('/')), .count = 0, .digest = {}};
    std::from_chars(name.data() + std::min(parts.group.size() + 1, name.size()),
                    name.data() + name.size(), parts.count);
    RemoveParts(core, parts);
  }
  return {};
}

// Writes the rows of the index that have the event again. REQUIRES: it is up to the mark.
Result<void> RewriteIndex(EventStoreCore& core, std::uint64_t position) {
  const std::optional<ChunkRow> row = TRY(FindChunkAt(core, position, /*consistent=*/true));
  if (!row) {
    return Fail(ErrorCode::kCorruption, "the index lacks a chunk");
  }
  std::vector<std::uint64_t> numbers;
  for (const ChunkRow::SlotPlace& place : row->slots) {
    numbers.push_back(place.number);
  }
  Chunk chunk{.begin = {}, .end = {.chunk = row->chunk}, .slots = {}};
  for (std::shared_ptr<Slot>& slot :
       TRY(ReadSlots(core, numbers, /*consistent=*/true, /*up_to_a_hole=*/false))) {
    chunk.slots.push_back(std::move(slot));
  }
  do {
    IndexRows rows = TRY(MakeRowsOfEvent(core, chunk, position, [&](const BlockName& name) {
      const Result<std::optional<Totals>> below =
          ReadTotals(core, name, row->chunk - 1, /*consistent=*/true);
      return below ? Result<Totals>(below->value_or(Totals())) : std::unexpected(below.error());
    }));
    TRY_VOID(WriteRows(core, std::move(rows.events_table), std::move(rows.tags_table), {}));
  } while (TRY(BlankRedacted(core, chunk.slots)));
  return {};
}

Result<void> RewriteView(EventStoreCore& core, const Slot& slot, std::size_t index) {
  if (!core.recorded.seed_rows) {
    return {};
  }
  return WriteRows(core, {EncodeEvent(core, slot.events[index])}, {}, {});
}

Result<void> DeleteWork(EventStoreCore& core, std::uint64_t position) {
  const patterns::BatchWriteOutcome outcome =
      patterns::BatchWriter(*core.database, core.MakeWriteOptions(), core.environment)
          .Write({{.table = core.events_table,
                   .writes = {DeleteRequest{core.keys.RedactionWork(position)}}}});
  if (!outcome.complete()) {
    return std::unexpected(
        outcome.error.value_or(Error{.code = ErrorCode::kUnavailable,
                                     .message = "the end of a redaction could not be written"}));
  }
  return {};
}

Result<SlotPointer> ReadFresh(EventStoreCore& core, std::uint64_t number) {
  return TRY(ReadSlots(core, {number}, /*consistent=*/true, /*up_to_a_hole=*/false)).front();
}

// Everything from the record on. What was done before is done again, or found done.
Result<Redaction> CarryOut(EventStoreCore& core, const Work& work) {
  const std::uint64_t position = work.redaction.position;
  Item record = core.keys.Redaction(position);
  SetRedaction(work.redaction, record);
  static_cast<void>(TRY(PutIfAbsent(core, record)));
  core.redactions.Add(position);
  const SlotPointer before = TRY(ReadFresh(core, work.slot));
  if (work.index >= before->events.size()) {
    return Fail(ErrorCode::kCorruption, "a slot of the log lost an event");
  }
  if (!before->events[work.index].erased) {
    TRY_VOID(BlankVoidCopies(core, work, *before));
    TRY_VOID(BlankInSlot(core, work, work.slot, work.index));
  }
  const SlotPointer after = TRY(ReadFresh(core, work.slot));
  TRY_VOID(RewriteView(core, *after, work.index));
  const bool indexed = position <= TRY(ReadMark(core, MarkKind::kIndex)).place.position;
  if (indexed) {
    TRY_VOID(RewriteIndex(core, position));
  }
  TRY_VOID(RemoveLeftovers(core, work));
  if (indexed) {
    TRY_VOID(DeleteWork(core, position));
  }
  const std::vector<Redaction> kept = TRY(ReadRedactions(core, position, position));
  return kept.empty() ? work.redaction : kept.front();
}

Result<void> CheckNotes(const RedactOptions& options) {
  for (const std::string* note : {&options.by, &options.reason}) {
    if (note->size() > kNoteBytesMax || !value::IsUtf8(*note)) {
      return Invalid("who redacts an event, and why, have at most 4096 bytes of UTF-8");
    }
  }
  return {};
}

}  // namespace

Result<Redaction> RedactEvent(EventStore& store, std::string_view event_id,
                              const RedactOptions& options) {
  EventStoreCore& core = EventStoreCoreOf(store);
  if (core.options.read_only || core.is_foreign) {
    return Invalid("the event store was opened for reading only");
  }
  TRY_VOID(CheckNotes(options));
  TRY_VOID(core.log.Refresh(/*consistent=*/true));
  const LocatedEvent located = TRY(LocateEvent(core, event_id, /*consistent=*/true));
  if (located.slot == nullptr) {
    return Fail(ErrorCode::kNotFound, "there is no event " + std::string(event_id));
  }
  const Event& event = located.event();
  if (event.payload.empty() && event.payload_key.empty()) {
    return Invalid("event " + event.id + " has no payload");
  }
  if (!event.payload_key.empty() && core.options.blobs == nullptr) {
    return Invalid("the payload of event " + event.id +
                   " is in a blob store, and the event store was opened without one");
  }
  Work work{.slot = located.slot->number,
            .index = located.index,
            .redaction = {.event_id = event.id,
                          .position = event.position,
                          .redacted_at = FormatTime(core.environment.clock->Now()),
                          .by = options.by,
                          .reason = options.reason}};
  Item row = core.keys.RedactionWork(event.position);
  SetRedaction(work.redaction, row);
  row.Set("slot", work.slot);
  row.Set("index", static_cast<std::uint64_t>(work.index));
  if (!TRY(PutIfAbsent(core, row))) {
    // Somebody is about it, or stopped. It may be finished by now.
    if (const std::optional<Item> there = TRY(Get(core, core.keys.RedactionWork(event.position)))) {
      work = TRY(DecodeWork(*there));
    }
  }
  return CarryOut(core, work);
}

Result<std::vector<Redaction>> ListRedactions(EventStore& store) {
  return ReadRedactions(EventStoreCoreOf(store), 0, std::numeric_limits<std::uint64_t>::max());
}

Result<void> FinishRedactions(EventStoreCore& core) {
  PageCursor cursor(core, {.table_name = core.options.events_table_name,
                           .partition_attribute = "pk",
                           .partition = core.keys.RedactionWorkPartition(),
                           .sort_attribute = "sk"});
  std::optional<std::uint64_t> indexed;
  for (const Item* item = TRY(cursor.Peek()); item != nullptr; item = TRY(cursor.Peek())) {
    const Work work = TRY(DecodeWork(*item));
    cursor.Pop();
    if (!indexed) {
      indexed = TRY(ReadMark(core, MarkKind::kIndex)).place.position;
    }
    if (work.redaction.position <= *indexed) {
      static_cast<void>(TRY(CarryOut(core, work)));
    }
  }
  return {};
}

}  // namespace stator::events

#include "stator/stores/events/erasure.h"

#include <optional>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stores/events/event_item.h"
#include "stores/events/event_store_core.h"
#include "stores/events/item_fields.h"
#include "stores/events/page_cursor.h"
#include "stores/events/read_retry.h"
#include "stores/events/subject_keys.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

constexpr std::size_t kNoteBytesMax = 4096;

Result<Erasure> DecodeErasure(std::string subject, const Item& row) {
  return Erasure{.subject = std::move(subject),
                 .erased_at = TRY(TextField(row, "erasedAt")),
                 .by = TextOr(row, "by"),
                 .reason = TextOr(row, "reason")};
}

// Takes the key out of its row, and leaves the record in its place. Nothing when there was no key.
Result<bool> TakeKeyOut(EventStoreCore& core, const Erasure& erasure, bool unknown) {
  patterns::Update update;
  update.Set("erasedAt", erasure.erased_at)
      .Set("by", erasure.by)
      .Set("reason", erasure.reason)
      .Remove("key");
  const patterns::Attribute key("key");
  const patterns::Attribute pk("pk");
  const auto updated = RetryRead(core, [&] {
    return core.database->UpdateItem(
        patterns::MakeUpdate(core.options.events_table_name, core.keys.Subject(erasure.subject),
                             update, unknown ? key.Exists() || pk.NotExists() : key.Exists()));
  });
  if (!updated && updated.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(updated.error());
  }
  return updated.has_value();
}

// For the list. Written again by whoever repeats an erasure that was cut off before it.
Result<void> WriteRecord(EventStoreCore& core, Item record, const Erasure& erasure,
                         const patterns::Condition& condition) {
  record.Set("erasedAt", erasure.erased_at);
  record.Set("by", erasure.by);
  record.Set("reason", erasure.reason);
  const auto put = RetryRead(core, [&] {
    return core.database->PutItem(
        patterns::MakePut(core.options.events_table_name, record, condition));
  });
  return put ? Result<void>() : std::unexpected(put.error());
}

}  // namespace

Result<void> KeepErased(EventStoreCore& core, const std::string& subject) {
  TRY_VOID(CheckSubject(subject));
  const Erasure erasure{.subject = subject,
                        .erased_at = FormatTime(core.environment.clock->Now()),
                        .by = "import",
                        .reason = "its events were imported without payloads"};
  const Result<void> kept =
      WriteRecord(core, core.keys.Subject(subject), erasure, patterns::Attribute("pk").NotExists());
  if (!kept) {
    return kept.error().code == ErrorCode::kConditionFailed ? Result<void>() : kept;
  }
  return WriteRecord(core, core.keys.Erasure(subject), erasure, patterns::Condition());
}

Result<Erasure> EraseSubject(EventStore& store, std::string_view subject,
                             const EraseOptions& options) {
  EventStoreCore& core = EventStoreCoreOf(store);
  if (core.options.read_only) {
    return Invalid("the event store was opened for reading only");
  }
  Erasure erasure{.subject = std::string(subject),
                  .erased_at = FormatTime(core.environment.clock->Now()),
                  .by = options.by,
                  .reason = options.reason};
  TRY_VOID(CheckSubject(erasure.subject));
  for (const std::string& note : {options.by, options.reason}) {
    if (note.size() > kNoteBytesMax || !value::IsUtf8(note)) {
      return Invalid("who erases a subject, and why, have at most 4096 bytes of UTF-8");
    }
  }
  if (!TRY(TakeKeyOut(core, erasure, options.unknown))) {
    // It was erased before, perhaps by an attempt of this call whose answer was lost.
    const GetItemOutput row = TRY(RetryRead(core, [&] {
      return core.database->GetItem({.table_name = core.options.events_table_name,
                                     .key = core.keys.Subject(subject),
                                     .consistent_read = true});
    }));
    if (!row.item) {
      return Fail(ErrorCode::kNotFound,
                  "there is no subject " + erasure.subject + "; nothing was appended about it");
    }
    erasure = TRY(DecodeErasure(std::move(erasure.subject), *row.item));
  }
  core.subjects.Forget(erasure.subject);
  TRY_VOID(WriteRecord(core, core.keys.Erasure(erasure.subject), erasure, patterns::Condition()));
  return erasure;
}

Result<std::vector<Erasure>> ListErasures(EventStore& store) {
  EventStoreCore& core = EventStoreCoreOf(store);
  PageCursor cursor(core, {.table_name = core.options.events_table_name,
                           .partition_attribute = "pk",
                           .partition = core.keys.ErasuresPartition(),
                           .sort_attribute = "sk",
                           .consistent = core.options.use_consistent_reads});
  std::vector<Erasure> erasures;
  for (const Item* item = TRY(cursor.Peek()); item != nullptr; item = TRY(cursor.Peek())) {
    std::string subject = TRY(TextField(*item, "sk"));
    erasures.push_back(TRY(DecodeErasure(std::move(subject), *item)));
    cursor.Pop();
  }
  return erasures;
}

}  // namespace stator::events

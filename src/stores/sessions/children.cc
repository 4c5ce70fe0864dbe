#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "stator/patterns/idempotency.h"
#include "stator/patterns/transaction.h"
#include "stores/sessions/creation.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/items.h"
#include "stores/sessions/patching.h"
#include "stores/sessions/reading.h"
#include "stores/sessions/record_codec.h"
#include "stores/sessions/renewal.h"
#include "value/size.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;
using patterns::Update;

constexpr const char* kPhasePending = "pending";
constexpr const char* kPhaseDone = "done";
constexpr const char* kRecordLabel = "record";
constexpr const char* kItemLabel = "item";

// The record and its count, read again behind a result.
Result<Completion> Conclude(SessionState& state, const KindSpec& kind, std::string_view id,
                            bool already_done) {
  const SessionStoreCore& core = *state.core;
  Result<std::optional<patterns::VersionedItem>> read =
      core.items.Read(core.MakeKey(state.id, SortKeyOf(kind, id)));
  if (!read) {
    return std::unexpected(FromRead(core, std::move(read).error()));
  }
  if (!*read) {
    return std::unexpected(StaleRecord());
  }
  const Record record = DecodeRecord(kind, id, **std::move(read));
  Completion completion{.already_done = already_done,
                        .progress = record.progress.value_or(Progress{})};
  if (completion.progress.done >= completion.progress.total &&
      TextOf(record.stored.item, kChildren) == kChildrenOpen &&
      record.state == kind.machine.working) {
    const Completion finish = TRY(Finish(state, kind, record));
    completion.finished = finish.finished;
  }
  return completion;
}

// What the record, as it was in the way of a result, means.
Error ExplainRecord(const SessionState& state, const KindSpec& kind, std::string_view id,
                    const ItemResult& result, const std::optional<Item>& item) {
  const SessionStoreCore& core = *state.core;
  if (!item) {
    return StaleRecord();
  }
  const Record current = DecodeRecord(kind, id, core.items.versioning().Read(*item));
  if (current.epoch != state.Known().EpochOf(kind.step) || item->contains(kBuilding) ||
      current.expires_at <= core.NowSeconds()) {
    return StaleRecord();
  }
  if (current.state != kind.machine.working) {
    return IllegalTransition(current, kind.machine.done);
  }
  return result.worker ? MakeError(ErrorCode::kLeaseLost, "the lease is another worker's",
                                   {.lease = current.lease})
                       : StaleRecord();
}

Result<Completion> ExplainFailure(SessionState& state, const KindSpec& kind, std::string_view id,
                                  const ItemResult& result, const Error& failure) {
  const auto* const record = patterns::FindConditionFailed(failure, kRecordLabel);
  const auto* const item = patterns::FindConditionFailed(failure, kItemLabel);
  if (item != nullptr && item->item) {
    const bool same_epoch = EpochOfItem(*item->item) == state.Known().EpochOf(kind.step);
    if (same_epoch && TextOf(*item->item, kItemPhase) == kPhaseDone) {
      return Conclude(state, kind, id, /*already_done=*/true);
    }
  }
  if (record != nullptr) {
    return std::unexpected(ExplainRecord(state, kind, id, result, record->item));
  }
  if (item != nullptr) {
    return Invalid("the record has no item '" + result.item + "'");
  }
  return std::unexpected(FromTransaction(*state.core, failure));
}

// Not in batches: a put of a batch whose answer was lost may be done late, when the item has its
// result already, and take it away again. A transaction has a token and conditions.
Result<void> InsertAll(const SessionStoreCore& core, std::vector<Item> children) {
  for (auto next = children.begin(); next != children.end();) {
    patterns::Transaction transaction(
        *core.database,
        patterns::Idempotency::Token(patterns::MakeWriteId(*core.environment.random)),
        {.retry = core.options.retry}, core.environment);
    std::size_t bytes = 0;
    for (; next != children.end() && transaction.size() < limits::kTransactionActionsMax; ++next) {
      bytes += value::SizeOfItem(*next);
      if (bytes > limits::kTransactionBytesMax && transaction.size() > 0) {
        break;
      }
      transaction.Insert({.table = core.layout, .item = std::move(*next)});
    }
    if (const Result<patterns::Committed> outcome = transaction.Commit(); !outcome) {
      const bool exists = patterns::FirstConditionFailed(outcome.error()) != nullptr;
      return exists ? Fail(ErrorCode::kAlreadyExists, "there are items of that record")
                    : std::unexpected(FromTransaction(core, outcome.error()));
    }
  }
  return {};
}

}  // namespace

Result<Record> CreateWithChildren(SessionState& state, const KindSpec& kind, const std::string& id,
                                  Item value, const std::vector<NewItem>& items) {
  const SessionStoreCore& core = *state.core;
  const std::string building = patterns::MakeWriteId(*core.environment.random);
  // The record first, so that the id is ours; nobody sees it before its items are there.
  const Record record = TRY(CreateRecord(state, kind, id, std::move(value),
                                         {{kChildren, kChildrenOpen}, {kBuilding, building}}));
  std::vector<Item> children;
  for (const NewItem& item : items) {
    Item child = core.MakeKey(state.id, ItemKeyOf(kind, id, item.id));
    child.Set(kType, "item");
    child.Set(kSchema, kSchemaVersion);
    child.Set(kItemPhase, kPhasePending);
    child.Set(kItemInput, item.input);
    child.Set(kExpiry, record.expires_at);
    if (record.epoch != 0) {
      child.Set(kEpoch, record.epoch);
    }
    children.push_back(std::move(child));
  }
  TRY_VOID(InsertAll(core, std::move(children)));
  Result<patterns::VersionedItem> opened =
      core.items.Patch(core.MakeKey(state.id, SortKeyOf(kind, id)), Update().Remove(kBuilding),
                       Attribute(kBuilding) == building, {.repeatable = true});
  if (!opened) {
    const bool gone =
        opened.error().code == ErrorCode::kNotFound || opened.error().code == ErrorCode::kExpired;
    return std::unexpected(gone ? StaleRecord() : FromWrite(core, std::move(opened).error()));
  }
  const MutexLock lock(state.mutex);
  state.with_children.insert(SortKeyOf(kind, id));
  return DecodeRecord(kind, id, *std::move(opened));
}

Result<Completion> CompleteChild(SessionState& state, const KindSpec& kind, std::string_view id,
                                 const ItemResult& result) {
  const SessionStoreCore& core = *state.core;
  const std::int64_t epoch = state.Known().EpochOf(kind.step);
  Update count;
  count.Add(kind.items.done_attribute, 1);
  if (const std::optional<std::int64_t> expiry = TRY(ExpiryForPatch(state, kind)); expiry) {
    count.Set(kExpiry, *expiry);
  }
  Condition record = EpochIs(Attribute(kEpoch), epoch) && Attribute(kBuilding).NotExists() &&
                     Attribute(kind.machine.attribute) == kind.machine.working;
  if (result.worker) {
    record = std::move(record) && HoldsLease(core, *result.worker);
  }
  patterns::Transaction transaction(
      *core.database, patterns::Idempotency::Token(patterns::MakeWriteId(*core.environment.random)),
      {.retry = core.options.retry}, core.environment);
  transaction.Patch(
      {.table = core.layout,
       .key = core.MakeKey(state.id, ItemKeyOf(kind, id, result.item)),
       .update = Update().Set(kItemPhase, kPhaseDone).Set(kItemResult, result.result),
       .condition = EpochIs(Attribute(kEpoch), epoch) && Attribute(kItemPhase) == kPhasePending,
       .label = kItemLabel});
  core.items.PatchIn(transaction, core.MakeKey(state.id, SortKeyOf(kind, id)), count, record,
                     kRecordLabel);
  const Result<patterns::Committed> outcome = transaction.Commit();
  return outcome ? Conclude(state, kind, id, /*already_done=*/false)
                 : ExplainFailure(state, kind, id, result, outcome.error());
}

Result<std::vector<ItemState>> ReadChildren(const SessionState& state, const KindSpec& kind,
                                            const Record& record) {
  const SessionStoreCore& core = *state.core;
  std::vector<ItemState> items;
  const Result<void> walked = core.live.ForEach(
      core.partition,
      {.partition = core.PartitionOf(state.id),
       .sort = Attribute(kSortKey).BeginsWith(SortKeyOf(kind, record.id) + kItemMark)},
      [&](const Item& child) {
        if (EpochOfItem(child) == record.epoch) {
          const Map* input = FindMap(child, kItemInput);
          const Map* result = FindMap(child, kItemResult);
          items.push_back({.id = ParseSortKey(kind, TextOf(child, kSortKey)).rest,
                           .done = TextOf(child, kItemPhase) == kPhaseDone,
                           .input = input == nullptr ? Map() : *input,
                           .result = result == nullptr ? Map() : *result});
        }
        return true;
      });
  if (!walked) {
    return std::unexpected(FromRead(core, walked.error()));
  }
  return items;
}

}  // namespace stator::sessions

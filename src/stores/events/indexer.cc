#include "stores/events/indexer.h"

#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/batch.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/page_cursor.h"
#include "stores/events/redaction.h"

namespace stator::events {
namespace {

constexpr std::size_t kKnownMax = 100'000;

}  // namespace

Result<std::optional<Totals>> ReadTotals(EventStoreCore& core, const BlockName& name,
                                         std::uint64_t chunk, bool consistent) {
  if (chunk == 0) {
    return std::nullopt;
  }
  PageCursor cursor(core, {.table_name = core.options.tags_table_name,
                           .partition_attribute = "pk",
                           .partition = PartitionOf(core, name),
                           .sort_attribute = "sk",
                           .bounds = {.upper = BlockSortKey(chunk, kBlockPartsMax)},
                           .backwards = true,
                           .consistent = consistent,
                           .wanted = 1});
  const Item* item = TRY(cursor.Peek());
  if (item == nullptr) {
    return std::nullopt;
  }
  return TRY(DecodeTotals(*item));
}

Result<void> WriteRows(EventStoreCore& core, std::vector<Item> events_table,
                       std::vector<Item> tags_table, const NamedItems& entries) {
  std::vector<patterns::TableWrites> writes = {{.table = core.events_table, .writes = {}},
                                               {.table = core.tags_table, .writes = {}}};
  for (Item& item : events_table) {
    writes[0].writes.emplace_back(PutRequest{std::move(item)});
  }
  for (Item& item : tags_table) {
    writes[1].writes.emplace_back(PutRequest{std::move(item)});
  }
  for (const auto& [name, item] : entries) {
    if (!core.known_entries.Contains(name)) {
      writes[1].writes.emplace_back(PutRequest{item});
    }
  }
  patterns::BatchOptions options = core.MakeWriteOptions();
  options.duplicates = patterns::Duplicates::kLastWins;
  const patterns::BatchWriteOutcome outcome =
      patterns::BatchWriter(*core.database, options, core.environment).Write(std::move(writes));
  if (!outcome.complete()) {
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "rows could not be written"}));
  }
  for (const auto& [name, item] : entries) {
    core.known_entries.Add(name);
  }
  return {};
}

// What is above the chunk may be partial and is not looked at.
Result<Totals> Indexer::Below(const BlockName& name, std::uint64_t chunk) {
  if (const auto known = known_.find(name); known != known_.end()) {
    return known->second;
  }
  if (known_are_all_) {
    return Totals{};
  }
  return TRY(ReadTotals(*core_, name, chunk - 1, /*consistent=*/true)).value_or(Totals{});
}

Result<bool> Indexer::IndexNext() {
  const MutexLock lock(mutex_);
  const Duration began = core_->environment.clock->Elapsed();
  const auto seen = core_->log.LookAtTail([](const Tail& tail) { return tail.mark(); });
  const Mark mark = TRY(ReadMark(*core_, MarkKind::kIndex));
  if (mark != seen) {
    core_->log.UseMark(mark);
  }
  std::optional<Chunk> chunk =
      core_->log.LookAtTail([](const Tail& tail) { return tail.FirstChunk(); });
  if (!chunk) {
    return mark != seen;
  }
  if (chunk->begin.chunk != known_chunk_) {
    known_.clear();
    known_are_all_ = chunk->begin.chunk == 0;
  }
  IndexRows rows;
  std::uint64_t row_count = 0;
  do {
    rows = TRY(MakeIndexRows(*core_, *chunk, [&](const BlockName& name) STATOR_REQUIRES(mutex_) {
      return Below(name, chunk->end.chunk);
    }));
    row_count = rows.events_table.size() + rows.tags_table.size();
    TRY_VOID(
        WriteRows(*core_, std::move(rows.events_table), std::move(rows.tags_table), rows.entries));
  } while (TRY(BlankRedacted(*core_, chunk->slots)));
  TRY_VOID(MoveMark(*core_, MarkKind::kIndex, chunk->end));
  core_->log.UseMark(chunk->end, &rows.totals);
  if (const Result<void> finished = FinishRedactions(*core_); !finished) {
    core_->Log("a redaction could not be finished, and will be later: " + finished.error().message);
  }
  if (const auto& hook = core_->options.hooks.on_index) {
    hook({.chunk = chunk->end.chunk,
          .events = chunk->end.place.position - chunk->begin.place.position,
          .rows = row_count,
          .took = core_->environment.clock->Elapsed() - began});
  }
  known_chunk_ = chunk->end.chunk;
  for (auto& [name, totals] : rows.totals) {
    known_.insert_or_assign(name, std::move(totals));
  }
  if (known_.size() > kKnownMax) {
    known_.clear();
    known_are_all_ = false;
  }
  return true;
}

void Indexer::IndexAll() {
  while (core_->log.LookAtTail([](const Tail& tail) { return tail.complete_chunks(); }) > 0) {
    if (!mutex_.TryLock()) {
      return;
    }
    mutex_.Unlock();
    const Result<bool> indexed = IndexNext();
    if (!indexed) {
      core_->Log("the index could not be written, and will be later: " + indexed.error().message);
    }
    if (!indexed || !*indexed) {
      return;
    }
  }
}

}  // namespace stator::events

#include <utility>

#include "base/try.h"
#include "engine/key_paths.h"
#include "engine/operations.h"
#include "engine/page.h"
#include "engine/read_source.h"
#include "keyspace/key_range.h"
#include "request/checks.h"

namespace stator::engine {
namespace {

keyspace::KeyRange RangeOf(const ReadSource& source, const ScanInput& input) {
  const auto segment = static_cast<std::uint32_t>(input.segment.value_or(0));
  const auto total = static_cast<std::uint32_t>(input.total_segments.value_or(1));
  if (source.index != nullptr) {
    return keyspace::IndexSegment(source.table->id, source.index->id, segment, total);
  }
  return keyspace::ItemSegment(source.table->id, segment, total);
}

Result<void> CheckStart(const ReadSource& source, const ScanInput& input,
                        const keyspace::KeyRange& range) {
  TRY_VOID(CheckStartKey(source, *input.exclusive_start_key, api::kLayerOf<ScanInput>));
  const std::string row_key = source.RowKeyOf(*input.exclusive_start_key);
  if (row_key < range.begin || row_key >= range.end) {
    return Invalid(
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
        "ExclusiveStartKey with correct Segment. TotalSegments: " +
        std::to_string(input.total_segments.value_or(1)) +
        " Segment: " + std::to_string(input.segment.value_or(0)));
  }
  return {};
}

}  // namespace

Result<ScanOutput> Scan(EngineCore& core, const ScanInput& input) {
  const request::ReadExpressions expressions = TRY(request::Check(input, core.expressions));
  TablePtr table = TRY(core.catalog.Find(input.table_name));
  const ReadSource source =
      TRY(FindSource(std::move(table), input.index_name, input.consistent_read));
  keyspace::KeyRange range = RangeOf(source, input);
  if (input.exclusive_start_key) {
    TRY_VOID(CheckStart(source, input, range));
  }
  if (expressions.projection) {
    TRY_VOID(CheckKeyPaths(*source.table, *expressions.projection));
  }
  if (expressions.filter) {
    TRY_VOID(CheckKeyPaths(*source.table, *expressions.filter));
  }
  const Selection selection = TRY(SelectFrom(source, input.select, expressions.projection));

  const std::optional<HistoryKeeper::Lease> lease = TRY(LeaseFor(core, source, input.as_of));
  Usage usage(input.table_name, Usage::Kind::kRead);
  Page page =
      TRY(ReadPage(core,
                   {.source = source,
                    .range = std::move(range),
                    .forward = true,
                    .limit = input.limit,
                    .start_key = input.exclusive_start_key,
                    .filter = expressions.filter ? &*expressions.filter : nullptr,
                    .projection = expressions.projection ? &*expressions.projection : nullptr,
                    .selection = selection,
                    .consistent_read = input.consistent_read,
                    .as_of = lease ? std::optional(lease->time()) : std::nullopt},
                   usage));
  ScanOutput output;
  if (!selection.count_only) {
    output.items = std::move(page.items);
  }
  output.count = page.count;
  output.scanned_count = page.scanned_count;
  output.last_evaluated_key = std::move(page.last_evaluated_key);
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  if (lease) {
    output.as_of = TimeOfCommit(lease->time());
  }
  return output;
}

}  // namespace stator::engine

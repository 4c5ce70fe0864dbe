#include <utility>

#include "base/try.h"
#include "base/work.h"
#include "engine/as_of_cursor.h"
#include "engine/capacity.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/key_paths.h"
#include "engine/operations.h"
#include "keyspace/item_codec.h"
#include "request/checks.h"
#include "value/size.h"

namespace stator::engine {
namespace {

// The item as it was at the moment that is asked for.
Result<void> ReadThen(EngineCore& core, const Table& table, const GetItemInput& input,
                      GetItemOutput& output) {
  const HistoryKeeper::Lease lease = TRY(LeaseMoment(core, table, *input.as_of));
  const storage::Snapshot snapshot = core.store->TakeSnapshot();
  output.as_of = TimeOfCommit(lease.time());
  const std::optional<std::string> row =
      TRY(ReadRowAsOf(*core.store, snapshot, ItemKeyOf(table, input.key), lease.time()));
  if (row) {
    TRY_VOID(base::SpendWork(WorkOfRow(row->size())));
    output.item = TRY(keyspace::DecodeItem(*row));
  }
  return {};
}

}  // namespace

Result<GetItemOutput> GetItem(EngineCore& core, const GetItemInput& input) {
  const std::optional<expression::Projection> projection =
      TRY(request::Check(input, core.expressions)).projection;
  const TablePtr table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckKey(*table, input.key));
  if (projection) {
    TRY_VOID(CheckKeyPaths(*table, *projection));
  }

  GetItemOutput output;
  if (input.as_of) {
    TRY_VOID(ReadThen(core, *table, input, output));
  } else {
    output.item = TRY(FetchItem(core, ItemKeyOf(*table, input.key)));
  }
  if (input.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    Usage usage(input.table_name, Usage::Kind::kRead);
    usage.AddTable(
        ReadUnits(output.item ? value::SizeOfItem(*output.item) : 0, input.consistent_read));
    output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  }
  if (projection && output.item) {
    output.item = projection->Apply(*output.item);
  }
  return output;
}

}  // namespace stator::engine

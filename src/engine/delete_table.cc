#include <optional>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/background.h"
#include "engine/operations.h"
#include "engine/outgoing.h"
#include "engine/rewind.h"
#include "engine/stream_row.h"
#include "engine/table_description.h"
#include "engine/table_row.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

// What cleaning up needs to know of the table, once it is gone.
std::string DroppedRow(const Table& table) {
  std::string row;
  keyspace::AppendDroppedTableRow(
      {.name = table.name,
       .ttl_attribute = table.ttl_attribute ? table.ttl_attribute : table.ttl_disabling,
       .table = table.history ? std::optional(RowOf(table)) : std::nullopt},
      row);
  return row;
}

// A table on its way out is described without its schema.
TableDescription DescribeDeleted(const Table& table) {
  TableDescription description = Describe(table);
  description.table_status = TableStatus::kDeleting;
  description.attribute_definitions.reset();
  description.key_schema.reset();
  description.local_secondary_indexes.reset();
  description.global_secondary_indexes.reset();
  description.creation_date_time.reset();
  description.warm_throughput.reset();
  return description;
}

}  // namespace

Result<DeleteTableOutput> DeleteTable(EngineCore& core, const DeleteTableInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const auto lock = core.catalog.ChangeLock();
  const std::string name(TableNameFrom(input.table_name).value_or(input.table_name));
  if (std::optional<TableDescription> moment = core.transient_states.Find(name)) {
    if (moment->table_status != TableStatus::kDeleting) {
      TRY_VOID(core.transient_states.CheckArrived(name));
    }
    return DeleteTableOutput{.table_description = *std::move(moment)};
  }
  const TablePtr table = TRY(core.catalog.FindAny(input.table_name));
  if (table->is_being_filled()) {
    return Fail(ErrorCode::kResourceInUse,
                "Attempt to change a resource which is still in use: Table is being created: " +
                    table->name);
  }
  TRY_VOID(CheckIsOpen(*table));
  if (table->deletion_protection) {
    return Invalid(
        "Resource cannot be deleted as it is currently protected against deletion. Disable "
        "deletion protection first.");
  }
  storage::WriteBatch batch;
  if (table->stream) {
    Table ending = *table;
    TRY_VOID(DisableStream(core, ending, batch));
  }
  if (table->outgoing) {
    Table ending = *table;
    TRY_VOID(EndOutgoing(core, /*abandon=*/false, ending, batch));
  }
  batch.Put(keyspace::DroppedTableKey(table->id), DroppedRow(*table));
  TRY_VOID(core.catalog.Remove(*table, std::move(batch)));
  core.outgoing->Wake();
  DeleteTableOutput output{.table_description = DescribeDeleted(*table)};
  core.transient_states.Begin(output.table_description);
  const std::uint32_t table_id = table->id;
  core.background->Enqueue([&core, table_id]() -> Result<void> {
    TRY_VOID(core.background->AwaitNewSchema(table_id));
    return CleanDroppedTable(core, table_id);
  });
  return output;
}

}  // namespace stator::engine

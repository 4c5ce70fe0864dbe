#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/table_description.h"
#include "engine/table_row.h"
#include "engine/transfers.h"

namespace stator::engine {
namespace {

TableCreationParameters ParametersOf(const Table& table) {
  TableCreationParameters parameters{.table_name = table.name,
                                     .attribute_definitions = table.attribute_definitions,
                                     .key_schema = KeySchemaOf(table)};
  if (table.billing_mode_was_given) {
    parameters.billing_mode = table.billing_mode;
  }
  if (table.billing_mode == BillingMode::kProvisioned) {
    parameters.provisioned_throughput = table.provisioned_throughput;
  }
  parameters.on_demand_throughput = table.on_demand_throughput;
  if (table.sse) {
    parameters.sse_specification =
        SseSpecification{.enabled = true,
                         .sse_type = table.sse->sse_type,
                         .kms_master_key_id = table.sse->kms_master_key_arn};
  }
  for (const Index& index : table.indexes) {
    if (!parameters.global_secondary_indexes) {
      parameters.global_secondary_indexes.emplace();
    }
    parameters.global_secondary_indexes->push_back(
        {.index_name = index.name,
         .key_schema = KeySchemaOf(index),
         .projection = ProjectionOf(index),
         .provisioned_throughput = index.provisioned_throughput,
         .on_demand_throughput = index.on_demand_throughput,
         .warm_throughput = index.warm_throughput});
  }
  return parameters;
}

}  // namespace

ImportTableDescription DescribeImport(const keyspace::ImportRow& row) {
  const Table table = TableOf(row.table);
  ImportTableDescription description = row.description;
  description.table_arn = table.arn;
  description.table_id = table.uuid;
  description.table_creation_parameters = ParametersOf(table);
  return description;
}

Result<DescribeImportOutput> DescribeImport(EngineCore& core, const DescribeImportInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const TimedArn arn = TRY(ParseTimedArn(core.account, input.import_arn, "/import/",
                                         "Invalid Import ARN", "Invalid Import ARN"));
  std::optional<keyspace::ImportRow> row = TRY(FindImport(core, arn.id));
  if (!row || row->table.settings.name != arn.table_name) {
    return Fail(ErrorCode::kResourceNotFound,
                "Import not found: Import not found: " + input.import_arn);
  }
  MatchWithTable(core, *row);
  return DescribeImportOutput{.import_table_description = DescribeImport(*row)};
}

}  // namespace stator::engine

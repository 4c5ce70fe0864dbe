#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/transfers.h"

namespace stator::engine {

Result<DescribeExportOutput> DescribeExport(EngineCore& core, const DescribeExportInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const TimedArn arn = TRY(ParseTimedArn(core.account, input.export_arn, "/export/",
                                         "Invalid Export ARN", "Invalid Export ARN"));
  const std::optional<keyspace::ExportRow> row = TRY(FindExport(core, arn.id));
  if (!row || !row->description.table_arn.ends_with("/" + std::string(arn.table_name))) {
    return Fail(ErrorCode::kResourceNotFound,
                "Export not found: Export not found: " + input.export_arn);
  }
  return DescribeExportOutput{.export_description = row->description};
}

}  // namespace stator::engine

#include <optional>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/operations.h"
#include "engine/table_description.h"

namespace stator::engine {

Result<DescribeTableOutput> DescribeTable(EngineCore& core, const DescribeTableInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  if (const auto name = TableNameFrom(input.table_name)) {
    if (std::optional<TableDescription> moment = core.transient_states.Find(*name)) {
      return DescribeTableOutput{.table = *std::move(moment)};
    }
  }
  const TablePtr table = TRY(core.catalog.FindAny(input.table_name));
  return DescribeTableOutput{.table = Describe(*table)};
}

}  // namespace stator::engine

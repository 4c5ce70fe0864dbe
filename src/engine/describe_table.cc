#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/table_description.h"

namespace stator::engine {

Result<DescribeTableOutput> DescribeTable(EngineCore& core, const DescribeTableInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const TablePtr table = TRY(core.catalog.FindNamed(input.table_name));
  return DescribeTableOutput{.table = Describe(*table)};
}

}  // namespace stator::engine

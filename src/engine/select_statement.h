// A SELECT: Query, several of them, or Scan, as its condition allows.

#pragma once

#include <string>

#include "engine/engine_core.h"
#include "engine/query_range.h"
#include "engine/read_source.h"
#include "engine/table.h"
#include "partiql/bind.h"
#include "partiql/plan.h"
#include "stator/api/execute_statement.h"
#include "stator/base/result.h"

namespace stator::engine {

// The key of a table or an index, for the planner. Borrows the names of `source`.
struct PlannerKeys {
  explicit PlannerKeys(const ReadSource& source);

  [[nodiscard]] expression::KeySchema schema() const {
    return {.partition = partition.span(), .sort = sort.span()};
  }

  ExpressionKeys partition;
  ExpressionKeys sort;
};

// PartiQL reads no index whose keys are of several attributes.
Result<void> CheckKeysOfOneAttribute(const Index& index);

// One page.
Result<ExecuteStatementOutput> RunSelect(EngineCore& core, const ExecuteStatementInput& input,
                                         const partiql::BoundStatement& bound,
                                         const partiql::Select& select);

}  // namespace stator::engine

// What one statement of a request does to one item: INSERT, UPDATE, DELETE and EXISTS as an action
// (engine/item_action.h), and a SELECT that names one item, as batches and transactions ask for it.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine_core.h"
#include "engine/item_action.h"
#include "engine/table.h"
#include "partiql/bind.h"
#include "partiql/statement.h"
#include "stator/api/common.h"
#include "stator/base/result.h"

namespace stator::engine {

using StatementPtr = std::shared_ptr<const partiql::Statement>;

inline constexpr std::string_view kExistsOnlyInTransactions =
    "EXISTS can only be used in ExecuteTransaction write requests.";

// From the cache, or parsed. Fails with kValidation.
Result<StatementPtr> FindStatement(EngineCore& core, const std::string& text);

struct StatementAction {
  ItemAction action;
  ReturnValues returning = ReturnValues::kNone;
};

// Finds the table and the item. Borrows from `parameters`. REQUIRES: the statement is no SELECT.
Result<StatementAction> PlanStatement(const EngineCore& core, StatementPtr statement,
                                      const std::optional<partiql::Parameters>& parameters,
                                      ReturnValuesOnConditionCheckFailure on_failure);

// What RETURNING asks for; nothing when there is nothing to show.
std::optional<Item> Returned(const StatementAction& planned, ActionChange change);

struct StatementRead {
  StatementPtr statement;
  TablePtr table;
  std::string item_key;

  // The item as the SELECT list wants it.
  [[nodiscard]] Item Show(Item item) const;
};

// `operation` is named in the refusal of a SELECT that says less or more than the key. REQUIRES:
// the statement is a SELECT.
Result<StatementRead> PlanStatementRead(const EngineCore& core, StatementPtr statement,
                                        const std::optional<partiql::Parameters>& parameters,
                                        std::string_view operation);

}  // namespace stator::engine

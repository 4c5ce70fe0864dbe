#include "engine/statement_action.h"

#include <utility>

#include "base/try.h"
#include "base/work.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_update.h"
#include "engine/key_paths.h"
#include "engine/select_statement.h"
#include "partiql/answer.h"
#include "request/checks.h"
#include "value/check_value.h"
#include "value/size.h"

namespace stator::engine {
namespace {

// What parsing and translating a byte of text costs, in units of work.
constexpr std::uint64_t kUnitsPerByte = 64;

Result<void> CheckKeyOfItem(const Table& table, const Item& item) {
  const auto check = [&](const KeyAttribute& attribute) -> Result<void> {
    const AttributeValue* value = item.Find(attribute.name);
    if (value == nullptr) {
      return Invalid("Key attribute should be present in the item: Key " + attribute.name);
    }
    return partiql::CheckKeyValue({.name = attribute.name, .type = ValueType(attribute.type)},
                                  *value);
  };
  TRY_VOID(check(table.partition));
  return table.sort ? check(*table.sort) : Result<void>();
}

void SetKey(Item item, ItemAction& action) {
  action.owned_key = std::make_unique<const Item>(std::move(item));
  action.key = action.owned_key.get();
}

Result<void> PlanInsert(const EngineCore& core, const partiql::BoundStatement& bound,
                        const partiql::Insert& insert, StatementAction& planned) {
  ItemAction& action = planned.action;
  action.kind = ActionKind::kInsert;
  SetKey(bound.ItemOf(insert), action);
  TRY_VOID(value::CheckItem(*action.key));
  action.table = TRY(core.catalog.Find(insert.table));
  TRY_VOID(CheckKeyOfItem(*action.table, *action.key));
  TRY_VOID(request::CheckItemSize(value::SizeOfItem(*action.key)));
  return CheckItemKeys(*action.table, *action.key);
}

// The key that WHERE names, and whether it says more. The condition stays whole: on its item the
// part about the key holds, and without an item it does not.
Result<bool> FindItem(const expression::Condition* where, ItemAction& action) {
  const ReadSource source{.table = action.table};
  const PlannerKeys keys(source);
  partiql::KeyedItem found = TRY(partiql::FindKey(where, keys.schema()));
  if (where != nullptr) {
    TRY_VOID(CheckKeyPaths(*action.table, *where));
  }
  TRY_VOID(CheckKey(*action.table, found.key));
  SetKey(std::move(found.key), action);
  return found.has_rest;
}

const expression::Condition* Pointer(const std::optional<expression::Condition>& condition) {
  return condition ? &*condition : nullptr;
}

Result<void> PlanUpdate(const EngineCore& core, const partiql::BoundStatement& bound,
                        const partiql::Update& update, StatementAction& planned) {
  ItemAction& action = planned.action;
  action.kind = ActionKind::kUpdate;
  planned.returning = update.returning.value_or(ReturnValues::kNone);
  action.update = TRY(bound.Bind(update));
  action.condition = TRY(bound.Bind(update.where));
  action.table = TRY(core.catalog.Find(update.table));
  TRY_VOID(FindItem(Pointer(action.condition), action));
  return CheckUpdateAgainstKeys(*action.table, *action.update);
}

Result<void> PlanDelete(const EngineCore& core, const partiql::BoundStatement& bound,
                        const partiql::Delete& deletion, StatementAction& planned) {
  ItemAction& action = planned.action;
  action.kind = ActionKind::kDelete;
  action.allows_absence = true;
  planned.returning = deletion.returning.value_or(ReturnValues::kNone);
  action.condition = TRY(bound.Bind(deletion.where));
  action.table = TRY(core.catalog.Find(deletion.table));
  if (!TRY(FindItem(Pointer(action.condition), action))) {
    action.condition.reset();
  }
  return {};
}

Result<void> PlanCheck(const EngineCore& core, const partiql::BoundStatement& bound,
                       const partiql::Select& select, ItemAction& action) {
  action.kind = ActionKind::kCheck;
  action.condition = TRY(bound.Bind(select.where));
  if (select.index) {
    return Invalid("Reads on indices are not supported within transactions.");
  }
  action.table = TRY(core.catalog.Find(select.table));
  const Result<bool> has_rest = FindItem(Pointer(action.condition), action);
  if (!has_rest || !*has_rest) {
    return Invalid("EXISTS() must contain a single item read with additional condition");
  }
  return {};
}

Result<void> PlanKind(const EngineCore& core, const partiql::BoundStatement& bound,
                      StatementAction& planned) {
  const partiql::Statement& statement = bound.statement();
  if (const auto* insert = statement.If<partiql::Insert>()) {
    return PlanInsert(core, bound, *insert, planned);
  }
  if (const auto* update = statement.If<partiql::Update>()) {
    return PlanUpdate(core, bound, *update, planned);
  }
  if (const auto* deletion = statement.If<partiql::Delete>()) {
    return PlanDelete(core, bound, *deletion, planned);
  }
  if (const auto* exists = statement.If<partiql::Exists>()) {
    return PlanCheck(core, bound, exists->select, planned.action);
  }
  return Invalid(std::string(kExistsOnlyInTransactions));
}

// Which index is read is looked at before what of it is shown.
Result<void> CheckIndexOf(const EngineCore& core, const Error& refusal) {
  const auto* const detail = FindDetail<partiql::RefusedProjectionDetail>(refusal);
  if (detail == nullptr) {
    return {};
  }
  const Result<TablePtr> table = core.catalog.Find(detail->table);
  const Index* const index = table ? (*table)->FindIndex(detail->index) : nullptr;
  return index != nullptr ? CheckKeysOfOneAttribute(*index) : Result<void>();
}

}  // namespace

Result<StatementPtr> FindStatement(EngineCore& core, const std::string& text) {
  if (StatementPtr statement = core.statements.Find(text)) {
    return statement;
  }
  TRY_VOID(base::SpendWork(text.size() * kUnitsPerByte));
  Result<StatementPtr> statement = partiql::Translate(text);
  if (!statement) {
    TRY_VOID(CheckIndexOf(core, statement.error()));
    return statement;
  }
  core.statements.Add(text, *statement);
  return statement;
}

Result<StatementAction> PlanStatement(const EngineCore& core, StatementPtr statement,
                                      const std::optional<partiql::Parameters>& parameters,
                                      ReturnValuesOnConditionCheckFailure on_failure) {
  StatementAction planned;
  TRY_VOID(partiql::CheckParameters(*statement, parameters));
  TRY_VOID(PlanKind(core, partiql::BoundStatement(*statement, parameters), planned));
  ItemAction& action = planned.action;
  action.item_key = ItemKeyOf(*action.table, *action.key);
  action.table_name = &statement->table();
  action.on_failure = on_failure;
  action.owned_statement = std::move(statement);
  return planned;
}

std::optional<Item> Returned(const StatementAction& planned, ActionChange change) {
  if (planned.returning == ReturnValues::kNone) {
    return std::nullopt;
  }
  return ReturnedItem(planned.returning, planned.action.update, std::move(change.before),
                      std::move(change.updated));
}

Item StatementRead::Show(Item item) const {
  const partiql::Select& select = *statement->If<partiql::Select>();
  return select.projection.empty() ? std::move(item) : partiql::Answer(select.projection, item);
}

Result<StatementRead> PlanStatementRead(const EngineCore& core, StatementPtr statement,
                                        const std::optional<partiql::Parameters>& parameters,
                                        std::string_view operation) {
  TRY_VOID(partiql::CheckParameters(*statement, parameters));
  const partiql::BoundStatement bound(*statement, parameters);
  const partiql::Select& select = *statement->If<partiql::Select>();
  const std::optional<expression::Condition> where = TRY(bound.Bind(select.where));
  StatementRead read;
  read.table = TRY(core.catalog.Find(select.table));
  const ReadSource source{.table = read.table};
  const PlannerKeys keys(source);
  const Result<partiql::KeyedItem> found = partiql::FindKey(Pointer(where), keys.schema());
  if (select.index || !found || found->has_rest) {
    return Invalid("Select statements within " + std::string(operation) +
                   " must specify the primary key in the where clause.");
  }
  TRY_VOID(CheckKey(*read.table, found->key));
  read.item_key = ItemKeyOf(*read.table, found->key);
  read.statement = std::move(statement);
  return read;
}

}  // namespace stator::engine

// A statement that DynamoDB has, as far as its text decides: the trees are those of expressions
// (expression/condition_tree.h, expression/update_tree.h), so statements and expressions are
// evaluated by the same code. Values are literals of the text or parameters of a request, which
// come later (bind.h); so a statement can be kept and used by many requests.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "expression/condition_tree.h"
#include "expression/update_tree.h"
#include "partiql/token.h"
#include "stator/api/common.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::partiql {

// Where a value comes from.
struct ValueSlot {
  bool is_parameter = false;
  std::uint32_t number = 0;  // of the parameter from 0, or in Statement::literals
};

// The names of its symbols stand for themselves; one slot per value of its symbols.
struct Where {
  std::shared_ptr<const expression::ConditionTree> tree;
  std::vector<ValueSlot> values;
};

struct PathElement {
  bool is_index = false;
  std::uint32_t index = 0;
  std::string name;
};

// A path of a SELECT list. The answer calls it by its last element.
struct Projected {
  std::vector<PathElement> path;
};

struct SortKey {
  std::string name;
  bool descending = false;
};

struct Select {
  std::string table;
  std::optional<std::string> index;
  std::vector<Projected> projection;  // empty for *
  std::optional<Where> where;
  std::vector<SortKey> order;
};

struct Insert {
  std::string table;
  std::vector<std::pair<std::string, ValueSlot>> item;
};

// A parameter that must be a set: the second argument of set_add and set_delete.
struct SetArgument {
  ValueSlot value;
  std::string refusal;
};

struct Update {
  std::string table;
  std::shared_ptr<const expression::UpdateTree> tree;
  std::vector<ValueSlot> values;
  std::vector<SetArgument> sets;
  std::optional<Where> where;
  std::optional<ReturnValues> returning;
};

struct Delete {
  std::string table;
  std::optional<Where> where;
  std::optional<ReturnValues> returning;  // kAllOld
};

// EXISTS(SELECT ...): a condition of a transaction.
struct Exists {
  Select select;
};

// An expression that is no statement. Transactions and others have different words for it.
struct Unsupported {};

struct Statement {
  std::variant<Select, Insert, Update, Delete, Exists, Unsupported> what;
  std::vector<AttributeValue> literals;
  std::uint32_t parameters = 0;

  [[nodiscard]] bool is_read() const { return std::holds_alternative<Select>(what); }
  // Empty for what is no statement.
  [[nodiscard]] const std::string& table() const;
  template <class T>
  [[nodiscard]] const T* If() const {
    return std::get_if<T>(&what);
  }
};

// Of the refusal of a SELECT list: which index the statement reads. Indexes with keys of several
// attributes are refused first, and only who knows the table can tell.
struct RefusedProjectionDetail : ErrorDetail {
  std::string table;
  std::string index;
};

// Parses and refuses what DynamoDB does not have. Fails with kValidation and the service's words;
// detail: perhaps RefusedProjectionDetail.
Result<std::shared_ptr<const Statement>> Translate(std::string_view text);

}  // namespace stator::partiql

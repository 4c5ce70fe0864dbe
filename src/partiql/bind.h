// What a statement means in one request: its literals and the request's parameters in their places.
// Everything here borrows from both.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "expression/condition.h"
#include "expression/update.h"
#include "partiql/statement.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::partiql {

using Parameters = std::vector<AttributeValue>;

// There is a parameter for every question mark, and each could be stored.
Result<void> CheckParameters(const Statement& statement, const std::optional<Parameters>& given);
// The latter.
Result<void> CheckParameterValues(const std::optional<Parameters>& given);

// A statement with its parameters. REQUIRES: CheckParameters.
class BoundStatement {
 public:
  BoundStatement(const Statement& statement, const std::optional<Parameters>& given)
      : statement_(statement), parameters_(given ? &*given : nullptr) {}

  [[nodiscard]] const Statement& statement() const { return statement_; }

  // Also checks what depends on the values: types of operands, bounds, limits.
  [[nodiscard]] Result<expression::Condition> Bind(const Where& where) const;
  [[nodiscard]] Result<expression::Update> Bind(const Update& update) const;
  [[nodiscard]] Result<std::optional<expression::Condition>> Bind(
      const std::optional<Where>& where) const;

  // The item to be inserted.
  [[nodiscard]] Item ItemOf(const Insert& insert) const;

  [[nodiscard]] const AttributeValue& ValueOf(ValueSlot slot) const {
    return slot.is_parameter ? (*parameters_)[slot.number] : statement_.literals[slot.number];
  }

 private:
  [[nodiscard]] expression::Bindings BindingsOf(const expression::Symbols& symbols,
                                                std::span<const ValueSlot> slots) const;

  const Statement& statement_;
  const Parameters* parameters_;
};

}  // namespace stator::partiql

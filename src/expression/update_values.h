// What the actions of an update compute, from the item as it was before.

#pragma once

#include <cstdint>
#include <optional>

#include "expression/symbols.h"
#include "expression/update_tree.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

class UpdateValues {
 public:
  // All three are borrowed; `before` is null when there is no item.
  UpdateValues(const UpdateTree& tree, const Bindings& bindings, const Item* before)
      : tree_(tree), bindings_(bindings), before_(before) {}

  // What stands at the path of the action afterwards; nothing when it is to be removed.
  [[nodiscard]] Result<std::optional<AttributeValue>> After(const UpdateAction& action) const;

 private:
  [[nodiscard]] Result<AttributeValue> Evaluate(std::uint32_t operand) const;
  [[nodiscard]] Result<AttributeValue> Sum(const UpdateOperand& operand) const;
  [[nodiscard]] Result<AttributeValue> IfNotExists(const UpdateOperand& operand) const;
  [[nodiscard]] Result<AttributeValue> ListAppend(const UpdateOperand& operand) const;
  [[nodiscard]] Result<AttributeValue> Added(const AttributeValue& old,
                                             const AttributeValue& value) const;
  [[nodiscard]] Result<std::optional<AttributeValue>> Deleted(const AttributeValue& old,
                                                              const AttributeValue& value) const;
  [[nodiscard]] std::unexpected<Error> WrongType() const;

  const UpdateTree& tree_;
  const Bindings& bindings_;
  const Item* before_;
};

}  // namespace stator::expression

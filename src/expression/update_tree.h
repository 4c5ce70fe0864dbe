// A parsed update expression: actions on document paths. Like a condition's tree it depends on the
// text alone.

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "expression/symbols.h"
#include "stator/base/result.h"

namespace stator::expression {

// A right side of SET or a part of one. Operands stand before what uses them.
struct UpdateOperand {
  enum class Kind : std::uint8_t { kPath, kValue, kAdd, kSubtract, kIfNotExists, kListAppend };

  Kind kind;
  // kPath: a number in UpdateTree::paths. kValue: in Symbols::values. Otherwise the first of
  // `count` entries of UpdateTree::arguments, which number operands.
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct UpdateAction {
  enum class Kind : std::uint8_t { kSet, kRemove, kAdd, kDelete };

  Kind kind;
  std::uint32_t path = 0;     // number in UpdateTree::paths
  std::uint32_t operand = 0;  // number in UpdateTree::operands; nothing for kRemove
};

struct UpdateTree {
  Symbols symbols;
  std::vector<Path> paths;
  std::vector<UpdateOperand> operands;
  std::vector<std::uint32_t> arguments;
  std::vector<UpdateAction> actions;  // in the order of the text
  bool legacy = false;                // from AttributeUpdates, which has words of its own
};

// The word of the expression language: "+", "if_not_exists".
std::string_view OperatorName(UpdateOperand::Kind kind);

// "SET", "REMOVE", ...
std::string_view SectionName(UpdateAction::Kind kind);

// Checks everything that the text alone decides; fails with kValidation.
Result<std::shared_ptr<const UpdateTree>> ParseUpdate(std::string_view text);

}  // namespace stator::expression

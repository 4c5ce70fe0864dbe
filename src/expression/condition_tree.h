// A parsed condition, filter or key condition: a tree whose leaves are document paths and value
// placeholders. It depends on the text alone, so it can be kept and used by requests with other
// names and values.
//
// INVARIANTS
//
//   (1) Nodes stand after their operands; the root is last. So an operand's number is below that
//       of the node that uses it, and every walk ends.
//   (2) kAnd and kOr have two or more operands, kNot has one; their operands are conditions.
//   (3) The operands of comparisons and functions are kPath, kValue or kSize.
//   (4) The number of operands of a function is what the text says; binding checks it.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expression_kind.h"
#include "expression/symbols.h"
#include "stator/base/result.h"

namespace stator::expression {

struct ConditionNode {
  enum class Kind : std::uint8_t {
    kAnd,
    kOr,
    kNot,
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kBetween,
    kIn,
    kAttributeExists,
    kAttributeNotExists,
    kAttributeType,
    kBeginsWith,
    kContains,
    kSize,
    kPath,
    kValue,
  };

  Kind kind;
  std::uint32_t first = 0;  // operand in ConditionTree::operands; of kPath and kValue see below
  std::uint32_t count = 0;  // of operands

  // kPath: the number of its path in ConditionTree::paths. kValue: of its value in Symbols::values.
  [[nodiscard]] std::uint32_t symbol() const { return first; }
};

struct ConditionTree {
  Symbols symbols;
  std::vector<Path> paths;
  std::vector<ConditionNode> nodes;
  std::vector<std::uint32_t> operands;  // numbers of nodes
  std::uint32_t operator_count = 0;     // AND, OR, NOT, comparisons and functions

  [[nodiscard]] std::uint32_t root() const { return static_cast<std::uint32_t>(nodes.size() - 1); }
  [[nodiscard]] std::span<const std::uint32_t> OperandsOf(const ConditionNode& node) const {
    return std::span(operands).subspan(node.first, node.count);
  }
};

// The word of the expression language: "AND", "<=", "BETWEEN", "begins_with".
std::string_view OperatorName(ConditionNode::Kind kind);

// Checks everything that the text alone decides. Fails with kValidation; the message begins with
// the name of the parameter.
Result<std::shared_ptr<const ConditionTree>> ParseCondition(ExpressionKind kind,
                                                            std::string_view text);

}  // namespace stator::expression

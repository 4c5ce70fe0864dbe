#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expression/legacy.h"
#include "expression/legacy_arguments.h"

namespace stator::expression {
namespace {

using Kind = ConditionNode::Kind;

Kind NodeKindOf(ComparisonOperator comparison) {
  switch (comparison) {
    case ComparisonOperator::kEq:
      return Kind::kEqual;
    case ComparisonOperator::kNe:
      return Kind::kNotEqual;
    case ComparisonOperator::kIn:
      return Kind::kIn;
    case ComparisonOperator::kLe:
      return Kind::kLessOrEqual;
    case ComparisonOperator::kLt:
      return Kind::kLess;
    case ComparisonOperator::kGe:
      return Kind::kGreaterOrEqual;
    case ComparisonOperator::kGt:
      return Kind::kGreater;
    case ComparisonOperator::kBetween:
      return Kind::kBetween;
    case ComparisonOperator::kNotNull:
      return Kind::kAttributeExists;
    case ComparisonOperator::kNull:
      return Kind::kAttributeNotExists;
    case ComparisonOperator::kContains:
    case ComparisonOperator::kNotContains:
      return Kind::kContains;
    case ComparisonOperator::kBeginsWith:
      return Kind::kBeginsWith;
  }
  std::unreachable();
}

// Builds the tree that an expression of the same meaning would have.
class TreeBuilder {
 public:
  void Add(std::string_view attribute, ComparisonOperator comparison,
           std::span<const AttributeValue> arguments) {
    const std::uint32_t path = AddPath(attribute);
    std::vector<std::uint32_t> operands = {path};
    for (const AttributeValue& argument : arguments) {
      operands.push_back(AddLeaf(Kind::kValue, values_.size()));
      values_.push_back(&argument);
    }
    std::uint32_t node = AddNode(NodeKindOf(comparison), operands);
    if (comparison == ComparisonOperator::kNotContains) {
      // Unlike the expression NOT contains(...) it wants the attribute to be there.
      node = AddNode(Kind::kNot, std::array{node});
      const std::uint32_t exists = AddNode(Kind::kAttributeExists, std::array{path});
      node = AddNode(Kind::kAnd, std::array{exists, node});
    }
    conditions_.push_back(node);
  }

  Condition Finish(ConditionalOperator join) {
    if (conditions_.size() > 1) {
      AddNode(join == ConditionalOperator::kAnd ? Kind::kAnd : Kind::kOr, conditions_);
    }
    // Nothing looks at the text of a value's placeholder once it is bound.
    tree_.symbols.values.resize(values_.size());
    auto tree = std::make_shared<const ConditionTree>(std::move(tree_));
    Bindings bindings = BindLiterally(tree->symbols, values_);
    return Condition(std::move(tree), std::move(bindings));
  }

 private:
  std::uint32_t AddPath(std::string_view attribute) {
    const auto number = static_cast<std::uint32_t>(tree_.symbols.names.size());
    tree_.symbols.names.push_back({.text = std::string(attribute)});
    tree_.symbols.steps.push_back({.is_index = false, .number = number});
    tree_.paths.push_back({.first_step = number, .step_count = 1});
    return AddLeaf(Kind::kPath, number);
  }

  std::uint32_t AddLeaf(Kind kind, std::size_t symbol) {
    tree_.nodes.push_back({.kind = kind, .first = static_cast<std::uint32_t>(symbol)});
    return tree_.root();
  }

  std::uint32_t AddNode(Kind kind, std::span<const std::uint32_t> operands) {
    tree_.nodes.push_back({.kind = kind,
                           .first = static_cast<std::uint32_t>(tree_.operands.size()),
                           .count = static_cast<std::uint32_t>(operands.size())});
    tree_.operands.insert(tree_.operands.end(), operands.begin(), operands.end());
    return tree_.root();
  }

  ConditionTree tree_;
  std::vector<const AttributeValue*> values_;
  std::vector<std::uint32_t> conditions_;
};

std::unexpected<Error> WrongFields(std::string_view what, std::string_view attribute) {
  return InvalidParameter(std::string(what) + " for Attribute: " + std::string(attribute));
}

// Which of the fields of an entry of Expected may stand together.
Result<void> CheckFields(const ExpectedAttribute& expected) {
  if (expected.value != nullptr && expected.values != nullptr) {
    return WrongFields("Value and AttributeValueList cannot be used together", expected.attribute);
  }
  if (expected.comparison) {
    if (expected.exists) {
      return WrongFields("Exists and ComparisonOperator cannot be used together",
                         expected.attribute);
    }
    const bool wants_none = *expected.comparison == ComparisonOperator::kNull ||
                            *expected.comparison == ComparisonOperator::kNotNull;
    if (!wants_none && expected.value == nullptr && expected.values == nullptr) {
      return WrongFields("Value or AttributeValueList must be used with ComparisonOperator: " +
                             std::string(NameOf(*expected.comparison)),
                         expected.attribute);
    }
    return {};
  }
  if (expected.values != nullptr) {
    return WrongFields("AttributeValueList can only be used with a ComparisonOperator",
                       expected.attribute);
  }
  if (expected.exists.value_or(true) && expected.value == nullptr) {
    return WrongFields(
        "Value must be provided when Exists is " + std::string(expected.exists ? "true" : "null"),
        expected.attribute);
  }
  if (!expected.exists.value_or(true) && expected.value != nullptr) {
    return WrongFields("Value cannot be used when Exists is false", expected.attribute);
  }
  return {};
}

ComparisonOperator ComparisonOf(const ExpectedAttribute& expected) {
  if (expected.comparison) {
    return *expected.comparison;
  }
  return expected.exists.value_or(true) ? ComparisonOperator::kEq : ComparisonOperator::kNull;
}

}  // namespace

Result<Condition> ConditionFromExpected(std::span<const ExpectedAttribute> expected,
                                        ConditionalOperator join) {
  TreeBuilder builder;
  for (const ExpectedAttribute& entry : expected) {
    TRY_VOID(CheckFields(entry));
    const std::span<const AttributeValue> arguments =
        entry.value != nullptr ? std::span(entry.value, 1) : ArgumentsOf(entry.values);
    const ComparisonOperator comparison = ComparisonOf(entry);
    TRY_VOID(CheckArguments(comparison, arguments));
    builder.Add(entry.attribute, comparison, arguments);
  }
  return builder.Finish(join);
}

Result<Condition> ConditionFromFilter(std::span<const AttributeComparison> filter,
                                      ConditionalOperator join) {
  TreeBuilder builder;
  for (const AttributeComparison& entry : filter) {
    const std::span<const AttributeValue> arguments = ArgumentsOf(entry.values);
    TRY_VOID(CheckArguments(entry.comparison, arguments));
    builder.Add(entry.attribute, entry.comparison, arguments);
  }
  return builder.Finish(join);
}

}  // namespace stator::expression

#include <array>
#include <span>
#include <utility>

#include "base/try.h"
#include "partiql/translator.h"

namespace stator::partiql {

using TokenKind = Token::Kind;
using ConditionKind = expression::ConditionNode::Kind;

namespace {

struct NamedKind {
  std::string_view name;
  ConditionKind kind;
};

constexpr std::array<NamedKind, 6> kComparisons = {{
    {"=", ConditionKind::kEqual},
    {"<>", ConditionKind::kNotEqual},
    {"<", ConditionKind::kLess},
    {"<=", ConditionKind::kLessOrEqual},
    {">", ConditionKind::kGreater},
    {">=", ConditionKind::kGreaterOrEqual},
}};

constexpr std::array<NamedKind, 6> kFunctions = {{
    {"begins_with", ConditionKind::kBeginsWith},
    {"contains", ConditionKind::kContains},
    {"attribute_exists", ConditionKind::kAttributeExists},
    {"attribute_not_exists", ConditionKind::kAttributeNotExists},
    {"attribute_type", ConditionKind::kAttributeType},
    {"size", ConditionKind::kSize},
}};

std::optional<ConditionKind> Find(std::span<const NamedKind> kinds, std::string_view name) {
  for (const NamedKind& known : kinds) {
    if (known.name == name) {
      return known.kind;
    }
  }
  return std::nullopt;
}

constexpr std::string_view kBadIn =
    "IN operator must have a left hand argument of type Variable Reference and right hand argument "
    "of type Seq with at least one member";

}  // namespace

class ConditionTranslator {
 public:
  explicit ConditionTranslator(Translator& owner) : owner_(owner), syntax_(owner.tree_) {}

  Result<Where> Run(const SyntaxNode& node) {
    if (!IsCondition(node) || IsSize(node)) {
      return Invalid("WHERE clause must contain an expression that resolves to a boolean");
    }
    TRY_VOID(Condition(node));
    where_.tree = std::make_shared<const expression::ConditionTree>(std::move(tree_));
    return std::move(where_);
  }

 private:
  using Kind = SyntaxNode::Kind;
  using Number = std::uint32_t;

  Result<Number> Condition(const SyntaxNode& node);
  Result<Number> AndOr(const SyntaxNode& node, std::string_view word);
  Result<void> Join(const SyntaxNode& node, std::string_view word, std::vector<Number>& into);
  Result<Number> Not(const SyntaxNode& node);
  Result<Number> Comparison(const SyntaxNode& node, ConditionKind kind);
  Result<Number> Between(const SyntaxNode& node);
  Result<Number> In(const SyntaxNode& node);
  Result<Number> IsType(const SyntaxNode& node);
  Result<Number> Call(const SyntaxNode& node);
  Result<Number> Operand(const SyntaxNode& node);
  [[nodiscard]] Result<void> CheckUse(const SyntaxNode& call, bool as_value) const;
  [[nodiscard]] std::unexpected<Error> BadToken(const SyntaxNode& node) const;
  [[nodiscard]] bool IsCondition(const SyntaxNode& node) const;
  [[nodiscard]] bool IsSize(const SyntaxNode& node) const;

  Number Add(ConditionKind kind, std::span<const Number> operands) {
    const auto first = static_cast<Number>(tree_.operands.size());
    tree_.operands.insert(tree_.operands.end(), operands.begin(), operands.end());
    tree_.nodes.push_back(
        {.kind = kind, .first = first, .count = static_cast<Number>(operands.size())});
    return static_cast<Number>(tree_.nodes.size() - 1);
  }
  Number AddOperator(ConditionKind kind, std::span<const Number> operands) {
    ++tree_.operator_count;
    return Add(kind, operands);
  }
  Number AddLeaf(ConditionKind kind, std::size_t symbol) {
    tree_.nodes.push_back({.kind = kind, .first = static_cast<Number>(symbol), .count = 0});
    return static_cast<Number>(tree_.nodes.size() - 1);
  }
  Number AddSlot(ValueSlot slot) {
    where_.values.push_back(slot);
    tree_.symbols.values.emplace_back("?");
    return AddLeaf(ConditionKind::kValue, where_.values.size() - 1);
  }
  Number AddValue(AttributeValue value) {
    owner_.statement_.literals.push_back(std::move(value));
    return AddSlot({.is_parameter = false,
                    .number = static_cast<Number>(owner_.statement_.literals.size() - 1)});
  }
  Number Negated(Number node, bool negate) {
    return negate ? AddOperator(ConditionKind::kNot, std::array{node}) : node;
  }

  Translator& owner_;
  const SyntaxTree& syntax_;
  expression::ConditionTree tree_;
  Where where_;
};

bool ConditionTranslator::IsCondition(const SyntaxNode& node) const {
  return node.kind != Kind::kPath && !owner_.IsValue(node) && !owner_.IsPath(node);
}

// The one function that gives a value.
bool ConditionTranslator::IsSize(const SyntaxNode& node) const {
  return node.kind == Kind::kCall && Lower(syntax_.TokenOf(node).text) == "size";
}

std::unexpected<Error> ConditionTranslator::BadToken(const SyntaxNode& node) const {
  switch (node.kind) {
    case Kind::kBinary:
    case Kind::kTernary:
    case Kind::kUnary: {
      std::string word = syntax_.TokenOf(node).text;
      word = word == "not_like" ? "like" : word;
      return Invalid("Unsupported operator in Condition Expression. Operator: " + word);
    }
    default:
      return Invalid("Unsupported token in expression: " + owner_.NameOfKind(node) +
                     At(syntax_.PositionOf(node)));
  }
}

Result<ConditionTranslator::Number> ConditionTranslator::Condition(const SyntaxNode& node) {
  if (node.kind == Kind::kCall) {
    TRY_VOID(CheckUse(node, false));
    return Call(node);
  }
  if (node.kind == Kind::kUnary) {
    return syntax_.TokenOf(node).text == "not" ? Not(node) : Result<Number>(BadToken(node));
  }
  if (node.kind == Kind::kTernary) {
    const std::string& word = syntax_.TokenOf(node).text;
    return word.ends_with("between") ? Between(node) : Result<Number>(BadToken(node));
  }
  if (node.kind != Kind::kBinary) {
    return BadToken(node);
  }
  const std::string& word = syntax_.TokenOf(node).text;
  if (word == "and" || word == "or") {
    return AndOr(node, word);
  }
  if (word == "in" || word == "not_in") {
    return In(node);
  }
  if (word == "is" || word == "is_not") {
    return IsType(node);
  }
  const std::optional<ConditionKind> comparison = Find(kComparisons, word);
  return comparison ? Comparison(node, *comparison) : Result<Number>(BadToken(node));
}

Result<ConditionTranslator::Number> ConditionTranslator::AndOr(const SyntaxNode& node,
                                                               std::string_view word) {
  std::vector<Number> operands;
  TRY_VOID(Join(node, word, operands));
  tree_.operator_count += static_cast<Number>(operands.size() - 1);
  return Add(word == "and" ? ConditionKind::kAnd : ConditionKind::kOr, operands);
}

// a AND b AND c is one conjunction of three. Recursion is bounded by the depth of the tree.
Result<void> ConditionTranslator::Join(const SyntaxNode& node, std::string_view word,
                                       std::vector<Number>& into) {
  for (std::size_t i = 0; i < 2; ++i) {
    const SyntaxNode& side = syntax_.Child(node, i);
    if (!IsCondition(side)) {
      return Invalid("The arguments to AND/OR must be Expressions");
    }
    if (IsSize(side)) {
      return Invalid("Incorrect operand type for operator or function; operator or function: " +
                     Upper(word) + ", operand type: N");
    }
    if (side.kind == Kind::kBinary && syntax_.TokenOf(side).text == word) {
      TRY_VOID(Join(side, word, into));
    } else {
      into.push_back(TRY(Condition(side)));
    }
  }
  return {};
}

Result<ConditionTranslator::Number> ConditionTranslator::Not(const SyntaxNode& node) {
  const SyntaxNode& of = syntax_.Child(node, 0);
  if (!IsCondition(of)) {
    return Invalid("The argument to NOT must be a Type or Expression");
  }
  const Number condition = TRY(Condition(of));
  return Negated(condition, true);
}

Result<ConditionTranslator::Number> ConditionTranslator::Comparison(const SyntaxNode& node,
                                                                    ConditionKind kind) {
  const SyntaxNode& left = syntax_.Child(node, 0);
  const SyntaxNode& right = syntax_.Child(node, 1);
  const auto is_bool = [&](const SyntaxNode& side) {
    return side.kind == Kind::kAtom && syntax_.TokenOf(side).kind == TokenKind::kBool;
  };
  const auto is_predicate = [&](const SyntaxNode& side) {
    return IsCondition(side) && !IsSize(side);
  };
  // begins_with(a, 'x') = FALSE
  const bool swapped = is_bool(left);
  const SyntaxNode& predicate = swapped ? right : left;
  const SyntaxNode& wanted = swapped ? left : right;
  if (kind == ConditionKind::kEqual && is_predicate(predicate) && is_bool(wanted)) {
    const Number condition = TRY(Condition(predicate));
    return Negated(condition, syntax_.TokenOf(wanted).text == "false");
  }
  const Number first = TRY(Operand(left));
  const Number second = TRY(Operand(right));
  return AddOperator(kind, std::array{first, second});
}

Result<ConditionTranslator::Number> ConditionTranslator::Between(const SyntaxNode& node) {
  std::array<Number, 3> operands{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    operands[i] = TRY(Operand(syntax_.Child(node, i)));
  }
  const Number between = AddOperator(ConditionKind::kBetween, operands);
  return Negated(between, syntax_.TokenOf(node).text == "not_between");
}

Result<ConditionTranslator::Number> ConditionTranslator::In(const SyntaxNode& node) {
  const SyntaxNode& list = syntax_.Child(node, 1);
  const bool sequence = list.kind == Kind::kList || list.kind == Kind::kBag ||
                        (list.kind == Kind::kCall && owner_.IsValue(list));
  if (!sequence || list.children.empty()) {
    return Invalid(std::string(kBadIn));
  }
  std::vector<Number> operands = {TRY(Operand(syntax_.Child(node, 0)))};
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    operands.push_back(TRY(Operand(syntax_.Child(list, i))));
  }
  const Number in = AddOperator(ConditionKind::kIn, operands);
  return Negated(in, syntax_.TokenOf(node).text == "not_in");
}

Result<ConditionTranslator::Number> ConditionTranslator::IsType(const SyntaxNode& node) {
  const SyntaxNode& type = syntax_.Child(node, 1);
  const std::string& word = syntax_.TokenOf(type).text;
  const bool negate = syntax_.TokenOf(node).text == "is_not";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTypes = {{
      {"null", "NULL"},
      {"boolean", "BOOL"},
      {"string", "S"},
      {"numeric", "N"},
      {"blob", "B"},
      {"list", "L"},
      {"struct", "M"},
      {"tuple", "M"},
  }};
  const Number operand = TRY(Operand(syntax_.Child(node, 0)));
  if (word == "missing") {
    const Number missing = AddOperator(ConditionKind::kAttributeNotExists, std::array{operand});
    return Negated(missing, negate);
  }
  for (const auto& [name, code] : kTypes) {
    if (name == word) {
      const Number wanted = AddValue(AttributeValue(std::string(code)));
      const Number is = AddOperator(ConditionKind::kAttributeType, std::array{operand, wanted});
      return Negated(is, negate);
    }
  }
  if (word == "integer4" || word == "integer8") {
    return Invalid("Unsupported operation: IsType");
  }
  return Invalid("Unsupported data type for IS operator: " + Upper(word) +
                 ". Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, "
                 "STRUCT, TUPLE, LIST]" +
                 At(syntax_.PositionOf(node)));
}

Result<ConditionTranslator::Number> ConditionTranslator::Call(const SyntaxNode& node) {
  const std::string name = Lower(syntax_.TokenOf(node).text);
  if (name == "list_append" || name == "if_not_exists") {
    return Invalid("The function is not allowed in a condition expression; function: " + name);
  }
  std::vector<Number> operands;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    operands.push_back(TRY(Operand(syntax_.Child(node, i))));
  }
  const std::optional<ConditionKind> kind = Find(kFunctions, name);
  if (!kind) {
    return Invalid("Unrecognized function: " + name + At(syntax_.PositionOf(node)));
  }
  return AddOperator(*kind, operands);
}

// size() gives a value, the others are conditions.
Result<void> ConditionTranslator::CheckUse(const SyntaxNode& call, bool as_value) const {
  const std::string name = Lower(syntax_.TokenOf(call).text);
  const std::optional<ConditionKind> kind = Find(kFunctions, name);
  if (kind && (*kind == ConditionKind::kSize) != as_value) {
    return Invalid("The function is not allowed to be used this way in an expression; function: " +
                   name);
  }
  return {};
}

Result<ConditionTranslator::Number> ConditionTranslator::Operand(const SyntaxNode& node) {
  if (owner_.IsPath(node)) {
    const std::vector<PathElement> path = TRY(owner_.Path(node));
    tree_.paths.push_back(AddPath(path, tree_.symbols));
    return AddLeaf(ConditionKind::kPath, tree_.paths.size() - 1);
  }
  if (node.kind == Kind::kAtom && syntax_.TokenOf(node).kind == TokenKind::kMissing) {
    return Invalid("MISSING must be compared using IS operator");
  }
  if (owner_.IsValue(node)) {
    const ValueSlot slot = TRY(owner_.Slot(node));
    return AddSlot(slot);
  }
  if (node.kind == Kind::kCall) {
    TRY_VOID(CheckUse(node, true));
    return Call(node);
  }
  return BadToken(node);
}

Result<Where> Translator::Condition(const Node& node) {
  return ConditionTranslator(*this).Run(node);
}

}  // namespace stator::partiql

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "partiql/translator.h"

namespace stator::partiql {

using ActionKind = expression::UpdateAction::Kind;
using OperandKind = expression::UpdateOperand::Kind;

namespace {

bool IsConditionFunction(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {"begins_with",      "contains",
                                                      "attribute_exists", "attribute_not_exists",
                                                      "attribute_type",   "size"};
  return std::ranges::find(kNames, name) != kNames.end();
}

bool Same(const std::vector<PathElement>& left, const std::vector<PathElement>& right) {
  return std::ranges::equal(left, right, [](const PathElement& one, const PathElement& two) {
    return one.is_index == two.is_index && one.index == two.index && one.name == two.name;
  });
}

}  // namespace

class UpdateTranslator {
 public:
  UpdateTranslator(Translator& owner, Update& update)
      : owner_(owner), syntax_(owner.tree_), update_(update) {}

  Result<void> Run(const SyntaxNode& operations) {
    if (operations.kind == Kind::kOperations) {
      for (const std::uint32_t each : operations.children) {
        TRY_VOID(Operation(syntax_.nodes[each]));
      }
    } else {
      TRY_VOID(Operation(operations));
    }
    update_.tree = std::make_shared<const expression::UpdateTree>(std::move(tree_));
    return {};
  }

 private:
  using Kind = SyntaxNode::Kind;
  using Number = std::uint32_t;

  Result<void> Operation(const SyntaxNode& node);
  Result<void> Assign(const SyntaxNode& assignment);
  Result<void> ChangeSet(const SyntaxNode& call, const std::vector<PathElement>& target,
                         ActionKind kind);
  Result<Number> Operand(const SyntaxNode& node);
  Result<Number> Call(const SyntaxNode& node);
  Result<Number> Operator(OperandKind kind, const SyntaxNode& node);

  Number AddPathTo(const std::vector<PathElement>& path) {
    tree_.paths.push_back(AddPath(path, tree_.symbols));
    return static_cast<Number>(tree_.paths.size() - 1);
  }
  Number AddOperand(OperandKind kind, std::size_t first, std::size_t count = 0) {
    tree_.operands.push_back(
        {.kind = kind, .first = static_cast<Number>(first), .count = static_cast<Number>(count)});
    return static_cast<Number>(tree_.operands.size() - 1);
  }
  Number AddSlot(ValueSlot slot) {
    update_.values.push_back(slot);
    tree_.symbols.values.emplace_back("?");
    return AddOperand(OperandKind::kValue, update_.values.size() - 1);
  }

  Translator& owner_;
  const SyntaxTree& syntax_;
  Update& update_;
  expression::UpdateTree tree_;
};

Result<void> UpdateTranslator::Operation(const SyntaxNode& node) {
  if (node.kind == Kind::kSet) {
    for (const std::uint32_t assignment : node.children) {
      TRY_VOID(Assign(syntax_.nodes[assignment]));
    }
    return {};
  }
  if (node.kind == Kind::kRemove) {
    const std::vector<PathElement> path = TRY(owner_.Path(syntax_.Child(node, 0)));
    tree_.actions.push_back({.kind = ActionKind::kRemove, .path = AddPathTo(path), .operand = 0});
    return {};
  }
  return Invalid("Unsupported FROM ... WHERE ... clause in INSERT statement." +
                 At(syntax_.PositionOf(syntax_.root())));
}

Result<void> UpdateTranslator::Assign(const SyntaxNode& assignment) {
  const std::vector<PathElement> target = TRY(owner_.Path(syntax_.Child(assignment, 0)));
  const SyntaxNode& value = syntax_.Child(assignment, 1);
  if (value.kind == Kind::kCall) {
    const std::string name = Lower(syntax_.TokenOf(value).text);
    if (name == "set_add" || name == "set_delete") {
      return ChangeSet(value, target, name == "set_add" ? ActionKind::kAdd : ActionKind::kDelete);
    }
  }
  const Number path = AddPathTo(target);
  const Number operand = TRY(Operand(value));
  tree_.actions.push_back({.kind = ActionKind::kSet, .path = path, .operand = operand});
  return {};
}

Result<void> UpdateTranslator::ChangeSet(const SyntaxNode& call,
                                         const std::vector<PathElement>& target, ActionKind kind) {
  const std::string name = Upper(syntax_.TokenOf(call).text);
  const std::string at = At(syntax_.PositionOf(call));
  if (call.children.size() != 2) {
    return Invalid(name + " must have exactly two arguments" + at);
  }
  const SyntaxNode& first = syntax_.Child(call, 0);
  if (!owner_.IsPath(first) || !Same(TRY(owner_.Path(first)), target)) {
    return Invalid("The first argument to " + name + " must equal the assignment value" + at);
  }
  const Position position =
      syntax_.PositionOf(first.kind == Kind::kPath ? syntax_.Child(first, 0) : first);
  const std::string refusal =
      "The second argument to " + name + " must be a value with type SET" + At(position);
  // What cannot be a value at all is said first.
  const SyntaxNode& second = syntax_.Child(call, 1);
  const bool parameter = second.kind == Kind::kParameter;
  const bool bag = second.kind == Kind::kBag ||
                   (second.kind == Kind::kCall && Lower(syntax_.TokenOf(second).text) == "bag");
  const Number operand = TRY(Operand(second));
  if (!parameter && !bag) {
    return Invalid(refusal);
  }
  if (parameter) {
    update_.sets.push_back({.value = update_.values.back(), .refusal = refusal});
  }
  const Number path = AddPathTo(target);
  tree_.actions.push_back({.kind = kind, .path = path, .operand = operand});
  return {};
}

// Recursion is bounded by the depth of the tree.
Result<UpdateTranslator::Number> UpdateTranslator::Operand(const SyntaxNode& node) {
  if (owner_.IsPath(node)) {
    const std::vector<PathElement> path = TRY(owner_.Path(node));
    return AddOperand(OperandKind::kPath, AddPathTo(path));
  }
  if (node.kind == Kind::kAtom && syntax_.TokenOf(node).kind == Token::Kind::kMissing) {
    return Invalid("MISSING must be compared using IS operator");
  }
  if (owner_.IsValue(node)) {
    const ValueSlot slot = TRY(owner_.Slot(node));
    return AddSlot(slot);
  }
  if (node.kind == Kind::kCall) {
    return Call(node);
  }
  if (node.kind == Kind::kBinary || node.kind == Kind::kUnary || node.kind == Kind::kTernary) {
    const std::string& word = syntax_.TokenOf(node).text;
    if (node.kind == Kind::kBinary && (word == "+" || word == "-")) {
      return Operator(word == "+" ? OperandKind::kAdd : OperandKind::kSubtract, node);
    }
    if (node.kind == Kind::kUnary && word != "not") {
      return Invalid(
          "Incorrect number of operands for operator or function; operator or function: " + word +
          ", number of operands: 1");
    }
    if (word == "is" || word == "is_not") {
      return Invalid("IS operator is not supported in update expressions");
    }
    return Invalid("Unsupported operator in Update Expression. Operator: " + word);
  }
  return Invalid("Unsupported token in expression: " + owner_.NameOfKind(node) +
                 At(syntax_.PositionOf(node)));
}

Result<UpdateTranslator::Number> UpdateTranslator::Call(const SyntaxNode& node) {
  const std::string name = Lower(syntax_.TokenOf(node).text);
  if (name == "list_append") {
    return Operator(OperandKind::kListAppend, node);
  }
  if (name == "if_not_exists") {
    return Operator(OperandKind::kIfNotExists, node);
  }
  if (IsConditionFunction(name)) {
    return Invalid("The function is not allowed in an update expression; function: " + name);
  }
  return Invalid("Unrecognized function: " + name + At(syntax_.PositionOf(node)));
}

Result<UpdateTranslator::Number> UpdateTranslator::Operator(OperandKind kind,
                                                            const SyntaxNode& node) {
  std::vector<Number> arguments;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    arguments.push_back(TRY(Operand(syntax_.Child(node, i))));
  }
  const std::size_t first = tree_.arguments.size();
  tree_.arguments.insert(tree_.arguments.end(), arguments.begin(), arguments.end());
  return AddOperand(kind, first, arguments.size());
}

Result<Update> Translator::TranslateUpdate(const Node& node) {
  Update update;
  const Node& operations = tree_.Child(node, 0);
  const bool inserts = operations.kind == Kind::kInsertValue || operations.kind == Kind::kInsert;
  if (inserts) {
    return Invalid("Unsupported FROM ... WHERE ... clause in INSERT statement." +
                   At(tree_.PositionOf(node)));
  }
  update.table = TRY(WrittenTable(tree_.Child(node, 1)));
  TRY_VOID(UpdateTranslator(*this, update).Run(operations));
  update.where = TRY(OptionalWhere(node));
  update.returning = TRY(Returning(node));
  return update;
}

}  // namespace stator::partiql

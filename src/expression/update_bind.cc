#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expression/binder.h"
#include "expression/update.h"
#include "expression/words.h"

namespace stator::expression {
namespace {

using Kind = UpdateOperand::Kind;
using Type = AttributeValue::Type;

bool IsSet(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

// Binds the paths that are written, then the values. The service takes both from the last action
// to the first.
class UpdateBinder {
 public:
  UpdateBinder(const UpdateTree& tree, Substitutions& substitutions)
      : kind_(ExpressionKind::kUpdate), tree_(tree), binder_(kind_, tree.symbols, substitutions) {}
  UpdateBinder(const UpdateTree& tree, Bindings bindings)
      : kind_(ExpressionKind::kStatement),
        tree_(tree),
        binder_(kind_, tree.symbols, std::move(bindings)) {}

  Result<Bindings> Bind() {
    std::vector<Path> written;
    written.reserve(tree_.actions.size());
    for (const UpdateAction& action : tree_.actions) {
      written.push_back(tree_.paths[action.path]);
    }
    TRY_VOID(binder_.BindDistinctPaths(written));
    for (std::size_t i = tree_.actions.size(); i-- > 0;) {
      TRY_VOID(BindAction(tree_.actions[i]));
      TRY_VOID(CheckOperatorCount(kind_, operators_));
    }
    return binder_.Take();
  }

 private:
  Result<void> BindAction(const UpdateAction& action);
  Result<void> BindOperand(std::uint32_t number);
  [[nodiscard]] Result<void> CheckOperator(const UpdateOperand& operand) const;

  [[nodiscard]] const UpdateOperand& Argument(const UpdateOperand& operand,
                                              std::size_t index) const {
    return tree_.operands[tree_.arguments[operand.first + index]];
  }

  ExpressionKind kind_;
  const UpdateTree& tree_;
  Binder binder_;
  std::size_t operators_ = 0;  // +, - and functions, in the actions so far
};

Result<void> UpdateBinder::BindAction(const UpdateAction& action) {
  if (action.kind == UpdateAction::Kind::kRemove) {
    return {};
  }
  TRY_VOID(BindOperand(action.operand));
  if (action.kind == UpdateAction::Kind::kSet) {
    return {};
  }
  const Type type = binder_.bindings().values[tree_.operands[action.operand].first]->type();
  const bool is_add = action.kind == UpdateAction::Kind::kAdd;
  if (!IsSet(type) && !(is_add && type == Type::kNumber)) {
    std::string what = "Incorrect operand type for operator or function; operator: ";
    what += SectionName(action.kind);
    what += ", operand type: ";
    what += LongTypeName(type);
    what += is_add ? ", typeSet: ALLOWED_FOR_ADD_OPERAND" : ", typeSet: ALLOWED_FOR_DELETE_OPERAND";
    return binder_.Fail(what);
  }
  return {};
}

// Recursion is bounded: the parser bounds how deep calls nest.
Result<void> UpdateBinder::BindOperand(std::uint32_t number) {
  const UpdateOperand& operand = tree_.operands[number];
  switch (operand.kind) {
    case Kind::kPath:
      return binder_.BindPath(tree_.paths[operand.first]);
    case Kind::kValue:
      return binder_.BindValue(operand.first);
    default:
      break;
  }
  ++operators_;
  for (std::size_t i = 0; i < operand.count; ++i) {
    TRY_VOID(BindOperand(tree_.arguments[operand.first + i]));
  }
  return CheckOperator(operand);
}

Result<void> UpdateBinder::CheckOperator(const UpdateOperand& operand) const {
  const std::string_view name = OperatorName(operand.kind);
  if (operand.count != 2) {
    return binder_.Fail(WrongOperandCount(name, operand.count));
  }
  if (operand.kind == Kind::kIfNotExists) {
    if (Argument(operand, 0).kind != Kind::kPath) {
      return binder_.Fail(PathRequired(name));
    }
    return {};
  }
  const Type wanted = operand.kind == Kind::kListAppend ? Type::kList : Type::kNumber;
  for (std::size_t i = 0; i < 2; ++i) {
    const UpdateOperand& argument = Argument(operand, i);
    if (argument.kind != Kind::kValue) {
      continue;
    }
    const Type type = binder_.bindings().values[argument.first]->type();
    if (type != wanted) {
      return binder_.Fail(WrongOperandType(name, TypeName(type)));
    }
  }
  return {};
}

}  // namespace

Result<Update> Update::Bind(std::shared_ptr<const UpdateTree> tree, Substitutions& substitutions) {
  Bindings bindings = TRY(UpdateBinder(*tree, substitutions).Bind());
  return Update(std::move(tree), std::move(bindings));
}

Result<Update> Update::Bind(std::shared_ptr<const UpdateTree> tree, Bindings bindings) {
  Bindings checked = TRY(UpdateBinder(*tree, std::move(bindings)).Bind());
  return Update(std::move(tree), std::move(checked));
}

}  // namespace stator::expression

// The lists of TransactGetItems and TransactWriteItems. Actions are looked at one by one, each
// wholly before the next.

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/limits.h"
#include "request/checks.h"
#include "request/steps.h"
#include "value/size.h"

namespace stator::request {
namespace {

using api::MemberPath;

constexpr api::Layer kWriteLayer = api::kLayerOf<TransactWriteItemsInput>;

const Item& ContentOf(const TransactPut& put) {
  return put.item;
}
template <class Keyed>
const Item& ContentOf(const Keyed& action) {
  return action.key;
}

// `path` is the structure inside the element ("transactItems.1.member.put").
template <class Action>
Result<WriteExpressions> CheckAction(const Action& action, const Context& context,
                                     const MemberPath& path) {
  constexpr bool kIsUpdate = std::is_same_v<Action, TransactUpdate>;
  constexpr bool kIsPut = std::is_same_v<Action, TransactPut>;
  const std::optional<std::string> condition = action.condition_expression;
  const auto check = [&](std::initializer_list<expression::Parameter> parameters) {
    return CheckExpressionParameters(
        {
            .non_expression = {},
            .expression = parameters,
            .names = action.expression_attribute_names,
            .values = PointerTo(action.expression_attribute_values),
        },
        kWriteLayer);
  };
  const expression::Parameter of_condition = {"ConditionExpression", condition.has_value()};
  if constexpr (kIsUpdate) {
    TRY_VOID(check({{"UpdateExpression", true}, of_condition}));
  } else {
    TRY_VOID(check({of_condition}));
  }
  expression::Substitutions substitutions =
      SubstitutionsOf(action.expression_attribute_names, action.expression_attribute_values);
  TRY_VOID(CheckPlaceholders(context, substitutions, &path));
  // They become part of the token's digest, which encodes only what could be stored.
  TRY_VOID(substitutions.CheckValues());
  WriteExpressions expressions;
  if constexpr (kIsUpdate) {
    expressions.update =
        TRY(context.expressions.BindUpdate(action.update_expression, substitutions));
  }
  if (condition) {
    expressions.condition = TRY(context.expressions.BindCondition(
        expression::ExpressionKind::kCondition, *condition, substitutions));
  }
  TRY_VOID(substitutions.CheckAllUsed());
  TRY_VOID(CheckContent(context, kIsPut ? "Item" : "Key", ContentOf(action), &path));
  if constexpr (kIsPut) {
    TRY_VOID(CheckItemSize(value::SizeOfItem(action.item)));
  }
  return expressions;
}

std::string_view MemberOf(const TransactWriteItem& item) {
  constexpr std::string_view kMembers[] = {"ConditionCheck", "Put", "Delete", "Update"};
  return kMembers[item.index()];
}

// An element that is no action, or several, is a fault of its own.
Result<WriteExpressions> CheckElement(const TransactWriteItem& item, const Context& context,
                                      const MemberPath& element) {
  TRY_VOID(context.noticed.FaultAt(element));
  const MemberPath path = MemberPath::Member(&element, MemberOf(item));
  return std::visit([&](const auto& action) { return CheckAction(action, context, path); }, item);
}

Result<std::optional<expression::Projection>> CheckGet(const TransactGet& get,
                                                       const Context& context,
                                                       const MemberPath& path) {
  TRY_VOID(CheckExpressionParameters(
      {
          .non_expression = {},
          .expression = {{"ProjectionExpression", get.projection_expression.has_value()}},
          .names = get.expression_attribute_names,
          .values = nullptr,
      },
      api::kLayerOf<TransactGetItemsInput>));
  TRY_VOID(CheckContent(context, "Key", get.key, &path));
  expression::Substitutions substitutions =
      SubstitutionsOf(get.expression_attribute_names, std::nullopt);
  TRY_VOID(substitutions.CheckParameters());
  std::optional<expression::Projection> projection = TRY(
      ProjectionOf(context.expressions, get.projection_expression, std::nullopt, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return projection;
}

}  // namespace

Result<Projections> Check(const TransactGetItemsInput& input, const Context& context) {
  TRY_VOID(CheckConstraints(input, context));
  const MemberPath list = MemberPath::Member(nullptr, "TransactItems");
  Projections projections;
  for (std::size_t at = 0; at < input.transact_items.size(); ++at) {
    const MemberPath element = MemberPath::Element(&list, at);
    const MemberPath path = MemberPath::Member(&element, "Get");
    TRY_VOID(context.noticed.FaultAt(element));
    projections.push_back(TRY(CheckGet(input.transact_items[at], context, path)));
  }
  return projections;
}

Result<std::vector<WriteExpressions>> Check(const TransactWriteItemsInput& input,
                                            const Context& context) {
  TRY_VOID(CheckConstraints(input, context));
  const MemberPath list = MemberPath::Member(nullptr, "TransactItems");
  std::vector<WriteExpressions> expressions;
  expressions.reserve(input.transact_items.size());
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < input.transact_items.size(); ++at) {
    const TransactWriteItem& item = input.transact_items[at];
    const MemberPath element = MemberPath::Element(&list, at);
    expressions.push_back(TRY(CheckElement(item, context, element)));
    bytes +=
        std::visit([](const auto& action) { return value::SizeOfItem(ContentOf(action)); }, item);
  }
  if (bytes > limits::kTransactionBytesMax) {
    return Invalid("Transaction payload size cannot exceed 4MB. Payload Size: " +
                   std::to_string(bytes));
  }
  return expressions;
}

}  // namespace stator::request

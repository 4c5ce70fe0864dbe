// The lists of PutItem, DeleteItem and UpdateItem.

#include "base/limits.h"
#include "request/checks.h"
#include "request/steps.h"
#include "value/size.h"

namespace stator::request {
namespace {

// PutItem and DeleteItem replace or remove an item as a whole; their inputs have these members in
// common and no base. `member` is the item or the key.
template <class Input>
Result<void> CheckWhole(const Input& input, std::string_view member, const Item& item,
                        const Context& context) {
  TRY_VOID(CheckExpressionParameters(
      {
          .non_expression = {{"Expected", input.expected.has_value()}},
          .expression = {{"ConditionExpression", input.condition_expression.has_value()}},
          .names = input.expression_attribute_names,
          .values = PointerTo(input.expression_attribute_values),
      },
      api::kLayerOf<Input>));
  TRY_VOID(CheckConditionalOperator(input.conditional_operator, SizeOf(input.expected)));
  TRY_VOID(CheckContent(context, member, item));
  if (input.return_values != ReturnValues::kNone && input.return_values != ReturnValues::kAllOld) {
    return Invalid("ReturnValues can only be ALL_OLD or NONE");
  }
  return {};
}

template <class Input>
Result<WriteExpressions> CheckCondition(const Input& input, const Context& context) {
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(CheckRead(context, "Expected"));
  TRY_VOID(CheckPlaceholders(context, substitutions));
  WriteExpressions expressions;
  expressions.condition =
      TRY(ConditionOf(context.expressions, input.condition_expression, input.expected,
                      input.conditional_operator, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return expressions;
}

Result<WriteExpressions> CheckUpdate(const UpdateItemInput& input, const Context& context) {
  TRY_VOID(CheckExpressionParameters(
      {
          .non_expression = {{"AttributeUpdates", input.attribute_updates.has_value()},
                             {"Expected", input.expected.has_value()}},
          .expression = {{"UpdateExpression", input.update_expression.has_value()},
                         {"ConditionExpression", input.condition_expression.has_value()}},
          .names = input.expression_attribute_names,
          .values = PointerTo(input.expression_attribute_values),
      },
      api::kLayerOf<UpdateItemInput>));
  TRY_VOID(CheckConditionalOperator(input.conditional_operator, SizeOf(input.expected)));
  TRY_VOID(CheckContent(context, "Key", input.key));
  TRY_VOID(CheckRead(context, "AttributeUpdates"));
  TRY_VOID(CheckRead(context, "Expected"));
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(CheckPlaceholders(context, substitutions));
  WriteExpressions expressions;
  expressions.update = TRY(UpdateOf(context.expressions, input.update_expression,
                                    input.attribute_updates, substitutions));
  expressions.condition =
      TRY(ConditionOf(context.expressions, input.condition_expression, input.expected,
                      input.conditional_operator, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return expressions;
}

}  // namespace

Result<WriteExpressions> Check(const PutItemInput& input, const Context& context) {
  TRY_VOID(CheckConstraints(input, context));
  TRY_VOID(Worded<PutItemInput>(context, CheckWhole(input, "Item", input.item, context)));
  TRY_VOID(CheckItemSize(value::SizeOfItem(input.item)));
  return Worded<PutItemInput>(context, CheckCondition(input, context));
}

Result<WriteExpressions> Check(const DeleteItemInput& input, const Context& context) {
  TRY_VOID(CheckConstraints(input, context));
  TRY_VOID(Worded<DeleteItemInput>(context, CheckWhole(input, "Key", input.key, context)));
  return Worded<DeleteItemInput>(context, CheckCondition(input, context));
}

Result<WriteExpressions> Check(const UpdateItemInput& input, const Context& context) {
  TRY_VOID(CheckConstraints(input, context));
  return Worded<UpdateItemInput>(context, CheckUpdate(input, context));
}

Result<void> CheckItemSize(std::size_t item_bytes) {
  if (item_bytes > limits::kItemBytesMax) {
    return Fail(ErrorCode::kTooLarge, "Item size has exceeded the maximum allowed size");
  }
  return {};
}

}  // namespace stator::request

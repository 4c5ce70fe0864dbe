#include "stator/api/batch_get_item.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<KeysAndAttributes> {
  static constexpr std::string_view kName = "KeysAndAttributes";
  static void Visit(auto& visit, auto& request) {
    visit.Required("Keys", request.keys);
    visit.Optional("AttributesToGet", request.attributes_to_get);
    visit.Defaulted("ConsistentRead", request.consistent_read, false);
    visit.Optional("ProjectionExpression", request.projection_expression);
    visit.Optional("ExpressionAttributeNames", request.expression_attribute_names);
  }
};

template <>
struct Shape<BatchGetItemInput> {
  static constexpr std::string_view kName = "BatchGetItemInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("RequestItems", input.request_items);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
  }
};

template <>
struct Shape<BatchGetItemOutput> {
  static constexpr std::string_view kName = "BatchGetItemOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("Responses", output.responses);
    visit.Required("UnprocessedKeys", output.unprocessed_keys);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
  }
};

template struct Body<BatchGetItemInput>;
template struct Body<BatchGetItemOutput>;

}  // namespace stator::wire

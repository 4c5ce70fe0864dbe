#include "stator/api/get_item.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<GetItemInput> {
  static constexpr std::string_view kName = "GetItemInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("Key", input.key);
    visit.Optional("AttributesToGet", input.attributes_to_get);
    visit.Defaulted("ConsistentRead", input.consistent_read, false);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
    visit.Optional("ProjectionExpression", input.projection_expression);
    visit.Optional("ExpressionAttributeNames", input.expression_attribute_names);
  }
};

template <>
struct Shape<GetItemOutput> {
  static constexpr std::string_view kName = "GetItemOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Optional("Item", output.item);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
  }
};

template struct Body<GetItemInput>;
template struct Body<GetItemOutput>;

}  // namespace stator::wire

#include "stator/api/scan.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/legacy_shapes.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<ScanInput> {
  static constexpr std::string_view kName = "ScanInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Optional("IndexName", input.index_name);
    visit.Optional("AttributesToGet", input.attributes_to_get);
    visit.Optional("Limit", input.limit);
    visit.Optional("Select", input.select);
    visit.Optional("ScanFilter", input.scan_filter);
    visit.Optional("ConditionalOperator", input.conditional_operator);
    visit.Optional("ExclusiveStartKey", input.exclusive_start_key);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
    visit.Optional("TotalSegments", input.total_segments);
    visit.Optional("Segment", input.segment);
    visit.Optional("ProjectionExpression", input.projection_expression);
    visit.Optional("FilterExpression", input.filter_expression);
    visit.Optional("ExpressionAttributeNames", input.expression_attribute_names);
    visit.Placeholders("ExpressionAttributeValues", input.expression_attribute_values);
    visit.Defaulted("ConsistentRead", input.consistent_read, false);
  }
};

template <>
struct Shape<ScanOutput> {
  static constexpr std::string_view kName = "ScanOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Optional("Items", output.items);
    visit.Required("Count", output.count);
    visit.Required("ScannedCount", output.scanned_count);
    visit.Optional("LastEvaluatedKey", output.last_evaluated_key);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
  }
};

template struct Body<ScanInput>;
template struct Body<ScanOutput>;

}  // namespace stator::wire

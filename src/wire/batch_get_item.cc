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

void Read(JsonObject body, Decoding& decoding, BatchGetItemInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const BatchGetItemInput& input, std::string& out) {
  Codec<BatchGetItemInput>::Append(input, out);
}

void Read(JsonObject body, Decoding& decoding, BatchGetItemOutput& output) {
  ReadBody(body, decoding, output);
}

void Append(const BatchGetItemOutput& output, std::string& out) {
  Codec<BatchGetItemOutput>::Append(output, out);
}

}  // namespace stator::wire

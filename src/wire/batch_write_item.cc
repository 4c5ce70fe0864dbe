#include "stator/api/batch_write_item.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/union.h"

namespace stator::wire {

template <>
struct Shape<PutRequest> {
  static constexpr std::string_view kName = "PutRequest";
  static void Visit(auto& visit, auto& request) { visit.Stored("Item", request.item); }
};

template <>
struct Shape<DeleteRequest> {
  static constexpr std::string_view kName = "DeleteRequest";
  static void Visit(auto& visit, auto& request) { visit.Required("Key", request.key); }
};

template <>
struct UnionShape<WriteRequest> {
  static constexpr std::string_view kName = "WriteRequest";
  static constexpr std::array<std::string_view, 2> kMembers = {"PutRequest", "DeleteRequest"};
  static constexpr std::string_view kNone =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
      "supported datatypes";
  static constexpr std::string_view kSeveral = kNone;
};

template <>
struct Shape<BatchWriteItemInput> {
  static constexpr std::string_view kName = "BatchWriteItemInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("RequestItems", input.request_items);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
    visit.Defaulted("ReturnItemCollectionMetrics", input.return_item_collection_metrics,
                    ReturnItemCollectionMetrics::kNone);
  }
};

template <>
struct Shape<BatchWriteItemOutput> {
  static constexpr std::string_view kName = "BatchWriteItemOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("UnprocessedItems", output.unprocessed_items);
    visit.Optional("ItemCollectionMetrics", output.item_collection_metrics);
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
  }
};

template struct Body<BatchWriteItemInput>;
template struct Body<BatchWriteItemOutput>;

}  // namespace stator::wire

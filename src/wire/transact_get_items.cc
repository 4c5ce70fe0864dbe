#include "stator/api/transact_get_items.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {
namespace {

// {"Get": {...}} around each request, {"Item": {...}} around each answer.
struct TransactGetItem {
  TransactGet get;
};

struct ItemResponse {
  const std::optional<Item>& item;
};

struct TransactGetItemsBody {
  std::vector<TransactGetItem> transact_items;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

}  // namespace

template <>
struct Shape<TransactGet> {
  static constexpr std::string_view kName = "Get";
  static void Visit(auto& visit, auto& get) {
    visit.Required("Key", get.key);
    visit.Required("TableName", get.table_name);
    visit.Optional("ProjectionExpression", get.projection_expression);
    visit.Optional("ExpressionAttributeNames", get.expression_attribute_names);
  }
};

template <>
struct Shape<TransactGetItem> {
  static constexpr std::string_view kName = "TransactGetItem";
  static void Visit(auto& visit, auto& item) { visit.Required("Get", item.get); }
};

template <>
struct Shape<ItemResponse> {
  static constexpr std::string_view kName = "ItemResponse";
  static void Visit(auto& visit, auto& response) { visit.Optional("Item", response.item); }
};

template <>
struct Shape<TransactGetItemsBody> {
  static constexpr std::string_view kName = "TransactGetItemsInput";
  static void Visit(auto& visit, auto& body) {
    visit.Required("TransactItems", body.transact_items);
    visit.Defaulted("ReturnConsumedCapacity", body.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
  }
};

template <>
struct Shape<TransactGetItemsOutput> {
  static constexpr std::string_view kName = "TransactGetItemsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Optional("ConsumedCapacity", output.consumed_capacity);
    std::vector<ItemResponse> responses;
    responses.reserve(output.responses.size());
    for (const std::optional<Item>& item : output.responses) {
      responses.push_back({item});
    }
    visit.Required("Responses", responses);
  }
};

void Read(JsonObject body, Decoding& decoding, TransactGetItemsInput& input) {
  TransactGetItemsBody read;
  ReadBody(body, decoding, read);
  input.return_consumed_capacity = read.return_consumed_capacity;
  input.transact_items.reserve(read.transact_items.size());
  for (TransactGetItem& item : read.transact_items) {
    input.transact_items.push_back(std::move(item.get));
  }
}

void Append(const TransactGetItemsOutput& output, std::string& out) {
  Codec<TransactGetItemsOutput>::Append(output, out);
}

}  // namespace stator::wire

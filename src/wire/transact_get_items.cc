#include "stator/api/transact_get_items.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {
namespace {

// {"Get": {...}} around each request, {"Item": {...}} around each answer. What is read is kept in
// them, what is written they only refer to.
template <class Get>
struct TransactGetItem {
  Get get;
};

template <class OptionalItem>
struct ItemResponse {
  OptionalItem item;
};

template <class Get>
struct RequestBody {
  std::vector<TransactGetItem<Get>> transact_items;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

template <class OptionalItem, class Capacities>
struct AnswerBody {
  Capacities consumed_capacity;
  std::vector<ItemResponse<OptionalItem>> responses;
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

template <class Get>
struct Shape<TransactGetItem<Get>> {
  static constexpr std::string_view kName = "TransactGetItem";
  static void Visit(auto& visit, auto& item) { visit.Required("Get", item.get); }
};

template <class OptionalItem>
struct Shape<ItemResponse<OptionalItem>> {
  static constexpr std::string_view kName = "ItemResponse";
  static void Visit(auto& visit, auto& response) { visit.Optional("Item", response.item); }
};

template <class Get>
struct Shape<RequestBody<Get>> {
  static constexpr std::string_view kName = "TransactGetItemsInput";
  static void Visit(auto& visit, auto& body) {
    visit.Required("TransactItems", body.transact_items);
    visit.Defaulted("ReturnConsumedCapacity", body.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
  }
};

template <class OptionalItem, class Capacities>
struct Shape<AnswerBody<OptionalItem, Capacities>> {
  static constexpr std::string_view kName = "TransactGetItemsOutput";
  static void Visit(auto& visit, auto& body) {
    visit.Optional("ConsumedCapacity", body.consumed_capacity);
    visit.Required("Responses", body.responses);
  }
};

template <>
struct Shape<TransactGetItemsInput> {
  static void Read(JsonObject json, Decoding& decoding, TransactGetItemsInput& input) {
    RequestBody<TransactGet> body;
    ReadBody(json, decoding, body);
    input.return_consumed_capacity = body.return_consumed_capacity;
    input.transact_items.reserve(body.transact_items.size());
    for (TransactGetItem<TransactGet>& item : body.transact_items) {
      input.transact_items.push_back(std::move(item.get));
    }
  }
  static void Append(const TransactGetItemsInput& input, std::string& out) {
    RequestBody<const TransactGet&> body{
        .transact_items = {}, .return_consumed_capacity = input.return_consumed_capacity};
    body.transact_items.reserve(input.transact_items.size());
    for (const TransactGet& get : input.transact_items) {
      body.transact_items.push_back({get});
    }
    Codec<RequestBody<const TransactGet&>>::Append(body, out);
  }
};

template <>
struct Shape<TransactGetItemsOutput> {
  static void Read(JsonObject json, Decoding& decoding, TransactGetItemsOutput& output) {
    AnswerBody<std::optional<Item>, std::vector<ConsumedCapacity>> body;
    ReadBody(json, decoding, body);
    output.consumed_capacity = std::move(body.consumed_capacity);
    output.responses.reserve(body.responses.size());
    for (ItemResponse<std::optional<Item>>& response : body.responses) {
      output.responses.push_back(std::move(response.item));
    }
  }
  static void Append(const TransactGetItemsOutput& output, std::string& out) {
    using Written = AnswerBody<const std::optional<Item>&, const std::vector<ConsumedCapacity>&>;
    Written body{.consumed_capacity = output.consumed_capacity, .responses = {}};
    body.responses.reserve(output.responses.size());
    for (const std::optional<Item>& item : output.responses) {
      body.responses.push_back({item});
    }
    Codec<Written>::Append(body, out);
  }
};

template struct Body<TransactGetItemsInput>;
template struct Body<TransactGetItemsOutput>;

}  // namespace stator::wire

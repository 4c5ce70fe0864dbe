#include "stator/api/execute_transaction.h"

#include "wire/capacity_shapes.h"
#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {
namespace {

// {"Item": {...}} around each answer. What is read is kept in it, what is written it only refers to.
template <class OptionalItem>
struct TransactionItem {
  OptionalItem item;
};

template <class OptionalItem, class Capacities>
struct TransactionAnswer {
  std::vector<TransactionItem<OptionalItem>> responses;
  Capacities consumed_capacity;
};

}  // namespace

template <class OptionalItem>
struct Shape<TransactionItem<OptionalItem>> {
  static constexpr std::string_view kName = "ItemResponse";
  static void Visit(auto& visit, auto& response) { visit.Optional("Item", response.item); }
};

template <class OptionalItem, class Capacities>
struct Shape<TransactionAnswer<OptionalItem, Capacities>> {
  static constexpr std::string_view kName = "ExecuteTransactionOutput";
  static void Visit(auto& visit, auto& body) {
    visit.Required("Responses", body.responses);
    visit.Optional("ConsumedCapacity", body.consumed_capacity);
  }
};

template <>
struct Shape<ParameterizedStatement> {
  static constexpr std::string_view kName = "ParameterizedStatement";
  static void Visit(auto& visit, auto& statement) {
    visit.Required("Statement", statement.statement);
    visit.Optional("Parameters", statement.parameters);
    visit.Defaulted("ReturnValuesOnConditionCheckFailure",
                    statement.return_values_on_condition_check_failure,
                    ReturnValuesOnConditionCheckFailure::kNone);
  }
};

template <>
struct Shape<ExecuteTransactionInput> {
  static constexpr std::string_view kName = "ExecuteTransactionInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TransactStatements", input.transact_statements);
    visit.Optional("ClientRequestToken", input.client_request_token);
    visit.Defaulted("ReturnConsumedCapacity", input.return_consumed_capacity,
                    ReturnConsumedCapacity::kNone);
  }
};

template <>
struct Shape<ExecuteTransactionOutput> {
  static void Read(JsonObject json, Decoding& decoding, ExecuteTransactionOutput& output) {
    TransactionAnswer<std::optional<Item>, std::vector<ConsumedCapacity>> body;
    ReadBody(json, decoding, body);
    output.consumed_capacity = std::move(body.consumed_capacity);
    output.responses.reserve(body.responses.size());
    for (TransactionItem<std::optional<Item>>& response : body.responses) {
      output.responses.push_back(std::move(response.item));
    }
  }
  static void Append(const ExecuteTransactionOutput& output, std::string& out) {
    using Written =
        TransactionAnswer<const std::optional<Item>&, const std::vector<ConsumedCapacity>&>;
    Written body{.responses = {}, .consumed_capacity = output.consumed_capacity};
    body.responses.reserve(output.responses.size());
    for (const std::optional<Item>& item : output.responses) {
      body.responses.push_back({item});
    }
    Codec<Written>::Append(body, out);
  }
};

template struct Body<ExecuteTransactionInput>;
template struct Body<ExecuteTransactionOutput>;

}  // namespace stator::wire

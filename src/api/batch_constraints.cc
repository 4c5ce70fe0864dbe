// Constraints of the requests that hold many: batches and transactions.

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/constraint_checker.h"
#include "api/constraints.h"
#include "base/limits.h"
#include "value/dynamodb_json.h"
#include "value/json_text.h"

namespace stator::api {
namespace {

constexpr LengthRange kBatchTables = {1, 100};  // [model] BatchGetRequestMap
constexpr LengthRange kBatchGetKeys = {1, limits::kBatchGetKeysMax};
constexpr LengthRange kWriteTables = {1, limits::kBatchWriteRequestsMax};
constexpr LengthRange kWriteRequests = {1, limits::kBatchWriteRequestsMax};
constexpr LengthRange kTransactItems = {1, limits::kTransactionActionsMax};
constexpr LengthRange kTokenLength = {1, limits::kClientRequestTokenLengthMax};

bool IsWithin(std::size_t size, LengthRange range) {
  return size >= range.minimum && size <= range.maximum;
}

// The requests as messages print them.
std::string PrintedRequests(const std::map<std::string, KeysAndAttributes>& request_items) {
  std::string printed = "{";
  for (const auto& [table, request] : request_items) {
    printed.append(printed.size() == 1 ? "" : ",");
    value::AppendJsonString(table, printed);
    printed += ":{\"Keys\":[";
    for (const Item& key : request.keys) {
      printed.append(&key == request.keys.data() ? "" : ",");
      value::AppendDynamoDbJson(key, printed);
    }
    printed += "]}";
  }
  return printed + "}";
}

std::string Printed(const Item& item) {
  std::string printed = "{";
  for (const auto& [name, value] : item) {
    printed.append(printed.size() == 1 ? "" : ", ").append(name).append("=");
    value::AppendDynamoDbJson(value, printed);
  }
  return printed + "}";
}

std::string Printed(const WriteRequest& request) {
  if (const auto* put = std::get_if<PutRequest>(&request)) {
    return "WriteRequest(putRequest=PutRequest(item=" + Printed(put->item) + "))";
  }
  return "WriteRequest(deleteRequest=DeleteRequest(key=" +
         Printed(std::get<DeleteRequest>(request).key) + "))";
}

std::string PrintedRequests(const std::map<std::string, std::vector<WriteRequest>>& request_items) {
  std::string printed = "{";
  for (const auto& [table, requests] : request_items) {
    printed.append(printed.size() == 1 ? "" : ", ").append(table).append("=[");
    for (const WriteRequest& request : requests) {
      printed.append(&request == requests.data() ? "" : ", ").append(Printed(request));
    }
    printed += "]";
  }
  return printed + "}";
}

bool IsTable(std::string_view name_or_arn) {
  Violations violations;
  ConstraintChecker checker(violations);
  CheckTableNameAtOnce(checker, name_or_arn);
  return violations.empty();
}

// Map keys take the place of TableName parameters, with words of their own.
template <class Map>
void CheckTableNames(ConstraintChecker& checker, const Map& request_items) {
  for (const auto& [table, requests] : request_items) {
    if (!IsTable(table)) {
      checker.violations().Add(
          "requestItems", Quoted(PrintedRequests(request_items)),
          "Map keys must satisfy constraint: [Member must have length less than or equal to 255, "
          "Member must have length greater than or equal to 3, Member must satisfy regular "
          "expression pattern: [a-zA-Z0-9_.-]+]");
    }
  }
}

// The map's size, once the service has read it. True when it can be looked into.
bool CheckRequestItems(ConstraintChecker& checker, std::size_t size, LengthRange tables,
                       Layer layer, std::string_view operation) {
  if (!checker.Readable("RequestItems")) {
    return false;
  }
  if (size == 0 && layer == Layer::kOlder) {
    if (checker.violations().empty()) {
      checker.violations().AddAlone("The requestItems parameter is required for " +
                                    std::string(operation));
    }
    return false;
  }
  checker.Length("RequestItems", size, tables, "{" + std::to_string(size) + " entries}");
  return size > 0;
}

void CheckKeysAndAttributes(ConstraintChecker& checker, std::string_view table,
                            const KeysAndAttributes& request) {
  if (checker.Readable("Keys") && !IsWithin(request.keys.size(), kBatchGetKeys)) {
    // Here alone the service names the members as they are on the wire, and prints no value.
    checker.violations().Add("RequestItems." + std::string(table) + ".member.Keys", "",
                             request.keys.empty()
                                 ? "Member must have length greater than or equal to 1"
                                 : "Member must have length less than or equal to 100");
  }
  checker.Texts("AttributesToGet", request.attributes_to_get, {.minimum = 1});
}

void CheckWriteRequest(ConstraintChecker& checker, const WriteRequest& request) {
  const bool is_put = std::holds_alternative<PutRequest>(request);
  const MemberPath path = checker.PathOf(is_put ? "PutRequest" : "DeleteRequest");
  ConstraintChecker inner(checker.violations(), &path);
  inner.Read(is_put ? "Item" : "Key");
}

void CheckAction(ConstraintChecker& checker, const TransactConditionCheck& action) {
  checker.Read("Key");
  CheckTableLength(checker, action.table_name);
  checker.Read("ConditionExpression");
  checker.Read("ReturnValuesOnConditionCheckFailure");
}

void CheckAction(ConstraintChecker& checker, const TransactPut& action) {
  checker.Read("Item");
  CheckTableLength(checker, action.table_name);
  checker.Read("ReturnValuesOnConditionCheckFailure");
}

void CheckAction(ConstraintChecker& checker, const TransactDelete& action) {
  checker.Read("Key");
  CheckTableLength(checker, action.table_name);
  checker.Read("ReturnValuesOnConditionCheckFailure");
}

void CheckAction(ConstraintChecker& checker, const TransactUpdate& action) {
  checker.Read("Key");
  checker.Read("UpdateExpression");
  CheckTableLength(checker, action.table_name);
  checker.Read("ReturnValuesOnConditionCheckFailure");
}

std::string_view MemberOf(const TransactWriteItem& item) {
  constexpr std::string_view kMembers[] = {"ConditionCheck", "Put", "Delete", "Update"};
  return kMembers[item.index()];
}

// Calls `check` with a checker at the structure inside each element ("transactItems.1.member.put"),
// which `member_of` names.
template <class Items, class MemberOf, class Check>
void ForEachAction(Violations& violations, const Items& items, MemberOf member_of, Check check) {
  const MemberPath list = MemberPath::Member(nullptr, "TransactItems");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const MemberPath element = MemberPath::Element(&list, i);
    const MemberPath action = MemberPath::Member(&element, member_of(items[i]));
    if (violations.ReportUnreadable(element) || violations.ReportUnreadable(action)) {
      continue;
    }
    ConstraintChecker checker(violations, &action);
    check(checker, items[i]);
  }
}

}  // namespace

void CheckConstraints(const BatchGetItemInput& input, Violations& violations) {
  constexpr Layer kLayer = kLayerOf<BatchGetItemInput>;
  ConstraintChecker checker(violations, kLayer);
  CheckTableNames(checker, input.request_items);
  checker.Read("ReturnConsumedCapacity");
  if (!CheckRequestItems(checker, input.request_items.size(), kBatchTables, kLayer,
                         "BatchGetItem")) {
    return;
  }
  const MemberPath map = checker.PathOf("RequestItems");
  for (const auto& [table, request] : input.request_items) {
    const MemberPath entry = MemberPath::Entry(&map, table);
    if (!violations.ReportUnreadable(entry)) {
      ConstraintChecker inner(violations, &entry);
      CheckKeysAndAttributes(inner, table, request);
    }
  }
}

void CheckConstraints(const BatchWriteItemInput& input, Violations& violations) {
  constexpr Layer kLayer = kLayerOf<BatchWriteItemInput>;
  ConstraintChecker checker(violations, kLayer);
  checker.Read("ReturnConsumedCapacity");
  checker.Read("ReturnItemCollectionMetrics");
  if (!CheckRequestItems(checker, input.request_items.size(), kWriteTables, kLayer,
                         "BatchWriteItem")) {
    return;
  }
  const MemberPath map = checker.PathOf("RequestItems");
  for (const auto& [table, requests] : input.request_items) {
    if (!IsWithin(requests.size(), kWriteRequests)) {
      violations.Add(
          "requestItems", Quoted("{" + table + "=" + PrintedCount(requests.size()) + "}"),
          "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
          "Member must have length greater than or equal to 1]");
    }
    if (!violations.HasUnreadable()) {
      continue;
    }
    const MemberPath entry = MemberPath::Entry(&map, table);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const MemberPath element = MemberPath::Element(&entry, i);
      if (!violations.ReportUnreadable(element)) {
        ConstraintChecker inner(violations, &element);
        CheckWriteRequest(inner, requests[i]);
      }
    }
  }
  if (violations.empty()) {
    CheckTableNames(checker, input.request_items);
  }
}

void CheckConstraints(const TransactGetItemsInput& input, Violations& violations) {
  ConstraintChecker checker(violations, kLayerOf<TransactGetItemsInput>);
  checker.Read("ReturnConsumedCapacity");
  checker.Length("TransactItems", input.transact_items.size(), kTransactItems,
                 PrintedCount(input.transact_items.size()));
  const auto member = [](const TransactGet& /*get*/) { return std::string_view("Get"); };
  ForEachAction(violations, input.transact_items, member,
                [](ConstraintChecker& action, const TransactGet& get) {
                  action.Read("Key");
                  CheckTableLength(action, get.table_name);
                });
  ForEachAction(violations, input.transact_items, member,
                [](ConstraintChecker& action, const TransactGet& get) {
                  CheckTableName(action, get.table_name);
                });
}

void CheckConstraints(const TransactWriteItemsInput& input, Violations& violations) {
  ConstraintChecker checker(violations, kLayerOf<TransactWriteItemsInput>);
  checker.Text("ClientRequestToken", input.client_request_token, kTokenLength);
  checker.Read("ReturnConsumedCapacity");
  checker.Read("ReturnItemCollectionMetrics");
  checker.Length("TransactItems", input.transact_items.size(), kTransactItems,
                 PrintedCount(input.transact_items.size()));
  ForEachAction(violations, input.transact_items, MemberOf,
                [](ConstraintChecker& inner, const TransactWriteItem& item) {
                  std::visit([&](const auto& action) { CheckAction(inner, action); }, item);
                });
  ForEachAction(violations, input.transact_items, MemberOf,
                [](ConstraintChecker& inner, const TransactWriteItem& item) {
                  std::visit([&](const auto& action) { CheckTableName(inner, action.table_name); },
                             item);
                });
}

}  // namespace stator::api

#include "wire/access.h"

#include <optional>
#include <variant>

#include "base/try.h"

namespace stator::wire {
namespace {

constexpr std::string_view kArnPrefix = "arn:";
constexpr std::string_view kTablePart = ":table/";
constexpr std::string_view kAccount = "000000000000";

struct Action {
  std::string_view operation;
  std::string_view table;
};

Action ActionOf(const TransactConditionCheck& check) {
  return {"ConditionCheckItem", check.table_name};
}
Action ActionOf(const TransactPut& put) {
  return {"PutItem", put.table_name};
}
Action ActionOf(const TransactDelete& remove) {
  return {"DeleteItem", remove.table_name};
}
Action ActionOf(const TransactUpdate& update) {
  return {"UpdateItem", update.table_name};
}

}  // namespace

Result<void> AccessCheck::Ask(std::string_view action, const std::string& arn) const {
  return caller_.authorizer->Authorize("dynamodb:" + std::string(action), arn);
}

Result<void> AccessCheck::AskForIndex(std::string_view table,
                                      const std::optional<std::string>& index) const {
  const std::string arn = TableArn(table);
  return Ask(operation_, index ? arn + "/index/" + *index : arn);
}

Result<void> AccessCheck::AskForEach(const BatchGetItemInput& input) const {
  for (const auto& [table, request] : input.request_items) {
    TRY_VOID(Ask(operation_, TableArn(table)));
  }
  return {};
}

Result<void> AccessCheck::AskForEach(const BatchWriteItemInput& input) const {
  for (const auto& [table, requests] : input.request_items) {
    TRY_VOID(Ask(operation_, TableArn(table)));
  }
  return {};
}

Result<void> AccessCheck::AskForEach(const TransactGetItemsInput& input) const {
  for (const TransactGet& get : input.transact_items) {
    TRY_VOID(Ask("GetItem", TableArn(get.table_name)));
  }
  return {};
}

Result<void> AccessCheck::AskForEach(const TransactWriteItemsInput& input) const {
  for (const TransactWriteItem& item : input.transact_items) {
    const Action action =
        std::visit([](const auto& alternative) { return ActionOf(alternative); }, item);
    TRY_VOID(Ask(action.operation, TableArn(action.table)));
  }
  return {};
}

Result<void> AccessCheck::AskForEach(const ListStreamsInput& input) const {
  return Ask(operation_, input.table_name ? TableArn(*input.table_name) + "/stream/*" : "*");
}

Result<void> AccessCheck::AskForEach(const GetRecordsInput& input) const {
  // An iterator begins with the ARN of its stream: arn:...|rest.
  const std::string_view iterator = input.shard_iterator;
  return Ask(operation_, iterator.starts_with(kArnPrefix)
                             ? TableArn(iterator.substr(0, iterator.find('|')))
                             : "*");
}

std::string AccessCheck::TableArn(std::string_view name_or_arn) const {
  std::string_view name = name_or_arn;
  if (name_or_arn.starts_with(kArnPrefix)) {
    const std::size_t table = name_or_arn.find(kTablePart);
    if (table == std::string_view::npos) {
      return std::string(name_or_arn);
    }
    name = name_or_arn.substr(table + kTablePart.size());
  }
  std::string arn = "arn:aws:dynamodb:";
  arn.append(caller_.region).append(":").append(kAccount);
  return arn.append(kTablePart).append(name);
}

}  // namespace stator::wire

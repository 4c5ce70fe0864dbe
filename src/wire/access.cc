#include "wire/access.h"

#include <optional>
#include <variant>

#include "base/try.h"

namespace stator::wire {
namespace {

constexpr std::string_view kArnPrefix = "arn:";
constexpr std::string_view kTablePart = ":table/";
constexpr std::string_view kAccount = "000000000000";

std::string_view ActionOf(const TransactConditionCheck& /*check*/) {
  return "ConditionCheckItem";
}
std::string_view ActionOf(const TransactPut& /*put*/) {
  return "PutItem";
}
std::string_view ActionOf(const TransactDelete& /*remove*/) {
  return "DeleteItem";
}
std::string_view ActionOf(const TransactUpdate& /*update*/) {
  return "UpdateItem";
}

}  // namespace

Result<void> AccessCheck::Ask(std::string_view action, const std::string& arn,
                              const Keys& leading_keys) const {
  return caller_.authorizer->Authorize("dynamodb:" + std::string(action), arn, leading_keys);
}

// Tags that come with a table take the permission to tag it.
Result<void> AccessCheck::AskForEach(const CreateTableInput& input) {
  const std::string arn = TableArn(input.table_name);
  TRY_VOID(Ask(operation_, arn));
  return input.tags && !input.tags->empty() ? Ask("TagResource", arn) : Result<void>();
}

Result<void> AccessCheck::AskForEach(const BatchGetItemInput& input) {
  for (const auto& [table, request] : input.request_items) {
    Keys keys;
    for (const Item& key : request.keys) {
      TRY_VOID(AddKeys(table, key, keys));
    }
    TRY_VOID(Ask(operation_, TableArn(table), keys));
  }
  return {};
}

Result<void> AccessCheck::AskForEach(const BatchWriteItemInput& input) {
  for (const auto& [table, requests] : input.request_items) {
    Keys keys;
    for (const WriteRequest& request : requests) {
      const auto* put = std::get_if<PutRequest>(&request);
      TRY_VOID(
          AddKeys(table, put == nullptr ? std::get<DeleteRequest>(request).key : put->item, keys));
    }
    TRY_VOID(Ask(operation_, TableArn(table), keys));
  }
  return {};
}

Result<void> AccessCheck::AskForEach(const TransactGetItemsInput& input) {
  for (const TransactGet& get : input.transact_items) {
    const Keys keys = TRY(KeysOf(get));
    TRY_VOID(Ask("GetItem", TableArn(get.table_name), keys));
  }
  return {};
}

Result<void> AccessCheck::AskForEach(const TransactWriteItemsInput& input) {
  const auto ask = [this](const auto& part) -> Result<void> {
    const Keys keys = TRY(KeysOf(part));
    return Ask(ActionOf(part), TableArn(part.table_name), keys);
  };
  for (const TransactWriteItem& item : input.transact_items) {
    TRY_VOID(std::visit(ask, item));
  }
  return {};
}

// Those of one item more.
Result<void> AccessCheck::AddKeys(const std::string& table, const Item& item, Keys& keys) {
  if (caller_.authorizer->AsksForLeadingKeys()) {
    for (std::string& key : TRY(leading_keys_.OfItem(table, item))) {
      keys.push_back(std::move(key));
    }
  }
  return {};
}

Result<void> AccessCheck::AskForEach(const ListStreamsInput& input) {
  return Ask(operation_, input.table_name ? TableArn(*input.table_name) + "/stream/*" : "*");
}

Result<void> AccessCheck::AskForEach(const GetRecordsInput& input) {
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

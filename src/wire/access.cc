#include "wire/access.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "base/limits.h"
#include "base/try.h"
#include "partiql/statement.h"

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

// Empty for what is no statement.
std::string_view ActionOf(const partiql::Statement& statement) {
  if (statement.If<partiql::Insert>() != nullptr) {
    return "PartiQLInsert";
  }
  if (statement.If<partiql::Update>() != nullptr) {
    return "PartiQLUpdate";
  }
  if (statement.If<partiql::Delete>() != nullptr) {
    return "PartiQLDelete";
  }
  return statement.If<partiql::Unsupported>() != nullptr ? "" : "PartiQLSelect";
}

}  // namespace

Result<void> AccessCheck::Ask(std::string_view action, const std::string& arn,
                              const Keys& leading_keys, std::optional<bool> full_table_scan) {
  const std::string full_action = std::string(action_prefix_).append(action);
  const policy::Policy* const attached = TRY(policies_.Find(arn));
  return caller_.authorizer->Authorize({.action = full_action,
                                        .resource = arn,
                                        .leading_keys = leading_keys,
                                        .full_table_scan = full_table_scan,
                                        .attached = attached});
}

Result<bool> AccessCheck::AsksForKeys(const std::string& table) {
  if (caller_.authorizer->AsksForKeys()) {
    return true;
  }
  const policy::Policy* const attached = TRY(policies_.Find(TableArn(table)));
  return attached != nullptr && attached->AsksForKeys();
}

// A policy that nobody can mend any more but an administrator of the server is put by mistake more
// often than not.
Result<void> AccessCheck::AskForEach(const PutResourcePolicyInput& input) {
  const std::string arn = TableArn(input.resource_arn);
  TRY_VOID(Ask(operation_, arn));
  if (input.confirm_remove_self_resource_access ||
      input.policy.size() > limits::kResourcePolicyBytesMax) {
    return {};
  }
  const Result<policy::Policy> next = policy::Policy::ParseAttached(input.policy);
  if (!next) {
    return {};  // The operation says what is wrong with it.
  }
  const Result<void> allowed =
      caller_.authorizer->Authorize({.action = "dynamodb:PutResourcePolicy",
                                     .resource = arn,
                                     .leading_keys = {},
                                     .full_table_scan = std::nullopt,
                                     .attached = &*next});
  return allowed ? Result<void>()
                 : Invalid(
                       "The new policy would keep you from changing it again; set "
                       "ConfirmRemoveSelfResourceAccess to true if you want that");
}

// Tags and a policy that come with a table take the permissions to set them.
Result<void> AccessCheck::AskForEach(const CreateTableInput& input) {
  const std::string arn = TableArn(input.table_name);
  TRY_VOID(Ask(operation_, arn));
  if (input.resource_policy) {
    TRY_VOID(Ask("PutResourcePolicy", arn));
  }
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

Result<void> AccessCheck::AskForEach(const ExecuteStatementInput& input) {
  return AskForStatement(input.statement, input.parameters);
}

// See TakeRefused.
Result<void> AccessCheck::AskForEach(const BatchExecuteStatementInput& /*input*/) {
  return {};
}

Result<void> AccessCheck::AskForEach(const ExecuteTransactionInput& input) {
  for (const ParameterizedStatement& each : input.transact_statements) {
    TRY_VOID(AskForStatement(each.statement, each.parameters));
  }
  return {};
}

Result<void> AccessCheck::AskForStatement(
    const std::string& text, const std::optional<std::vector<AttributeValue>>& parameters) {
  const auto statement = partiql::Translate(text);
  const std::string_view action = statement ? ActionOf(**statement) : std::string_view();
  if (action.empty()) {
    return {};
  }
  StatementKeys keys;
  if (TRY(AsksForKeys((*statement)->table()))) {
    keys = TRY(leading_keys_.OfStatement(**statement, parameters));
  }
  std::string arn = TableArn((*statement)->table());
  if (const auto* select = (*statement)->If<partiql::Select>();
      select != nullptr && select->index) {
    arn.append("/index/").append(*select->index);
  }
  return Ask(action, arn, keys.leading_keys, keys.full_table_scan);
}

Result<RefusedStatements> AccessCheck::TakeRefused(BatchExecuteStatementInput& input) {
  RefusedStatements refused;
  std::vector<BatchStatementRequest> left;
  for (std::size_t at = 0; at < input.statements.size(); ++at) {
    BatchStatementRequest& each = input.statements[at];
    Result<void> allowed = AskForStatement(each.statement, each.parameters);
    if (allowed) {
      left.push_back(std::move(each));
    } else if (allowed.error().code == ErrorCode::kAccessDenied) {
      refused.errors.emplace(at, std::move(allowed).error());
    } else {
      return std::unexpected(std::move(allowed).error());
    }
  }
  input.statements = std::move(left);
  return refused;
}

void RefusedStatements::PutInto(BatchExecuteStatementOutput& output) const {
  for (const auto& [at, error] : errors) {
    output.responses.insert(
        output.responses.begin() + static_cast<std::ptrdiff_t>(at),
        {.error = BatchStatementError{.code = "AccessDenied", .message = error.message}});
  }
}

// Those of one item more.
Result<void> AccessCheck::AddKeys(const std::string& table, const Item& item, Keys& keys) {
  if (TRY(AsksForKeys(table))) {
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

Result<void> AccessCheck::AskForEach(const RestoreTableFromBackupInput& input) {
  TRY_VOID(Ask(operation_, TableArn(input.backup_arn)));
  return AskForRestored(input.target_table_name);
}

Result<void> AccessCheck::AskForEach(const RestoreTableToPointInTimeInput& input) {
  if (const auto& source =
          input.source_table_arn ? input.source_table_arn : input.source_table_name) {
    TRY_VOID(Ask(operation_, TableArn(*source)));
  }
  return AskForRestored(input.target_table_name);
}

// What the service's documentation asks for beside the operation itself.
Result<void> AccessCheck::AskForRestored(const std::string& table_name) {
  const std::string arn = TableArn(table_name);
  TRY_VOID(Ask(operation_, arn));
  for (const std::string_view action :
       {"BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem"}) {
    TRY_VOID(Ask(action, arn));
  }
  return {};
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

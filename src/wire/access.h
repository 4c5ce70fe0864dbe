// Asks whether a caller may do what a request says: one question for each resource that the request
// touches, under the action that IAM knows it by. A transaction needs the permissions of the single
// operations that it is made of.

#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operations.h"
#include "base/try.h"
#include "stator/api/database.h"
#include "stator/base/result.h"
#include "wire/exchange.h"
#include "wire/leading_keys.h"
#include "wire/resource_policies.h"

namespace stator::wire {

// Statements of a batch that were refused, by their places in the request.
struct RefusedStatements {
  std::map<std::size_t, Error> errors;

  void PutInto(BatchExecuteStatementOutput& output) const;
};

// The questions of one request.
class AccessCheck {
 public:
  // REQUIRES: caller.authorizer is not null.
  AccessCheck(const Caller& caller, const api::Operation& operation, Database& database)
      : caller_(caller),
        operation_(operation.name),
        action_prefix_(operation.action_prefix()),
        leading_keys_(database),
        policies_(database) {}

  // Fails with the first refusal. What is asked for follows from the resource of the operation; an
  // AskForEach is for those that touch several, or act under another name.
  template <class Input>
  [[nodiscard]] Result<void> Check(const Input& input) {
    constexpr api::Resource kResource = api::OperationOf<Input>::kOperation.resource;
    if constexpr (requires { AskForEach(input); }) {
      return AskForEach(input);
    } else if constexpr (kResource == api::Resource::kResourceArn) {
      return Ask(operation_, TableArn(input.resource_arn));
    } else if constexpr (kResource == api::Resource::kBackupArn) {
      return Ask(operation_, TableArn(input.backup_arn));
    } else if constexpr (kResource == api::Resource::kExports) {
      return Ask(operation_, TableArn(input.table_arn));
    } else if constexpr (kResource == api::Resource::kExportArn) {
      return Ask(operation_, TableArn(input.export_arn));
    } else if constexpr (kResource == api::Resource::kImports) {
      return Ask(operation_, TableArn(input.table_creation_parameters.table_name));
    } else if constexpr (kResource == api::Resource::kImportArn) {
      return Ask(operation_, TableArn(input.import_arn));
    } else if constexpr (kResource == api::Resource::kStream) {
      return Ask(operation_, TableArn(input.stream_arn));
    } else if constexpr (kResource == api::Resource::kAccount ||
                         kResource == api::Resource::kCheckpoint) {
      return Ask(operation_, "*");
    } else if constexpr (requires { input.index_name; }) {
      const std::string arn = TableArn(input.table_name);
      const Keys keys = TRY(KeysOf(input));
      return Ask(operation_, input.index_name ? arn + "/index/" + *input.index_name : arn, keys);
    } else {
      const Keys keys = TRY(KeysOf(input));
      return Ask(operation_, TableArn(input.table_name), keys);
    }
  }

  // The statements of a batch are answered one by one, also those that the caller may not run: they
  // are taken out of the input, and their errors put into the output in their places.
  [[nodiscard]] Result<RefusedStatements> TakeRefused(BatchExecuteStatementInput& input);

 private:
  using Keys = LeadingKeys::Texts;

  // The partition keys that an operation, or a part of one, names.
  template <class Input>
  Result<Keys> KeysOf(const Input& input) {
    if constexpr (
        requires { input.key; } || requires { input.item; } || std::same_as<Input, QueryInput>) {
      if (!TRY(AsksForKeys(input.table_name))) {
        return Keys();
      }
    }
    if constexpr (requires { input.key; }) {
      return leading_keys_.OfItem(input.table_name, input.key);
    } else if constexpr (requires { input.item; }) {
      return leading_keys_.OfItem(input.table_name, input.item);
    } else if constexpr (std::same_as<Input, QueryInput>) {
      return leading_keys_.OfQuery(input);
    } else {
      return Keys();
    }
  }

  Result<void> AddKeys(const std::string& table, const Item& item, Keys& keys);

  // Whether the answer about a table depends on the keys that are named.
  Result<bool> AsksForKeys(const std::string& table);

  [[nodiscard]] Result<void> Ask(std::string_view action, const std::string& arn,
                                 const Keys& leading_keys = {},
                                 std::optional<bool> full_table_scan = std::nullopt);
  [[nodiscard]] Result<void> AskForEach(const CreateTableInput& input);
  [[nodiscard]] Result<void> AskForEach(const PutResourcePolicyInput& input);
  [[nodiscard]] Result<void> AskForEach(const BatchGetItemInput& input);
  [[nodiscard]] Result<void> AskForEach(const BatchWriteItemInput& input);
  [[nodiscard]] Result<void> AskForEach(const TransactGetItemsInput& input);
  [[nodiscard]] Result<void> AskForEach(const TransactWriteItemsInput& input);
  [[nodiscard]] Result<void> AskForEach(const ExecuteStatementInput& input);
  [[nodiscard]] Result<void> AskForEach(const BatchExecuteStatementInput& input);
  [[nodiscard]] Result<void> AskForEach(const ExecuteTransactionInput& input);
  [[nodiscard]] Result<void> AskForEach(const ListStreamsInput& input);
  [[nodiscard]] Result<void> AskForEach(const GetRecordsInput& input);
  [[nodiscard]] Result<void> AskForEach(const RestoreTableFromBackupInput& input);
  [[nodiscard]] Result<void> AskForEach(const RestoreTableToPointInTimeInput& input);

  // Who restores a table fills it.
  [[nodiscard]] Result<void> AskForRestored(const std::string& table_name);

  // One statement of a request. Nothing is asked for a text that is none: the operation refuses it.
  [[nodiscard]] Result<void> AskForStatement(
      const std::string& text, const std::optional<std::vector<AttributeValue>>& parameters);

  // The ARN of a table, or of what hangs below it, with our region and our account even where the
  // request says others: there is one table of a name, and policies can rely on one way to write
  // it.
  [[nodiscard]] std::string TableArn(std::string_view name_or_arn) const;

  const Caller& caller_;
  std::string_view operation_;
  std::string_view action_prefix_;
  LeadingKeys leading_keys_;
  ResourcePolicies policies_;
};

}  // namespace stator::wire

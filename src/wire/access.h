// Asks whether a caller may do what a request says: one question for each resource that the request
// touches, under the action that IAM knows it by. A transaction needs the permissions of the single
// operations that it is made of.

#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "stator/api/database.h"
#include "stator/base/result.h"
#include "wire/exchange.h"

namespace stator::wire {

// The questions of one request.
class AccessCheck {
 public:
  // REQUIRES: caller.authorizer is not null. `operation` is the operation's name.
  AccessCheck(const Caller& caller, std::string_view operation)
      : caller_(caller), operation_(operation) {}

  // Fails with the first refusal.
  template <class Input>
  Result<void> Check(const Input& input) const {
    if constexpr (requires { input.index_name; }) {
      return AskForIndex(input.table_name, input.index_name);
    } else if constexpr (requires {
                           { input.table_name } -> std::same_as<const std::string&>;
                         }) {
      return Ask(operation_, TableArn(input.table_name));
    } else if constexpr (requires { input.resource_arn; }) {
      return Ask(operation_, TableArn(input.resource_arn));
    } else if constexpr (requires { input.stream_arn; }) {
      return Ask(operation_, TableArn(input.stream_arn));
    } else if constexpr (requires { AskForEach(input); }) {
      return AskForEach(input);
    } else {
      return Ask(operation_, "*");
    }
  }

 private:
  [[nodiscard]] Result<void> Ask(std::string_view action, const std::string& arn) const;
  [[nodiscard]] Result<void> AskForIndex(std::string_view table,
                                         const std::optional<std::string>& index) const;
  [[nodiscard]] Result<void> AskForEach(const BatchGetItemInput& input) const;
  [[nodiscard]] Result<void> AskForEach(const BatchWriteItemInput& input) const;
  [[nodiscard]] Result<void> AskForEach(const TransactGetItemsInput& input) const;
  [[nodiscard]] Result<void> AskForEach(const TransactWriteItemsInput& input) const;
  [[nodiscard]] Result<void> AskForEach(const ListStreamsInput& input) const;
  [[nodiscard]] Result<void> AskForEach(const GetRecordsInput& input) const;

  // The ARN of a table, or of what hangs below it, with the caller's region and our account even
  // where the request says others: there is one table of a name, and policies can rely on one way
  // to write it.
  [[nodiscard]] std::string TableArn(std::string_view name_or_arn) const;

  const Caller& caller_;
  std::string_view operation_;
};

}  // namespace stator::wire

#include "cli/like_dynamodb_local.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/try.h"
#include "stator/api/error_details.h"

namespace stator::cli {
namespace {

constexpr char kConditionFailed[] = "The conditional request failed.";
constexpr char kNamedTwice[] = "Cannot have two attributes with the same name";

Result<void> CheckLimit(std::optional<std::int32_t> limit) {
  if (limit && *limit < 1) {
    return Fail(ErrorCode::kValidation, "Limit must be greater than or equal to 1");
  }
  return {};
}

Result<void> CheckNames(const std::optional<std::vector<std::string>>& names) {
  if (names && std::set<std::string>(names->begin(), names->end()).size() != names->size()) {
    return Fail(ErrorCode::kValidation, kNamedTwice);
  }
  return {};
}

Result<void> CheckNames(const std::vector<AttributeDefinition>& definitions) {
  std::set<std::string> names;
  for (const AttributeDefinition& definition : definitions) {
    if (!names.insert(definition.attribute_name).second) {
      return Fail(ErrorCode::kValidation, kNamedTwice);
    }
  }
  return {};
}

void Use(const std::vector<KeySchemaElement>& schema, std::set<std::string>& used) {
  for (const KeySchemaElement& element : schema) {
    used.insert(element.attribute_name);
  }
}

template <class Indexes>
void UseAll(const std::optional<Indexes>& indexes, std::set<std::string>& used) {
  if (indexes) {
    for (const auto& index : *indexes) {
      Use(index.key_schema, used);
    }
  }
}

// Which actions are checks alone.
std::vector<bool> ChecksOf(const TransactWriteItemsInput& input) {
  std::vector<bool> checks;
  for (const TransactWriteItem& item : input.transact_items) {
    checks.push_back(std::holds_alternative<TransactConditionCheck>(item));
  }
  return checks;
}

Result<TransactWriteItemsOutput> WithFullStops(const std::vector<bool>& checks,
                                               Result<TransactWriteItemsOutput> result) {
  const auto* const canceled =
      result ? nullptr : FindDetail<TransactionCanceledDetail>(result.error());
  if (canceled == nullptr || canceled->cancellation_reasons.size() != checks.size()) {
    return result;
  }
  auto worded = std::make_shared<TransactionCanceledDetail>(*canceled);
  for (std::size_t at = 0; at < checks.size(); ++at) {
    CancellationReason& reason = worded->cancellation_reasons[at];
    if (checks[at] && reason.code == "ConditionalCheckFailed") {
      reason.message = kConditionFailed;
    }
  }
  result.error().detail = std::move(worded);
  return result;
}

// What is done with the outcome of an item write on its way back: nothing, but for transactions.
template <class Input, class Output>
Completion<Output> InItsWords(const Input& /*input*/, Completion<Output> done) {
  return done;
}
Completion<TransactWriteItemsOutput> InItsWords(const TransactWriteItemsInput& input,
                                                Completion<TransactWriteItemsOutput> done) {
  return [checks = ChecksOf(input),
          done = std::move(done)](Result<TransactWriteItemsOutput> result) mutable {
    done(WithFullStops(checks, std::move(result)));
  };
}

}  // namespace

Result<CreateTableOutput> LikeDynamoDbLocal::CreateTable(const CreateTableInput& input) {
  TRY_VOID(CheckNames(input.attribute_definitions));
  std::set<std::string> used;
  Use(input.key_schema, used);
  UseAll(input.local_secondary_indexes, used);
  UseAll(input.global_secondary_indexes, used);
  CreateTableInput without = input;
  std::erase_if(without.attribute_definitions, [&used](const AttributeDefinition& definition) {
    return !used.contains(definition.attribute_name);
  });
  return next().CreateTable(without);
}

Result<GetItemOutput> LikeDynamoDbLocal::GetItem(const GetItemInput& input) {
  TRY_VOID(CheckNames(input.attributes_to_get));
  return next().GetItem(input);
}

Result<ListTablesOutput> LikeDynamoDbLocal::ListTables(const ListTablesInput& input) {
  TRY_VOID(CheckLimit(input.limit));
  return next().ListTables(input);
}

Result<QueryOutput> LikeDynamoDbLocal::Query(const QueryInput& input) {
  TRY_VOID(CheckLimit(input.limit));
  TRY_VOID(CheckNames(input.attributes_to_get));
  return next().Query(input);
}

Result<ScanOutput> LikeDynamoDbLocal::Scan(const ScanInput& input) {
  TRY_VOID(CheckLimit(input.limit));
  TRY_VOID(CheckNames(input.attributes_to_get));
  return next().Scan(input);
}

Result<TransactWriteItemsOutput> LikeDynamoDbLocal::TransactWriteItems(
    const TransactWriteItemsInput& input) {
  return WithFullStops(ChecksOf(input), next().TransactWriteItems(input));
}

#define STATOR_ITEM_WRITE(Name, ...)                                                             \
  void LikeDynamoDbLocal::Start##Name(const Name##Input& input, Completion<Name##Output> done) { \
    next().Start##Name(input, InItsWords(input, std::move(done)));                               \
  }
#include "stator/api/operations.inc"

}  // namespace stator::cli

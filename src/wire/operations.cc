#include "wire/operations.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "wire/access.h"
#include "wire/error_names.h"
#include "wire/messages.h"

namespace stator::wire {
namespace {

double UnitsOf(const std::optional<ConsumedCapacity>& consumed) {
  return consumed ? consumed->capacity_units : 0;
}

double UnitsOf(const std::vector<ConsumedCapacity>& consumed) {
  double units = 0;
  for (const ConsumedCapacity& of_table : consumed) {
    units += of_table.capacity_units;
  }
  return units;
}

void Clear(std::optional<ConsumedCapacity>& consumed) {
  consumed.reset();
}

void Clear(std::vector<ConsumedCapacity>& consumed) {
  consumed.clear();
}

template <class Input>
concept WithCapacity = requires(const Input& input) { input.return_consumed_capacity; };

// The server counts capacity even if the caller does not want to see it. Whether it does.
template <class Input>
bool AskForCapacity(Input& input) {
  if constexpr (WithCapacity<Input>) {
    if (input.return_consumed_capacity == ReturnConsumedCapacity::kNone) {
      input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
      return false;
    }
  }
  return true;
}

enum class Kind : bool { kRead, kWrite };

// What an operation's output becomes.
template <class Output>
Answer ToAnswer(Result<Output> result, std::string_view operation, Kind kind, bool show_capacity) {
  if (!result) {
    return AnswerFor(result.error(), operation);
  }
  Answer answer = {.operation = operation};
  if constexpr (requires { result->consumed_capacity; }) {
    (kind == Kind::kRead ? answer.read_units : answer.write_units) =
        UnitsOf(result->consumed_capacity);
    if (!show_capacity) {
      Clear(result->consumed_capacity);
    }
  }
  Append(*result, answer.body);
  return answer;
}

template <class Input>
Result<void> Decode(const Operation& operation, Database& database, const Caller& caller,
                    simdjson::dom::object body, Input& input) {
  Decoding decoding;
  Read(body, decoding, input);
  TRY_VOID(decoding.Finish(input));
  if (caller.authorizer != nullptr) {
    return AccessCheck(caller, operation.name, database).Check(input);
  }
  return {};
}

// Reads and everything about tables: answered when the call returns.
template <class Input, class Output>
void Call(Result<Output> (Database::*method)(const Input&), const Operation& operation,
          Database& database, const Caller& caller, simdjson::dom::object body,
          Handler::Done done) {
  Input input{};
  if (Result<void> decoded = Decode(operation, database, caller, body, input); !decoded) {
    done(ToAnswer<Output>(std::unexpected(std::move(decoded).error()), operation.name, Kind::kRead,
                          false));
    return;
  }
  const bool show_capacity = AskForCapacity(input);
  done(ToAnswer((database.*method)(input), operation.name, Kind::kRead, show_capacity));
}

// Writes of items: answered when the log has been synced.
template <class Input, class Output>
void Call(void (Database::*method)(const Input&, Completion<Output>), const Operation& operation,
          Database& database, const Caller& caller, simdjson::dom::object body,
          Handler::Done done) {
  Input input{};
  if (Result<void> decoded = Decode(operation, database, caller, body, input); !decoded) {
    done(ToAnswer<Output>(std::unexpected(std::move(decoded).error()), operation.name, Kind::kWrite,
                          false));
    return;
  }
  const bool show_capacity = AskForCapacity(input);
  (database.*method)(input, [name = operation.name, show_capacity,
                             done = std::move(done)](Result<Output> result) mutable {
    done(ToAnswer(std::move(result), name, Kind::kWrite, show_capacity));
  });
}

template <auto kMethod>
void Run(const Operation& operation, Database& database, const Caller& caller,
         simdjson::dom::object body, Handler::Done done) {
  Call(kMethod, operation, database, caller, body, std::move(done));
}

template <auto kMethod>
constexpr Operation Define(std::string_view target) {
  return {target.substr(target.find('.') + 1), target, &Run<kMethod>};
}

// The most frequent ones first.
constexpr std::array kOperations = {
    Define<&Database::GetItem>("DynamoDB_20120810.GetItem"),
    Define<&Database::StartPutItem>("DynamoDB_20120810.PutItem"),
    Define<&Database::StartUpdateItem>("DynamoDB_20120810.UpdateItem"),
    Define<&Database::Query>("DynamoDB_20120810.Query"),
    Define<&Database::StartDeleteItem>("DynamoDB_20120810.DeleteItem"),
    Define<&Database::BatchGetItem>("DynamoDB_20120810.BatchGetItem"),
    Define<&Database::StartBatchWriteItem>("DynamoDB_20120810.BatchWriteItem"),
    Define<&Database::StartTransactWriteItems>("DynamoDB_20120810.TransactWriteItems"),
    Define<&Database::TransactGetItems>("DynamoDB_20120810.TransactGetItems"),
    Define<&Database::Scan>("DynamoDB_20120810.Scan"),
    Define<&Database::GetRecords>("DynamoDBStreams_20120810.GetRecords"),
    Define<&Database::GetShardIterator>("DynamoDBStreams_20120810.GetShardIterator"),
    Define<&Database::DescribeStream>("DynamoDBStreams_20120810.DescribeStream"),
    Define<&Database::ListStreams>("DynamoDBStreams_20120810.ListStreams"),
    Define<&Database::DescribeTable>("DynamoDB_20120810.DescribeTable"),
    Define<&Database::ListTables>("DynamoDB_20120810.ListTables"),
    Define<&Database::CreateTable>("DynamoDB_20120810.CreateTable"),
    Define<&Database::UpdateTable>("DynamoDB_20120810.UpdateTable"),
    Define<&Database::DeleteTable>("DynamoDB_20120810.DeleteTable"),
    Define<&Database::UpdateTimeToLive>("DynamoDB_20120810.UpdateTimeToLive"),
    Define<&Database::DescribeTimeToLive>("DynamoDB_20120810.DescribeTimeToLive"),
    Define<&Database::TagResource>("DynamoDB_20120810.TagResource"),
    Define<&Database::UntagResource>("DynamoDB_20120810.UntagResource"),
    Define<&Database::ListTagsOfResource>("DynamoDB_20120810.ListTagsOfResource"),
    Define<&Database::UpdateContinuousBackups>("DynamoDB_20120810.UpdateContinuousBackups"),
    Define<&Database::DescribeContinuousBackups>("DynamoDB_20120810.DescribeContinuousBackups"),
    Define<&Database::DescribeLimits>("DynamoDB_20120810.DescribeLimits"),
    Define<&Database::DescribeEndpoints>("DynamoDB_20120810.DescribeEndpoints"),
};

}  // namespace

std::span<const Operation> AllOperations() {
  return kOperations;
}

const Operation* FindOperation(std::string_view target) {
  const auto found =
      std::find_if(kOperations.begin(), kOperations.end(),
                   [target](const Operation& operation) { return operation.target == target; });
  return found == kOperations.end() ? nullptr : &*found;
}

}  // namespace stator::wire

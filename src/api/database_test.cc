// What every operation has because it is in the list: a body in Database that refuses, a way
// through ForwardingDatabase and ObservedDatabase, and facts that agree with each other.

#include "stator/api/database.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "api/operations.h"
#include "stator/api/forwarding_database.h"
#include "stator/api/observed_database.h"

namespace stator {
namespace {

using Names = std::vector<std::string>;

Names AllNames() {
  Names names;
  for (const api::Operation* operation : api::kOperations) {
    names.emplace_back(operation->name);
  }
  return names;
}

// Each operation once, in the order of the list; the codes that they failed with.
std::set<ErrorCode> CallAll(Database& database, Names* messages = nullptr) {
  std::set<ErrorCode> codes;
  const auto note = [&](const auto& result) {
    if (!result) {
      codes.insert(result.error().code);
      if (messages != nullptr) {
        messages->push_back(result.error().message);
      }
    }
  };
#define STATOR_OPERATION(Name, ...) note(database.Name({}));
#include "stator/api/operations.inc"
  return codes;
}

// Answers everything.
class Recorder final : public Database {
 public:
#define STATOR_OPERATION(Name, ...)                                  \
  Result<Name##Output> Name(const Name##Input& /*input*/) override { \
    called.emplace_back(#Name);                                      \
    return Name##Output{};                                           \
  }
#include "stator/api/operations.inc"

  Names called;
};

class Empty final : public Database {};

TEST(Operations, HaveNamesAndTargetsOfTheirOwn) {
  std::set<std::string_view> names;
  for (const api::Operation* operation : api::kOperations) {
    EXPECT_TRUE(names.insert(operation->name).second) << operation->name;
    EXPECT_TRUE(operation->target == "DynamoDB_20120810." + std::string(operation->name) ||
                operation->target == "DynamoDBStreams_20120810." + std::string(operation->name) ||
                operation->target == "Stator_20120810." + std::string(operation->name))
        << operation->target;
    EXPECT_EQ(operation->repetition == api::Repetition::kReads,
              operation->effect == api::Effect::kRead)
        << operation->name;
  }
  EXPECT_EQ(api::OperationOf<GetRecordsInput>::kOperation.target,
            "DynamoDBStreams_20120810.GetRecords");
  EXPECT_EQ(api::OperationOf<GetRecordsInput>::kOperation.action_prefix(), "dynamodb:");
  EXPECT_EQ(api::OperationOf<RewindTableInput>::kOperation.target, "Stator_20120810.RewindTable");
  EXPECT_EQ(api::OperationOf<RewindTableInput>::kOperation.action_prefix(), "stator:");
}

TEST(Database, RefusesWhatItDoesNotHave) {
  Empty database;
  Names messages;
  EXPECT_EQ(CallAll(database, &messages), std::set{ErrorCode::kUnknownOperation});
  Names expected;
  for (const std::string& name : AllNames()) {
    expected.push_back(name + " is unknown to this database");
  }
  EXPECT_EQ(messages, expected);
}

TEST(Database, StartsByCallingWhereNothingElseIsSaid) {
  Recorder database;
  Names started;
  Names finished;
#define STATOR_ITEM_WRITE(Name, ...)                                         \
  started.emplace_back(#Name);                                               \
  database.Start##Name({}, [&finished](const Result<Name##Output>& result) { \
    EXPECT_TRUE(result.has_value());                                         \
    finished.emplace_back(#Name);                                            \
  });
#include "stator/api/operations.inc"
  EXPECT_EQ(database.called, started);
  EXPECT_EQ(finished, started);
  EXPECT_FALSE(started.empty());
}

TEST(ForwardingDatabase, PassesEveryOperationOn) {
  Recorder recorder;
  ForwardingDatabase forwarding(recorder);
  EXPECT_TRUE(CallAll(forwarding).empty());
  EXPECT_EQ(recorder.called, AllNames());
}

TEST(ObservedDatabase, TellsEveryOperationWithItsOutcome) {
  Recorder recorder;
  Names told;
  ObservedDatabase good(recorder, [&told](const ObservedCall& call) {
    EXPECT_EQ(call.error, nullptr);
    told.emplace_back(call.operation);
  });
  EXPECT_TRUE(CallAll(good).empty());
  EXPECT_EQ(recorder.called, AllNames());
  EXPECT_EQ(told, AllNames());

  Empty empty;
  std::size_t failed = 0;
  ObservedDatabase bad(empty, [&failed](const ObservedCall& call) {
    failed += call.error != nullptr && call.error->code == ErrorCode::kUnknownOperation ? 1U : 0U;
  });
  CallAll(bad);
  EXPECT_EQ(failed, api::kOperations.size());
}

}  // namespace
}  // namespace stator

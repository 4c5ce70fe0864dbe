// A database that loses answers, throttles and hides: what the store makes of it.

#include "stator/api/forwarding_database.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using testing::HasSubstr;
using testing::Not;

class UnreliableDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    ++puts;
    if (fails_puts > 0) {
      --fails_puts;
      return std::unexpected(failure);
    }
    PutItemInput asked = input;
    if (hides_items) {
      asked.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kNone;
    }
    auto output = ForwardingDatabase::PutItem(asked);
    if (loses_answers > 0) {
      --loses_answers;
      return Fail(ErrorCode::kAmbiguous, "the connection broke");
    }
    return output;
  }

  int puts = 0;
  int loses_answers = 0;     // applied, but nobody hears of it
  int fails_puts = 0;        // not applied
  bool hides_items = false;  // failed conditions do not show the item
  Error failure{.code = ErrorCode::kThrottled, .message = "slow down, OWNER#alice"};
};

class Faults : public TasksTest {
 protected:
  void SetUp() override {
    Open(BackendKind::kTable);
    database_.emplace(home_->database());
    backend_ = std::make_unique<DatabaseBackend>(
        *database_, DatabaseBackendOptions{.table = std::string(kTable)}, environment_);
    UseOptions({});
  }

  std::optional<UnreliableDatabase> database_;
};

TEST_F(Faults, ALostAnswerOfACreationIsStillOneTask) {
  database_->loses_answers = 1;
  const TaskRecord record = Created();
  EXPECT_EQ(record.version, 1);
  EXPECT_EQ(database_->puts, 2);
  EXPECT_EQ(store_->List("alice")->tasks.size(), 1);
}

TEST_F(Faults, ALostAnswerOfAChangeIsASuccess) {
  const std::string id = Created().task.id;
  for (const bool hides : {false, true}) {
    database_->hides_items = hides;
    const std::uint64_t version = store_->Get("alice", id)->version;
    database_->loses_answers = 1;
    const auto changed = store_->SetVariables("alice", id, {{"a", 1}});
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(changed->version, version + 1);
    EXPECT_EQ(store_->Get("alice", id)->version, version + 1);
  }
}

TEST_F(Faults, ALostAnswerOfACompletionIsNotAnInvalidTransition) {
  const std::string id = Created().task.id;
  database_->loses_answers = 2;
  const auto done =
      store_->Complete("alice", id, {.status = TaskStatus::kCompleted, .result = Json(1)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->task.status, TaskStatus::kCompleted);
}

TEST_F(Faults, AnAnswerThatIsAlwaysLostIsAnErrorInTheEnd) {
  database_->loses_answers = 1'000'000;
  const auto created = store_->Create(kAlice, {.method = "m"});
  ASSERT_THAT(created, FailsWith(ErrorCode::kAmbiguous));
  EXPECT_LE(clock_.Elapsed(), DatabaseBackendOptions{}.retry.budget);
  EXPECT_GT(database_->puts, 3);
}

TEST_F(Faults, ConflictsAreToldWithTheStoredVersionEvenWhenTheServerHidesIt) {
  database_->hides_items = true;
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->SetMessage("alice", id, "m"));
  const auto written = backend_->PutIfVersion({.owner = "alice", .task = id}, {.data = "{}"}, 1);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kConflict);
  EXPECT_EQ(FindDetail<VersionConflict>(written.error())->actual, 2);
  const auto missing = backend_->PutIfVersion({.owner = "alice", .task = "no"}, {.data = "{}"}, 1);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

TEST_F(Faults, FailuresOfTheDatabaseReachTheLogButNotTheClient) {
  database_->fails_puts = 1;
  const auto created = store_->Create(kAlice, {.method = "m"});
  ASSERT_THAT(created, FailsWith(ErrorCode::kThrottled));
  EXPECT_EQ(JsonRpcCode(created.error().code), -32603);
  EXPECT_THAT(created.error().message, Not(HasSubstr("alice")));
  EXPECT_THAT(log_, HasSubstr("slow down"));
  EXPECT_TRUE(store_->List("alice")->tasks.empty());
}

TEST_F(Faults, ErrorsOfTheDatabaseHaveTheirCodes) {
  const auto failure_of = [&](ErrorCode code, std::string message) {
    database_->fails_puts = 1;
    database_->failure = {.code = code, .message = std::move(message)};
    const auto created = store_->Create(kAlice, {.method = "m"});
    EXPECT_FALSE(created);
    return created.error();
  };
  for (const ErrorCode code : {ErrorCode::kItemCollectionTooLarge, ErrorCode::kTooLarge}) {
    EXPECT_EQ(failure_of(code, "x").code, code);
    EXPECT_FALSE(FactsOf(failure_of(code, "x")).cause);
  }
  for (const ErrorCode code :
       {ErrorCode::kAccessDenied, ErrorCode::kUnrecognizedClient, ErrorCode::kExpiredToken,
        ErrorCode::kMissingAuthenticationToken, ErrorCode::kInvalidSignature}) {
    const Error denied = failure_of(code, "secret");
    EXPECT_EQ(denied.code, code);
    EXPECT_TRUE(IsConfiguration(denied.code));
    EXPECT_THAT(denied.message, HasSubstr("credentials"));
    EXPECT_THAT(denied.message, HasSubstr(std::string(kTable)));
    EXPECT_THAT(denied.message, HasSubstr("stator tables policy --for tasks"));
    EXPECT_THAT(denied.message, Not(HasSubstr("secret")));
  }
  for (const ErrorCode code : {ErrorCode::kInternal, ErrorCode::kThrottled, ErrorCode::kUnavailable,
                               ErrorCode::kTimeout, ErrorCode::kValidation}) {
    const Error failed = failure_of(code, "about OWNER#alice");
    EXPECT_TRUE(IsStoreFailure(failed.code));
    EXPECT_EQ(JsonRpcCode(failed.code), -32603);
    EXPECT_THAT(failed.message, Not(HasSubstr("alice")));
    // For the log.
    EXPECT_EQ(FactsOf(failed).cause->message, "about OWNER#alice");
  }
}

TEST_F(Faults, AWriteThatMeetsATransactionIsSentAgain) {
  database_->fails_puts = 3;
  database_->failure = {.code = ErrorCode::kTransactionConflict, .message = "x"};
  EXPECT_TRUE(store_->Create(kAlice, {.method = "m"}));
  EXPECT_EQ(database_->fails_puts, 0);
}

// Somebody else writes between every read and write.
class OvertakingBackend final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    if (overtakes > 0 && input.condition_expression == "#v = :v") {
      --overtakes;
      const auto bumped =
          next().UpdateItem({.table_name = input.table_name,
                             .key = {{"PK", input.item.at("PK")}, {"SK", input.item.at("SK")}},
                             .update_expression = "ADD #v :one",
                             .expression_attribute_names = AttributeNames{{"#v", "version"}},
                             .expression_attribute_values = Map{{":one", 1}}});
      EXPECT_TRUE(bumped);
    }
    return ForwardingDatabase::PutItem(input);
  }

  int overtakes = 0;
};

TEST_F(Faults, AnOvertakenChangeIsAppliedAnewUntilItsTimeIsOver) {
  OvertakingBackend database(home_->database());
  DatabaseBackend backend(database, {.table = std::string(kTable)}, environment_);
  TaskStore store = TaskStore::Open(backend, {}, environment_).value();
  const std::string id = store.Create(kAlice, {.method = "m"})->task.id;
  database.overtakes = 9;
  const auto changed = store.SetVariables("alice", id, {{"a", 1}});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->version, 11);
  database.overtakes = 1'000'000;
  const Duration began = clock_.Elapsed();
  const auto given_up = store.SetMessage("alice", id, "half");
  ASSERT_THAT(given_up, FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(clock_.Elapsed() - began, store.options().retry.budget);
  EXPECT_EQ(FactsOf(given_up.error()).expected + 1, FactsOf(given_up.error()).actual);
  EXPECT_EQ(JsonRpcCode(given_up.error().code), -32603);
  EXPECT_FALSE(store.Get("alice", id)->task.status_message);
}

TEST_F(Faults, TasksOutliveTheDatabaseObject) {
  if (!homes::ThisHome().keeps_data) {
    GTEST_SKIP() << "this home keeps nothing";
  }
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->SetVariables("alice", id, {{"a", 1}}));
  home_->Reopen();
  DatabaseBackend backend(home_->database(), {.table = std::string(kTable)}, environment_);
  TaskStore store = TaskStore::Open(backend, {}, environment_).value();
  EXPECT_EQ(store.Get("alice", id)->variables, (JsonObject{{"a", 1}}));
  EXPECT_EQ(store.List("alice")->tasks.size(), 1);
}

}  // namespace
}  // namespace stator::tasks

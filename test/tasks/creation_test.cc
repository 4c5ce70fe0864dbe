// Creating tasks: first state, time to live, quota, anonymity, idempotency.

#include <set>

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

class Creation : public TaskStoreTest {};

TEST_P(Creation, GivesAWorkingTaskThatIsStored) {
  clock_.Advance(std::chrono::microseconds(1234));
  const TaskRecord record = Created({.method = "tools/call",
                                     .ttl_ms = 60'000,
                                     .variables = {{"a", 1}, {"gone", nullptr}},
                                     .tool_name = "slow",
                                     .arguments = Json(JsonObject{{"n", 2}})});
  EXPECT_EQ(record.task.status, TaskStatus::kWorking);
  EXPECT_EQ(record.task.created_at, kStart + milliseconds(1));
  EXPECT_EQ(record.task.last_updated_at, record.task.created_at);
  EXPECT_EQ(record.task.ttl_ms, 60'000);
  EXPECT_EQ(record.task.poll_interval_ms, 500);
  EXPECT_EQ(record.expires_at, clock_.Now() + seconds(60));
  EXPECT_EQ(record.version, 1);
  EXPECT_FALSE(record.result);
  EXPECT_EQ(record.variables, (JsonObject{{"a", 1}}));

  const Result<TaskRecord> read = store_->Get("alice", record.task.id);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->task, record.task);
  EXPECT_EQ(read->owner_id, "alice");
  EXPECT_EQ(read->request_method, "tools/call");
  EXPECT_EQ(read->tool_name, "slow");
  EXPECT_EQ(read->arguments, record.arguments);
  EXPECT_EQ(read->variables, record.variables);
  EXPECT_EQ(read->expires_at, record.expires_at);
  EXPECT_EQ(read->version, 1);
}

TEST_P(Creation, MakesIdsThatAreRandomUuids) {
  UseOptions({.active_tasks_max = 1000});
  std::set<std::string> ids;
  for (int i = 0; i < 40; ++i) {
    const std::string id = Created().task.id;
    EXPECT_EQ(id.size(), 36);
    EXPECT_EQ(id[14], '4');
    EXPECT_TRUE(std::string("89ab").contains(id[19])) << id;
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 40);
}

TEST_P(Creation, NeverOverwritesATaskThatHasTheId) {
  SeededRandom one(7);
  SeededRandom same(7);
  TaskStore first = TaskStore::Open(*backend_, {}, {.clock = &clock_, .random = &one}).value();
  TaskStore second = TaskStore::Open(*backend_, {}, {.clock = &clock_, .random = &same}).value();
  const auto there = first.Create(kAlice, {.method = "first"});
  const auto later = second.Create(kAlice, {.method = "second"});
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_NE(later->task.id, there->task.id);
  EXPECT_EQ(store_->Get("alice", there->task.id)->request_method, "first");
}

TEST(CreationOptions, HaveTheDefaultsThatAreDocumented) {
  const TaskStoreOptions options;
  EXPECT_EQ(options.default_ttl_ms, 3'600'000);
  EXPECT_EQ(options.ttl_ms_max, 86'400'000);
  EXPECT_EQ(options.variables_bytes_max, 358'400);
  EXPECT_EQ(options.variable_depth_max, 10);
  EXPECT_EQ(options.variable_text_bytes_max, 65'536);
  EXPECT_EQ(options.active_tasks_max, 100);
  EXPECT_EQ(options.poll_interval_ms, 500);
  EXPECT_EQ(options.page_size, 50);
  EXPECT_EQ(options.retry.budget, std::chrono::seconds(2));
  EXPECT_FALSE(options.allow_anonymous || options.show_expired || options.refuse_ttl_above_max ||
               options.variables_after_end);
  MemoryBackend backend;
  EXPECT_EQ(TaskStore::Open(backend, TaskStoreOptions{.page_size = 7})->options().page_size, 7);
}

TEST_P(Creation, UsesTheDefaultTtl) {
  EXPECT_EQ(Created().task.ttl_ms, 3'600'000);
}

TEST_P(Creation, ClampsATtlAboveTheMaximum) {
  const TaskRecord record = Created({.method = "m", .ttl_ms = 86'400'001});
  EXPECT_EQ(record.task.ttl_ms, 86'400'000);
  EXPECT_EQ(record.expires_at, kStart + std::chrono::hours(24));
}

TEST_P(Creation, RefusesATtlAboveTheMaximumWhenToldSo) {
  UseOptions({.refuse_ttl_above_max = true});
  const auto created = store_->Create(kAlice, {.method = "m", .ttl_ms = 86'400'001});
  EXPECT_THAT(created, FailsWith(ErrorCode::kValidation));
  EXPECT_EQ(created.error().message, "TTL 86400001ms exceeds maximum allowed 86400000ms");
  EXPECT_EQ(JsonRpcCode(created.error().code), -32602);
  EXPECT_TRUE(store_->List("alice")->tasks.empty());
}

TEST_P(Creation, RefusesTtlsThatAreNotPositive) {
  for (const std::int64_t ttl : {std::int64_t{0}, std::int64_t{-1}}) {
    EXPECT_THAT(store_->Create(kAlice, {.method = "m", .ttl_ms = ttl}),
                FailsWith(ErrorCode::kValidation));
  }
}

TEST_P(Creation, WithoutADefaultTakesTheMaximum) {
  UseOptions({.default_ttl_ms = std::nullopt, .ttl_ms_max = 5000});
  EXPECT_EQ(Created().task.ttl_ms, 5000);
}

TEST_P(Creation, WithoutAnyLimitNeverExpires) {
  UseOptions({.default_ttl_ms = std::nullopt, .ttl_ms_max = std::nullopt});
  const TaskRecord record = Created();
  EXPECT_FALSE(record.task.ttl_ms);
  EXPECT_FALSE(record.expires_at);
  clock_.Advance(std::chrono::hours(24 * 365 * 50));
  EXPECT_TRUE(store_->Get("alice", record.task.id));
}

TEST_P(Creation, ATtlBeyondTheCalendarNeverExpires) {
  UseOptions({.ttl_ms_max = std::nullopt});
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const TaskRecord record = Created({.method = "m", .ttl_ms = huge});
  EXPECT_EQ(record.task.ttl_ms, huge);
  EXPECT_FALSE(record.expires_at);
  EXPECT_EQ(store_->Get("alice", record.task.id)->task.ttl_ms, huge);
}

TEST(CreationOptions, ADefaultBeyondTheMaximumIsNoConfiguration) {
  MemoryBackend backend;
  for (const TaskStoreOptions& wrong :
       {TaskStoreOptions{.default_ttl_ms = 2, .ttl_ms_max = 1},
        TaskStoreOptions{.default_ttl_ms = 0}, TaskStoreOptions{.page_size = 0}}) {
    EXPECT_THAT(TaskStore::Open(backend, wrong), FailsWith(ErrorCode::kValidation));
  }
  EXPECT_TRUE(TaskStore::Open(backend));
}

TEST_P(Creation, CountsActiveTasksOfTheOwnerOnly) {
  UseOptions({.active_tasks_max = 2});
  const TaskRecord first = Created();
  Created();
  const auto refused = store_->Create(kAlice, {.method = "m"});
  ASSERT_THAT(refused, FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(FactsOf(refused.error()).hint, "Cancel or wait for existing tasks to expire");
  EXPECT_EQ(FactsOf(refused.error()).limit, 2);
  EXPECT_EQ(JsonRpcCode(refused.error().code), -32603);
  EXPECT_TRUE(store_->Create({.id = "bob"}, {.method = "m"}));
  // An ended task does not count.
  ASSERT_TRUE(store_->Cancel("alice", first.task.id));
  EXPECT_TRUE(store_->Create(kAlice, {.method = "m"}));
  EXPECT_EQ(store_->List("alice")->tasks.size(), 3);
}

TEST_P(Creation, DoesNotCountExpiredTasks) {
  UseOptions({.default_ttl_ms = 1000, .active_tasks_max = 1});
  Created();
  clock_.Advance(seconds(3));
  EXPECT_TRUE(store_->Create(kAlice, {.method = "m"}));
}

TEST_P(Creation, RefusesAnonymousOwnersUnlessAllowed) {
  const Owner anonymous = ResolveOwner({});
  for (const Owner& owner : {anonymous, Owner{.id = ""}}) {
    const auto created = store_->Create(owner, {.method = "m"});
    ASSERT_THAT(created, FailsWith(ErrorCode::kValidation));
    EXPECT_EQ(created.error().message,
              "anonymous access is not allowed; configure OAuth or enable allow_anonymous");
    EXPECT_EQ(JsonRpcCode(created.error().code), -32602);
    // Only making is refused.
    EXPECT_TRUE(store_->List(owner.id)->tasks.empty());
    EXPECT_THAT(store_->Get(owner.id, "t"), FailsWith(ErrorCode::kNotFound));
  }
  UseOptions({.allow_anonymous = true});
  EXPECT_TRUE(store_->Create(anonymous, {.method = "m"}));
  EXPECT_EQ(store_->List("local")->tasks.size(), 1);
}

TEST_P(Creation, ChecksBeforeItWrites) {
  UseOptions({.refuse_ttl_above_max = true, .active_tasks_max = 0});
  // Who, then the request, then the place.
  EXPECT_THAT(store_->Create(ResolveOwner({}), {.method = "m", .ttl_ms = -1}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(store_->Create(kAlice, {.method = "m", .ttl_ms = -1}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(store_->Create(kAlice, {.method = "m"}), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_TRUE(store_->List("alice")->tasks.empty());
}

TEST_P(Creation, AnOwnerCalledLocalIsNotAnonymous) {
  EXPECT_TRUE(store_->Create({.id = "local"}, {.method = "m"}));
}

TEST(OwnerResolution, TakesTheFirstThatIsThere) {
  EXPECT_EQ(ResolveOwner({.issuer = "i", .subject = "s", .client_id = "c"}).id, "i|s");
  EXPECT_EQ(ResolveOwner({.issuer = "i", .client_id = "c", .session_id = "x"}).id, "c");
  EXPECT_EQ(ResolveOwner({.session_id = "x"}).id, "x");
  EXPECT_EQ(ResolveOwner({}).id, "local");
  EXPECT_TRUE(ResolveOwner({}).is_anonymous);
  // Nobody gets into the place of the anonymous owner by name.
  EXPECT_NE(ResolveOwner({.subject = "local"}).id, "local");
  EXPECT_NE(ResolveOwner({.client_id = "local"}).id, "local");
  EXPECT_FALSE(ResolveOwner({.session_id = "local"}).is_anonymous);
  EXPECT_NE(ResolveOwner({.session_id = "local"}).id, "local");
}

TEST_P(Creation, RefusesOwnersThatCannotBeStored) {
  EXPECT_THAT(store_->Create({.id = std::string(2043, 'x')}, {.method = "m"}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(store_->Create({.id = "\xFF"}, {.method = "m"}), FailsWith(ErrorCode::kValidation));
  EXPECT_TRUE(store_->Create({.id = std::string(2042, 'x')}, {.method = "m"}));
}

TEST_P(Creation, RefusesVariablesBeyondTheLimitsAndLeavesNothing) {
  EXPECT_THAT(
      store_->Create(kAlice, {.method = "m", .variables = {{"s", std::string(65'537, 'x')}}}),
      FailsWith(ErrorCode::kValidation));
  EXPECT_TRUE(store_->List("alice")->tasks.empty());
}

TEST_P(Creation, TakesArgumentsThatVariablesWouldRefuse) {
  Json deep = 1;
  for (int level = 0; level < 60; ++level) {
    deep = JsonObject{{"d", deep}};
  }
  const TaskRecord record = Created({.method = "m", .arguments = deep});
  EXPECT_EQ(store_->Get("alice", record.task.id)->arguments, deep);
}

TEST_P(Creation, RepeatedWithAKeyGivesTheSameTask) {
  const CreateTaskInput input{
      .method = "m", .tool_name = "t", .arguments = Json(1), .idempotency_key = "key"};
  const TaskRecord first = Created(input);
  const TaskRecord again = Created(input);
  EXPECT_EQ(again.task, first.task);
  EXPECT_EQ(again.version, 1);
  EXPECT_EQ(first.task.id.size(), 36);
  EXPECT_EQ(store_->List("alice")->tasks.size(), 1);
  // The same key of another owner is another task.
  EXPECT_NE(store_->Create({.id = "bob"}, input)->task.id, first.task.id);
  // Another request with the key is a mistake.
  CreateTaskInput other = input;
  other.arguments = Json(2);
  EXPECT_THAT(store_->Create(kAlice, other), FailsWith(ErrorCode::kValidation));
}

TEST_P(Creation, RepeatedWithAKeyIsNotHeldUpByTheQuota) {
  UseOptions({.active_tasks_max = 1});
  const CreateTaskInput input{.method = "m", .idempotency_key = "key"};
  Created(input);
  EXPECT_TRUE(store_->Create(kAlice, input));
}

TEST_P(Creation, AKeyOfAnExpiredTaskMakesANewOne) {
  const CreateTaskInput input{.method = "m", .ttl_ms = 1000, .idempotency_key = "key"};
  const TaskRecord first = Created(input);
  clock_.Advance(seconds(2));
  const TaskRecord second = Created(input);
  EXPECT_EQ(second.task.id, first.task.id);
  EXPECT_EQ(second.task.created_at, kStart + seconds(2));
  EXPECT_TRUE(store_->Get("alice", second.task.id));
}

FOR_EVERY_BACKEND(Creation);

}  // namespace
}  // namespace stator::tasks

// The table: its items attribute by attribute, records of the crate, making and checking it, and a
// poll that does not read the record.

#include "stator/api/forwarding_database.h"
#include "stator/stores/tasks/json.h"
#include "stator/stores/tasks/task_table.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class TaskTable : public TasksTest {
 protected:
  void SetUp() override { Open(BackendKind::kTable); }

  Item RawItem(const std::string& owner, const std::string& task) {
    return ItemAt("OWNER#" + owner, "TASK#" + task);
  }
  Item LeaseItem(const std::string& owner, const std::string& task) {
    return ItemAt("OWNER#" + owner, "WORK#" + task);
  }

  // Empty when there is none.
  Item ItemAt(const std::string& partition, const std::string& sort) {
    const auto read = home_->database().GetItem({.table_name = std::string(kTable),
                                                 .key = {{"PK", partition}, {"SK", sort}},
                                                 .consistent_read = true});
    EXPECT_TRUE(read);
    return read && read->item ? *read->item : Item();
  }
};

TEST_F(TaskTable, ItemsHaveTheAttributesOfTheFormat) {
  clock_.Advance(std::chrono::microseconds(1));
  const TaskRecord record = Created(
      {.method = "tools/call",
       .ttl_ms = 1000,
       .lease = LeaseRequest{.worker = "w", .group = "g", .length = std::chrono::seconds(5)}});
  const std::string id = record.task.id;
  const Item item = RawItem("alice", id);
  EXPECT_EQ(item.at("version"), AttributeValue(1));
  EXPECT_EQ(item.at("expires_at"), AttributeValue(1'794'744'002));  // rounded up
  EXPECT_EQ(item.at("owner_id"), AttributeValue("alice"));
  EXPECT_EQ(item.at("task_id"), AttributeValue(id));
  EXPECT_EQ(item.at("status"), AttributeValue("working"));
  EXPECT_EQ(item.at("created_key"), AttributeValue("2026-11-15T12:00:00.000Z#" + id));
  EXPECT_EQ(item.at("active_key"), item.at("created_key"));
  EXPECT_TRUE(item.contains("write_id"));
  EXPECT_EQ(item.size(), 12);
  EXPECT_EQ(*item.at("head").If<std::string>(),
            R"({"taskId":")" + id +
                R"(","status":"working","createdAt":"2026-11-15T12:00:00.000Z",)"
                R"("lastUpdatedAt":"2026-11-15T12:00:00.000Z","ttl":1000,"pollInterval":500,)"
                R"("expiresAt":"2026-11-15T12:00:01.000001Z"})");
  EXPECT_EQ(*item.at("data").If<std::string>(),
            R"({"task":{"taskId":")" + id +
                R"(","status":"working","createdAt":"2026-11-15T12:00:00.000Z",)"
                R"("lastUpdatedAt":"2026-11-15T12:00:00.000Z","ttl":1000,"pollInterval":500},)"
                R"("ownerId":"alice","variables":{},"result":null,"requestMethod":"tools/call",)"
                R"("expiresAt":"2026-11-15T12:00:01.000001Z","schema":1,"hasResult":false,)"
                R"("lease":{"worker":"w","group":"g","attempt":1}})");
  EXPECT_EQ(LeaseItem("alice", id), (Item{{"PK", "OWNER#alice"},
                                          {"SK", "WORK#" + id},
                                          {"worker", "w"},
                                          {"lease_group", "g"},
                                          {"lease_until", 1'794'744'005'000},
                                          {"expires_at", 1'794'744'002}}));
}

TEST_F(TaskTable, AttributesOfEndedAndEverlastingTasksAreLeftOut) {
  UseOptions({.default_ttl_ms = std::nullopt, .max_ttl_ms = std::nullopt});
  const std::string id = Created().task.id;
  EXPECT_FALSE(RawItem("alice", id).contains("expires_at"));
  ASSERT_TRUE(store_->Cancel("alice", id));
  const Item item = RawItem("alice", id);
  EXPECT_EQ(item.at("status"), AttributeValue("cancelled"));
  EXPECT_EQ(item.at("version"), AttributeValue(2));
  EXPECT_FALSE(item.contains("active_key"));
}

TEST_F(TaskTable, RecordsOfTheCrateAreReadAndChanged) {
  const std::string id = "550e8400-e29b-41d4-a716-446655440000";
  ASSERT_TRUE(home_->database().PutItem(
      {.table_name = std::string(kTable),
       .item = {{"PK", "OWNER#alice"},
                {"SK", "TASK#" + id},
                {"version", 3},
                {"data", R"({"task":{"taskId":")" + id +
                             R"(","status":"working","createdAt":"2026-02-23T12:00:00.000Z",)"
                             R"("lastUpdatedAt":"2026-02-23T12:00:00.000Z","ttl":null},)"
                             R"("ownerId":"alice","variables":{"a":1},"result":null,)"
                             R"("requestMethod":"tools/call","expiresAt":null,"news":[1]})"}}}));
  EXPECT_EQ(store_->Get("alice", id)->version, 3);
  EXPECT_EQ(store_->Poll("alice", id)->id, id);
  const auto changed = store_->SetVariables("alice", id, {{"b", 2}});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->version, 4);
  EXPECT_EQ(changed->variables, (JsonObject{{"a", 1}, {"b", 2}}));
  // What this version does not know is still there, and now it is in the lists too.
  EXPECT_THAT(*RawItem("alice", id).at("data").If<std::string>(), HasSubstr(R"("news":[1])"));
  EXPECT_EQ(store_->List("alice")->tasks.size(), 1);
}

// The crate splits its joined keys at the first colon: owner "a:b" is filed under "a".
TEST_F(TaskTable, RecordsThatTheCrateMisfiledAreNobodys) {
  const std::string id = "550e8400-e29b-41d4-a716-446655440000";
  const auto file = [&](const std::string& owner, const std::string& task) {
    ASSERT_TRUE(home_->database().PutItem(
        {.table_name = std::string(kTable),
         .item = {{"PK", "OWNER#" + owner},
                  {"SK", "TASK#" + task},
                  {"version", 1},
                  {"created_key", "2026-02-23T12:00:00.000Z#" + task},
                  {"data", R"({"task":{"taskId":")" + id +
                               R"(","status":"working","createdAt":"2026-02-23T12:00:00.000Z",)"
                               R"("lastUpdatedAt":"2026-02-23T12:00:00.000Z","ttl":null},)"
                               R"("ownerId":"a:b","variables":{},"result":null,)"
                               R"("requestMethod":"tools/call","expiresAt":null})"}}}));
  };
  file("a", "b:" + id);
  file("mallory", id);
  EXPECT_TRUE(store_->List("a")->tasks.empty());
  EXPECT_THAT(store_->Poll("a", "b:" + id), FailsWith(TaskErrorKind::kNotFound));
  EXPECT_TRUE(store_->List("mallory")->tasks.empty());
  EXPECT_THAT(store_->Poll("mallory", id), FailsWith(TaskErrorKind::kNotFound));
  EXPECT_THAT(store_->Get("mallory", id), FailsWith(TaskErrorKind::kNotFound));
}

TEST_F(TaskTable, DamagedItemsAreStoreErrors) {
  ASSERT_TRUE(home_->database().PutItem(
      {.table_name = std::string(kTable),
       .item = {{"PK", "OWNER#alice"}, {"SK", "TASK#x"}, {"version", "three"}, {"data", "{}"}}}));
  const auto read = store_->Get("alice", "x");
  ASSERT_THAT(read, FailsWith(TaskErrorKind::kStoreError));
  EXPECT_THAT(read.error().ToText(), HasSubstr("missing or invalid version attribute"));
  EXPECT_EQ(read.error().JsonRpcCode(), -32603);
  ASSERT_TRUE(home_->database().PutItem(
      {.table_name = std::string(kTable),
       .item = {{"PK", "OWNER#alice"}, {"SK", "TASK#y"}, {"version", 1}, {"data", "no JSON"}}}));
  EXPECT_THAT(store_->Get("alice", "y"), FailsWith(TaskErrorKind::kStoreError));
  EXPECT_THAT(store_->Cancel("alice", "y"), FailsWith(TaskErrorKind::kStoreError));
  EXPECT_THAT(log_, HasSubstr("cannot read alice:y"));
}

TEST_F(TaskTable, IsMadeOnceAndFoundInOrder) {
  Database& database = home_->database();
  EXPECT_EQ(kDefaultTaskTable, "pmcp_tasks");
  EXPECT_EQ(DatabaseBackendOptions{}.table, "pmcp_tasks");
  const auto described = database.DescribeTable({.table_name = std::string(kTable)});
  EXPECT_EQ(described->table.billing_mode_summary->billing_mode, BillingMode::kPayPerRequest);
  const auto state = CheckTaskTable(database, kTable);
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_TRUE(state->exists && state->has_indexes && state->expires);
  EXPECT_THAT(state->problems, IsEmpty());
  EXPECT_FALSE(CreateTaskTable(database, kTable, SystemClock()).value());
}

TEST_F(TaskTable, ChecksSayWhatIsMissing) {
  Database& database = home_->database();
  const auto nothing = CheckTaskTable(database, "nothing-here");
  EXPECT_FALSE(nothing->exists);
  EXPECT_EQ(nothing->problems.size(), 1);

  CreateTableInput bare = TaskTableDefinition("bare");
  bare.table_name = "bare-table";
  bare.local_secondary_indexes.reset();
  bare.global_secondary_indexes.reset();
  bare.attribute_definitions.resize(2);
  ASSERT_TRUE(database.CreateTable(bare));
  home_->Settle();
  const auto partial = CheckTaskTable(database, "bare-table");
  EXPECT_TRUE(partial->exists);
  EXPECT_FALSE(partial->has_indexes);
  EXPECT_EQ(partial->problems.size(), 5);  // four indexes and the TTL
  // Making it turns on the TTL and leaves the table as it is.
  EXPECT_TRUE(CreateTaskTable(database, "bare-table", SystemClock()).value());
  EXPECT_TRUE(CheckTaskTable(database, "bare-table")->expires);
}

TEST_F(TaskTable, ATableOfOthersIsLeftAlone) {
  ASSERT_TRUE(home_->database().CreateTable(
      {.table_name = "other-keys",
       .attribute_definitions = {{.attribute_name = "id",
                                  .attribute_type = ScalarAttributeType::kString}},
       .key_schema = {{.attribute_name = "id", .key_type = KeyType::kHash}},
       .billing_mode = BillingMode::kPayPerRequest}));
  home_->Settle();
  const auto made = CreateTaskTable(home_->database(), "other-keys", SystemClock());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kResourceInUse);
}

TEST_F(TaskTable, WithoutATableTheErrorSaysHowToMakeOne) {
  DatabaseBackend backend(home_->database(), {.table = "missing-table"});
  TaskStore store(backend, {});
  const auto created = store.Create(kAlice, {.method = "m"});
  ASSERT_THAT(created, FailsWith(TaskErrorKind::kStoreError));
  EXPECT_THAT(created.error().ToText(), HasSubstr("table missing-table not found"));
  EXPECT_THAT(created.error().ToText(), HasSubstr("tasks init"));
}

TEST_F(TaskTable, CloudFormationDescribesTheSameTable) {
  const Json document = Json::Parse(TaskTableCloudFormation("my-tasks")).value();
  const Json* const properties = document.Find("Resources")->Find("TaskTable")->Find("Properties");
  EXPECT_EQ(properties->TextOf("TableName"), "my-tasks");
  EXPECT_EQ(properties->Find("LocalSecondaryIndexes")->If<JsonArray>()->size(), 3);
  EXPECT_EQ(properties->Find("GlobalSecondaryIndexes")->If<JsonArray>()->size(), 1);
  EXPECT_EQ(properties->Find("AttributeDefinitions")->If<JsonArray>()->size(), 7);
  EXPECT_EQ(properties->Find("TimeToLiveSpecification")->TextOf("AttributeName"), "expires_at");
}

// Adds up what requests cost.
class MeteredDatabase final : public ForwardingDatabase {
 private:
  template <class Input>
  auto Metered(Input input, const auto& forward) {
    input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
    auto output = forward(input);
    units += output && output->consumed_capacity ? output->consumed_capacity->capacity_units : 0;
    return output;
  }

 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    return Metered(input, [&](const auto& it) { return ForwardingDatabase::GetItem(it); });
  }
  Result<QueryOutput> Query(const QueryInput& input) override {
    return Metered(input, [&](const auto& it) { return ForwardingDatabase::Query(it); });
  }
  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    return Metered(input, [&](const auto& it) { return ForwardingDatabase::PutItem(it); });
  }
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override {
    return Metered(input, [&](const auto& it) { return ForwardingDatabase::UpdateItem(it); });
  }

  double units = 0;
};

TEST_F(TaskTable, PollsListsAndHeartbeatsDoNotPayForTheRecord) {
  MeteredDatabase database(home_->database());
  DatabaseBackend backend(database, {.table = std::string(kTable), .random = &random_});
  TaskStore store(backend, {.clock = &clock_, .random = &random_});
  const auto created = store.Create(
      kAlice,
      {.method = "m",
       .lease = LeaseRequest{.worker = "w", .group = "g", .length = std::chrono::seconds(5)}});
  const std::string id = created->task.id;
  ASSERT_TRUE(store.SetResult("alice", id, std::string(300 * 1024, 'x')));
  database.units = 0;
  ASSERT_TRUE(store.Poll("alice", id));
  EXPECT_EQ(database.units, 1);
  database.units = 0;
  ASSERT_TRUE(store.List("alice"));
  EXPECT_EQ(database.units, 1);
  // A read of the head, a write of the lease and of its entry in the index.
  database.units = 0;
  ASSERT_TRUE(store.Renew("alice", id, "w", std::chrono::seconds(10)));
  EXPECT_LE(database.units, 1 + 3);
  database.units = 0;
  ASSERT_TRUE(store.Get("alice", id));
  EXPECT_GT(database.units, 70);
  database.units = 0;
  ASSERT_TRUE(store.SetMessage("alice", id, "a change does"));
  EXPECT_GT(database.units, 300);
}

}  // namespace
}  // namespace stator::tasks

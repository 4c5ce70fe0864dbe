// The table: its items attribute by attribute, records of the crate, making and checking it, and a
// poll that does not read the record.

#include "stator/api/forwarding_database.h"
#include "stator/provision/ensure_table.h"
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

  // How a table differs from what the store asks for.
  Result<provision::EnsureReport> Compared(const std::string& table) {
    return provision::EnsureTable(home_->database(), TaskStore::Tables({.table = table}).front(),
                                  provision::EnsureMode::kVerify);
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
  UseOptions({.default_ttl_ms = std::nullopt, .ttl_ms_max = std::nullopt});
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
  EXPECT_THAT(store_->Poll("a", "b:" + id), FailsWith(ErrorCode::kNotFound));
  EXPECT_TRUE(store_->List("mallory")->tasks.empty());
  EXPECT_THAT(store_->Poll("mallory", id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(store_->Get("mallory", id), FailsWith(ErrorCode::kNotFound));
}

TEST_F(TaskTable, DamagedItemsAreStoreErrors) {
  ASSERT_TRUE(home_->database().PutItem(
      {.table_name = std::string(kTable),
       .item = {{"PK", "OWNER#alice"}, {"SK", "TASK#x"}, {"version", "three"}, {"data", "{}"}}}));
  const auto read = store_->Get("alice", "x");
  ASSERT_THAT(read, FailsWith(ErrorCode::kCorruption));
  EXPECT_THAT(read.error().message, HasSubstr("missing or invalid version attribute"));
  EXPECT_EQ(JsonRpcCode(read.error().code), -32603);
  ASSERT_TRUE(home_->database().PutItem(
      {.table_name = std::string(kTable),
       .item = {{"PK", "OWNER#alice"}, {"SK", "TASK#y"}, {"version", 1}, {"data", "no JSON"}}}));
  EXPECT_THAT(store_->Get("alice", "y"), FailsWith(ErrorCode::kCorruption));
  EXPECT_THAT(store_->Cancel("alice", "y"), FailsWith(ErrorCode::kCorruption));
  EXPECT_THAT(log_, HasSubstr("cannot read alice:y"));
}

TEST_F(TaskTable, IsMadeOnceAndFoundInOrder) {
  Database& database = home_->database();
  EXPECT_EQ(kDefaultTaskTable, "pmcp_tasks");
  EXPECT_EQ(DatabaseBackendOptions{}.table, "pmcp_tasks");
  const auto described = database.DescribeTable({.table_name = std::string(kTable)});
  EXPECT_EQ(described->table.billing_mode_summary->billing_mode, BillingMode::kPayPerRequest);
  const auto report = Compared(std::string(kTable));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->differences, IsEmpty());
  EXPECT_FALSE(CreateTaskTable(database, kTable, SystemClock()).value());
}

TEST_F(TaskTable, ComparingSaysWhatIsMissing) {
  Database& database = home_->database();
  EXPECT_EQ(Compared("nothing-here")->differences.size(), 1);

  CreateTableInput bare = TaskTableDefinition("bare");
  bare.table_name = "bare-table";
  bare.local_secondary_indexes.reset();
  bare.global_secondary_indexes.reset();
  bare.attribute_definitions.resize(2);
  ASSERT_TRUE(database.CreateTable(bare));
  home_->Settle();
  EXPECT_EQ(Compared("bare-table")->differences.size(), 5);  // four indexes and the TTL
  // Making it turns on the TTL and leaves the table as it is.
  EXPECT_TRUE(CreateTaskTable(database, "bare-table", SystemClock()).value());
  EXPECT_EQ(Compared("bare-table")->differences.size(), 4);
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
  TaskStore store = TaskStore::Open(home_->database(), {.table = "missing-table"}).value();
  const auto created = store.Create(kAlice, {.method = "m"});
  ASSERT_THAT(created, FailsWith(ErrorCode::kTableNotFound));
  EXPECT_THAT(created.error().message, HasSubstr("table missing-table not found"));
  EXPECT_THAT(created.error().message, HasSubstr("stator tables create --for tasks"));
}

TEST_F(TaskTable, IsDescribedForTemplatesAndPolicies) {
  const std::vector<provision::TableSpec> tables = TaskStore::Tables({.table = "my-tasks"});
  ASSERT_EQ(tables.size(), 1);
  EXPECT_EQ(tables[0].name, "my-tasks");
  EXPECT_EQ(tables[0].local_indexes.size(), 3);
  EXPECT_EQ(tables[0].global_indexes.size(), 1);
  EXPECT_EQ(tables[0].attributes.size(), 7);
  EXPECT_EQ(tables[0].ttl_attribute, "expires_at");
  const auto access = AccessOf({.table = "my-tasks"}, "eu-central-1", "123456789012");
  EXPECT_EQ(access.at(0).table_arn, "arn:aws:dynamodb:eu-central-1:123456789012:table/my-tasks");
  EXPECT_EQ(access.at(0).queried_indexes.size(), 4);
  EXPECT_TRUE(access.at(0).reads_stream);
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
  DatabaseBackend backend(database, {.table = std::string(kTable)}, environment_);
  TaskStore store = TaskStore::Open(backend, {}, environment_).value();
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

// What the store asks of its database: consistent reads, one request per write, every page, nothing
// for ids that cannot exist, and the same for foreign tasks as for missing ones.

#include "stator/api/forwarding_database.h"
#include "stator/stores/tasks/task_table.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Writes down what it is asked, and gives one item per page when told so.
class RecordingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    calls.emplace_back(input.consistent_read ? "GetItem" : "stale GetItem");
    return ForwardingDatabase::GetItem(input);
  }
  Result<QueryOutput> Query(const QueryInput& input) override {
    const bool is_global = input.index_name == "by_lease";
    calls.emplace_back(input.consistent_read || is_global ? "Query" : "stale Query");
    QueryInput paged = input;
    if (pages_of_one) {
      paged.limit = 1;
    }
    return ForwardingDatabase::Query(paged);
  }
  Result<ScanOutput> Scan(const ScanInput& input) override {
    calls.emplace_back("Scan");
    return ForwardingDatabase::Scan(input);
  }
  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    calls.emplace_back("PutItem");
    return ForwardingDatabase::PutItem(input);
  }
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override {
    calls.emplace_back("UpdateItem");
    return ForwardingDatabase::UpdateItem(input);
  }
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input) override {
    calls.emplace_back("DeleteItem");
    return ForwardingDatabase::DeleteItem(input);
  }

  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override {
    calls.emplace_back("TransactWriteItems");
    return ForwardingDatabase::TransactWriteItems(input);
  }

  std::vector<std::string> Calls() { return std::exchange(calls, {}); }

  std::vector<std::string> calls;
  bool pages_of_one = false;
};

class Requests : public TasksTest, public testing::WithParamInterface<BackendKind> {
 protected:
  void SetUp() override {
    Open(GetParam());
    database_.emplace(home_->database());
    backend_ = std::make_unique<DatabaseBackend>(
        *database_, DatabaseBackendOptions{.table = std::string(kTable)}, environment_);
    UseOptions({});
    ASSERT_TRUE(backend_->Capabilities());
  }

  std::optional<RecordingDatabase> database_;
};

TEST_P(Requests, ReadsAreConsistentAndNothingIsScanned) {
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->Get("alice", id));
  ASSERT_TRUE(store_->Poll("alice", id));
  ASSERT_TRUE(store_->List("alice"));
  ASSERT_TRUE(store_->Claim("alice", id, "w", "g", std::chrono::seconds(1)));
  ASSERT_TRUE(store_->Renew("alice", id, "w", std::chrono::seconds(1)));
  ASSERT_TRUE(store_->ListLapsed("g", 10));
  ASSERT_TRUE(store_->Complete("alice", id, {.status = TaskStatus::kCompleted}));
  ASSERT_TRUE(store_->GetResult("alice", id));
  for (const std::string& call : database_->Calls()) {
    EXPECT_THAT(call, testing::AnyOf("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"));
  }
}

TEST_P(Requests, EveryWriteOfABackendIsOneRequest) {
  const RecordKey key{.owner = "alice", .task = "t"};
  const StoredValue value{.data = "{}"};
  EXPECT_EQ(backend_->Put(key, value).value(), 1);
  EXPECT_EQ(backend_->Put(key, value).value(), 2);
  EXPECT_THAT(database_->Calls(), ElementsAre("UpdateItem", "UpdateItem"));
  EXPECT_TRUE(backend_->PutIfVersion(key, value, 2));
  EXPECT_THAT(database_->Calls(), ElementsAre("PutItem"));
  // The failed condition shows what is stored.
  const Error stale = backend_->PutIfVersion(key, value, 99).error();
  EXPECT_EQ(FindDetail<VersionConflict>(stale)->actual, 3);
  EXPECT_THAT(database_->Calls(), ElementsAre("PutItem"));
  EXPECT_TRUE(backend_->Delete(key).value());
  EXPECT_THAT(database_->Calls(), ElementsAre("DeleteItem"));
  EXPECT_TRUE(backend_->PutIfAbsent(key, value));
  EXPECT_THAT(database_->Calls(), ElementsAre("PutItem"));
}

TEST_P(Requests, ALeaseChangesWithItsRecordInOneRequestAndHundredsInAFew) {
  const RecordKey key{.owner = "alice", .task = "t"};
  const StoredValue value{.data = "{}"};
  ASSERT_TRUE(backend_->Put(key, value));
  database_->calls.clear();
  EXPECT_TRUE(backend_->PutWithLease(key, value, 1, StoredLease{.worker = "w", .group = "g"}));
  EXPECT_TRUE(backend_->PutWithLease(key, value, 2, std::nullopt));
  EXPECT_THAT(database_->Calls(), ElementsAre("TransactWriteItems", "TransactWriteItems"));
  std::vector<LeaseHolder> leases;
  for (int task = 0; task < 250; ++task) {
    leases.push_back({.key = {.owner = "alice", .task = std::to_string(task)}, .worker = "w"});
    ASSERT_TRUE(backend_->TakeLease(leases.back().key, {.worker = "w", .group = "g"}, 0));
  }
  database_->calls.clear();
  EXPECT_TRUE(backend_->MoveLeases(leases, 9));
  EXPECT_EQ(database_->Calls().size(), 3);
}

TEST_P(Requests, AnExpiryDisappearsWithTheWriteThatHasNone) {
  const auto expiry = [&] {
    const auto read = home_->database().GetItem({.table_name = std::string(kTable),
                                                 .key = {{"PK", "OWNER#alice"}, {"SK", "TASK#t"}},
                                                 .consistent_read = true});
    return read->item->contains("expires_at");
  };
  const RecordKey key{.owner = "alice", .task = "t"};
  StoredValue with{.data = "{}"};
  with.attributes.expires_at_seconds = 5'000'000'000;
  const StoredValue without{.data = "{}"};
  ASSERT_TRUE(backend_->Put(key, with));
  EXPECT_TRUE(expiry());
  ASSERT_TRUE(backend_->Put(key, without));
  EXPECT_FALSE(expiry());
  ASSERT_TRUE(backend_->PutIfVersion(key, with, 2));
  EXPECT_TRUE(expiry());
  ASSERT_TRUE(backend_->PutIfVersion(key, without, 3));
  EXPECT_FALSE(expiry());
}

TEST_P(Requests, PagesAreFollowedToTheEnd) {
  database_->pages_of_one = true;
  UseOptions({.active_tasks_max = 5});
  for (int task = 0; task < 5; ++task) {
    ASSERT_TRUE(store_->Create(
        kAlice,
        {.method = "m",
         .lease = LeaseRequest{.worker = "w", .group = "g", .length = std::chrono::seconds(1)}}));
  }
  EXPECT_EQ(store_->List("alice", std::nullopt, 4)->tasks.size(), 4);
  EXPECT_TRUE(store_->List("alice", std::nullopt, 4)->next_cursor);
  EXPECT_EQ(store_->List("alice")->tasks.size(), 5);
  database_->calls.clear();
  EXPECT_THAT(store_->Create(kAlice, {.method = "m"}), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(database_->Calls(), testing::Each("Query")) << "refused without writing";
  clock_.Advance(std::chrono::seconds(2));
  const bool finds = GetParam() == BackendKind::kTable;
  EXPECT_EQ(store_->ListLapsed("g", 10)->size(), finds ? 5 : 0);
}

TEST_P(Requests, IdsThatCannotExistAreNotAskedFor) {
  const std::string too_long(3000, 'x');
  for (const std::string& id : {std::string(), std::string(1020, 'x'), std::string("\xFF")}) {
    EXPECT_FALSE(store_->Get("alice", id));
    EXPECT_FALSE(store_->Poll("alice", id));
    EXPECT_FALSE(store_->GetResult("alice", id));
    EXPECT_FALSE(store_->Cancel("alice", id));
    EXPECT_FALSE(store_->Delete("alice", id).value());
    EXPECT_FALSE(store_->Claim("alice", id, "w", "g", std::chrono::seconds(1)));
    EXPECT_FALSE(store_->Renew("alice", id, "w", std::chrono::seconds(1)));
    EXPECT_FALSE(store_->Release("alice", id, "w"));
    EXPECT_FALSE(store_->Get(too_long, "t"));
  }
  EXPECT_TRUE(store_->List(too_long)->tasks.empty());
  EXPECT_FALSE(store_->Create({.id = too_long}, {.method = "m"}));
  EXPECT_FALSE(store_->Create({.id = "\xFF"}, {.method = "m"}));
  EXPECT_THAT(database_->Calls(), IsEmpty());
}

TEST_P(Requests, AForeignTaskCostsWhatAMissingOneCosts) {
  const std::string id = Created().task.id;
  const auto calls_for = [&](const std::string& task) {
    database_->calls.clear();
    EXPECT_FALSE(store_->Get("mallory", task));
    EXPECT_FALSE(store_->Poll("mallory", task));
    EXPECT_FALSE(store_->Cancel("mallory", task));
    EXPECT_FALSE(store_->GetResult("mallory", task));
    EXPECT_FALSE(store_->SetVariables("mallory", task, {{"a", 1}}));
    return database_->Calls();
  };
  EXPECT_EQ(calls_for(id), calls_for("550e8400-e29b-41d4-a716-446655440000"));
}

INSTANTIATE_TEST_SUITE_P(Tables, Requests,
                         testing::Values(BackendKind::kTable, BackendKind::kBareTable),
                         BackendName);

}  // namespace
}  // namespace stator::tasks

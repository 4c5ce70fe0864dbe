// What transient_states.h promises, through the operations.

#include "engine/transient_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/engine.h"
#include "engine/sample_database.h"

namespace stator::engine {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

class TransientStatesTest : public testing::Test {
 protected:
  TransientStatesTest() { Open(milliseconds(500)); }

  void Open(milliseconds duration) {
    storage::StoreOptions store;
    store.in_memory = true;
    EngineOptions options = environment_.Options(store);
    options.transient_states = duration;
    engine_ = Must(Engine::Open(options));
  }

  Engine& db() { return *engine_; }
  void Advance(int milliseconds_later) {
    engine_->AwaitBackgroundJobs();
    environment_.clock.Advance(milliseconds(milliseconds_later));
  }
  Result<CreateTableOutput> Create(const std::string& name) {
    CreateTableInput input = SampleOrders();
    input.table_name = name;
    return db().CreateTable(input);
  }
  std::optional<TableStatus> Status(const std::string& name) {
    const auto table = db().DescribeTable({.table_name = name});
    return table ? std::optional(table->table.table_status) : std::nullopt;
  }
  Result<PutItemOutput> Put(const std::string& name) {
    return db().PutItem({.table_name = name, .item = {{"customer", "ann"}, {"number", 1}}});
  }
  template <class T>
  static testing::AssertionResult Fails(const Result<T>& result, ErrorCode code,
                                        const std::string& message) {
    if (!result && result.error().code == code && result.error().message == message) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << (result ? "it succeeded" : result.error().message);
  }

 private:
  SampleEnvironment environment_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(TransientStatesTest, ATableThatIsCreatingHasNoItemsAndCannotBeChanged) {
  const CreateTableOutput made = Must(Create("orders"));
  EXPECT_EQ(made.table_description.table_status, TableStatus::kCreating);
  Advance(499);
  const TableDescription table = Must(db().DescribeTable({.table_name = "orders"})).table;
  EXPECT_EQ(table.table_status, TableStatus::kCreating);
  ASSERT_TRUE(table.global_secondary_indexes);
  EXPECT_EQ(table.global_secondary_indexes->front().index_status, IndexStatus::kCreating);
  EXPECT_TRUE(Fails(Put("orders"), ErrorCode::kTableNotFound, "Requested resource not found"));
  EXPECT_TRUE(Fails(db().Scan({.table_name = table.table_arn}), ErrorCode::kTableNotFound,
                    "Requested resource not found"));
  const std::string in_use =
      "Attempt to change a resource which is still in use: Table is being created: orders";
  EXPECT_TRUE(Fails(db().DeleteTable({.table_name = "orders"}), ErrorCode::kResourceInUse, in_use));
  EXPECT_TRUE(
      Fails(db().UpdateTable({.table_name = table.table_arn, .deletion_protection_enabled = true}),
            ErrorCode::kResourceInUse, in_use));
  EXPECT_TRUE(Fails(Create("orders"), ErrorCode::kResourceInUse, "Table already exists: orders"));
  Advance(1);
  EXPECT_EQ(Status("orders"), TableStatus::kActive);
  EXPECT_TRUE(Put("orders").has_value());
}

TEST_F(TransientStatesTest, ATableThatIsUpdatingHasItsOldThroughputAndItsItems) {
  CreateTableInput input = SampleOrders();
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = ProvisionedThroughput{1, 2};
  for (GlobalSecondaryIndex& index : *input.global_secondary_indexes) {
    index.provisioned_throughput = ProvisionedThroughput{1, 2};
  }
  Must(db().CreateTable(input));
  Advance(500);
  Must(db().UpdateTable(
      {.table_name = "orders", .provisioned_throughput = ProvisionedThroughput{3, 4}}));
  TableDescription table = Must(db().DescribeTable({.table_name = "orders"})).table;
  EXPECT_EQ(table.table_status, TableStatus::kUpdating);
  EXPECT_EQ(table.provisioned_throughput.read_capacity_units, 1);
  EXPECT_TRUE(Put("orders").has_value());
  EXPECT_TRUE(
      Fails(db().DeleteTable({.table_name = "orders"}), ErrorCode::kResourceInUse,
            "Attempt to change a resource which is still in use: Table is being updated: orders"));
  EXPECT_FALSE(db().UpdateTimeToLive({.table_name = "orders",
                                      .time_to_live_specification = {.enabled = true,
                                                                     .attribute_name = "expires"}})
                   .has_value());
  Advance(500);
  table = Must(db().DescribeTable({.table_name = "orders"})).table;
  EXPECT_EQ(table.table_status, TableStatus::kActive);
  EXPECT_EQ(table.provisioned_throughput.read_capacity_units, 3);
}

TEST_F(TransientStatesTest, ATableThatIsDeletingIsListedAndCannotBeMadeAgain) {
  for (const char* name : {"aaa", "bbb", "ccc"}) {
    Must(Create(name));
  }
  Advance(500);
  Must(db().DeleteTable({.table_name = "bbb"}));
  EXPECT_EQ(Status("bbb"), TableStatus::kDeleting);
  EXPECT_THAT(Must(db().ListTables({})).table_names, ElementsAre("aaa", "bbb", "ccc"));
  const ListTablesOutput page = Must(db().ListTables({.limit = 2}));
  EXPECT_THAT(page.table_names, ElementsAre("aaa", "bbb"));
  EXPECT_EQ(page.last_evaluated_table_name, "bbb");
  EXPECT_TRUE(Fails(Put("bbb"), ErrorCode::kTableNotFound, "Requested resource not found"));
  // Whoever asks for it twice gets what it wants.
  EXPECT_EQ(Must(db().DeleteTable({.table_name = "bbb"})).table_description.table_status,
            TableStatus::kDeleting);
  EXPECT_TRUE(
      Fails(Create("bbb"), ErrorCode::kResourceInUse,
            "Attempt to change a resource which is still in use: Table is being deleted: bbb"));
  Advance(500);
  EXPECT_EQ(Status("bbb"), std::nullopt);
  EXPECT_THAT(Must(db().ListTables({})).table_names, ElementsAre("aaa", "ccc"));
  EXPECT_TRUE(Create("bbb").has_value());
}

TEST_F(TransientStatesTest, WithoutThemATableHasArrivedAtOnce) {
  Open(milliseconds(0));
  Must(Create("orders"));
  EXPECT_EQ(Status("orders"), TableStatus::kActive);
  EXPECT_TRUE(Put("orders").has_value());
  Must(db().DeleteTable({.table_name = "orders"}));
  EXPECT_EQ(Status("orders"), std::nullopt);
}

}  // namespace
}  // namespace stator::engine

// The tables: made by several at once, checked before use; and what is recorded for a service.

#include "stator/stores/events/tables.h"

#include <thread>

#include "events/events_test.h"
#include "events/foreign_events.h"
#include "stator/api/forwarding_database.h"
#include "stator/stores/events/maintenance.h"

namespace stator::events {
namespace {

class TablesTest : public EventsTest {
 protected:
  void SetUp() override { home_ = homes::ThisHome().make(); }
};

TEST_F(TablesTest, AreMadeBySeveralAtOnce) {
  std::vector<std::jthread> processes;
  for (int process = 0; process < 4; ++process) {
    processes.emplace_back([&] {
      const auto store = EventStore::Open(home_->database(), Quiet({}), environment_);
      EXPECT_TRUE(store.has_value()) << store.error().message;
    });
  }
}

TEST_F(TablesTest, AreNotMadeWhenTheyShouldBeThere) {
  const auto store =
      EventStore::Open(home_->database(), Quiet({.auto_create_tables = false}), environment_);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(home_->database().ListTables({})->table_names.size(), 0U);
}

TEST_F(TablesTest, WithOtherKeysAreRefused) {
  CreateTableInput other = provision::MakeCreateTableInput(EventStore::Tables({})[0]);
  other.global_secondary_indexes.reset();
  other.attribute_definitions.resize(2);
  other.deletion_protection_enabled.reset();
  ASSERT_TRUE(home_->database().CreateTable(other).has_value());
  home_->Settle();
  const auto store = EventStore::Open(home_->database(), Quiet({}), environment_);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kValidation);
  EXPECT_NE(store.error().message.find("index GSI1 is missing"), std::string::npos);
}

// Tables that take their time.
class SlowDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<DescribeTableOutput> DescribeTable(const DescribeTableInput& input) override {
    auto output = ForwardingDatabase::DescribeTable(input);
    if (output && creating_answers > 0) {
      --creating_answers;
      output->table.table_status = TableStatus::kCreating;
    }
    return output;
  }
  int creating_answers = 0;
};

TEST_F(TablesTest, AreAwaitedUntilTheyAreActive) {
  SlowDatabase database(home_->database());
  database.creating_answers = 10;
  EXPECT_TRUE(EventStore::Open(database, Quiet({}), environment_).has_value());
  EXPECT_EQ(database.creating_answers, 0);
  database.creating_answers = 100'000;
  const auto never = EventStore::Open(database, Quiet({}), environment_);
  ASSERT_FALSE(never.has_value());
  EXPECT_EQ(never.error().code, ErrorCode::kTimeout);
}

TEST_F(TablesTest, OfAnotherLayoutAreRefused) {
  ASSERT_TRUE(CreateTables(home_->database(), {}, environment_).has_value());
  ASSERT_TRUE(home_->database().PutItem({.table_name = "SekibanEvents",
                                         .item = {{"pk", "SERVICE#default#SETTINGS"},
                                                  {"sk", "SETTINGS"},
                                                  {"layout", 1},
                                                  {"shardCounts", NumberSet{Number(1)}}}}));
  const auto store = EventStore::Open(home_->database(), Quiet({}), environment_);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kValidation);
}

TEST_F(TablesTest, WithEventsOfAnotherSystemAreRefused) {
  ASSERT_TRUE(CreateTables(home_->database(), {}, environment_).has_value());
  ASSERT_TRUE(home_->database().PutItem(
      {.table_name = "SekibanEvents",
       .item = {{"pk", "SERVICE#default#EVENT#e"},
                {"sk", "EVENT#e"},
                {"gsi1pk", "SERVICE#default#ALL_EVENTS"},
                {"sortableUniqueId", "063902822400000000000437125638"}}}));
  const auto store = EventStore::Open(home_->database(), Quiet({}), environment_);
  ASSERT_FALSE(store.has_value());
  EXPECT_NE(store.error().message.find("another system"), std::string::npos);
}

class ForeignTablesTest : public TablesTest {
 protected:
  // An event of the service "s" with its number as payload.
  void Put(int number, const std::string& type, const Texts& tags, const std::string& shard) {
    constexpr std::uint64_t kNewYear2026 = 639'028'224'000'000'000;
    PutForeign(home_->database(),
               {.place = SortableId::FromParts(kNewYear2026, static_cast<std::uint64_t>(number)),
                .type = type,
                .tags = tags,
                .payload = std::to_string(number),
                .shard = shard});
  }
};

TEST_F(ForeignTablesTest, AreRead) {
  ASSERT_TRUE(CreateTables(home_->database(), {}, environment_).has_value());
  Put(1, "A", {"x:1", "y:1"}, "#3");
  Put(2, "B", {"x:1"}, "#0");
  Put(3, "A", {"y:1"}, "");
  EXPECT_FALSE(
      EventStore::Open(home_->database(), Quiet({.service_id = "s"}), environment_).has_value());
  auto store = Open(home_->database(), {.service_id = "s", .read_only = true});
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(PayloadsOf(ReadFrom(*store)), (Texts{"1", "2", "3"}));
  EXPECT_EQ(ReadFrom(*store)[0].metadata.causation_id, "c");
  EXPECT_EQ(PayloadsOf(ReadFrom(*store, {.query = EventQuery::Tagged("x:1")})), (Texts{"1", "2"}));
  EXPECT_EQ(PayloadsOf(ReadFrom(*store, {.query = EventQuery{{.tags = {"x:1", "y:1"}}}})),
            (Texts{"1"}));
  EXPECT_EQ(PayloadsOf(ReadFrom(*store, {.query = EventQuery{{.types = {"A"}}}})),
            (Texts{"1", "3"}));
  EXPECT_EQ(*store->CountEvents(), 3U);
  EXPECT_EQ((*store->FindLastId())->ToText(), "063902822400000000000000000003");
  EXPECT_EQ((*store->FindTag("y:1"))->events, 2U);
  EXPECT_EQ((*store->FindTag("y:1"))->last.ToText(), "063902822400000000000000000003");
  EXPECT_FALSE(*store->TagExists("z:1"));
  EXPECT_EQ(store->ListTags()->size(), 2U);
  EXPECT_EQ((*store->ListTags("x"))[0].events, 2U);
  EXPECT_EQ(*store->ListTypes(), (Texts{"A", "B"}));
  EXPECT_EQ(store->Append({Fact("A", {})}).error().code, ErrorCode::kValidation);
  EXPECT_EQ(store->ClaimKey({.key = "k", .event = Fact("A", {})}).error().code,
            ErrorCode::kValidation);
}

TEST_F(ForeignTablesTest, MoveToNewOnesByLines) {
  ASSERT_TRUE(CreateTables(home_->database(), {}, environment_).has_value());
  Put(1, "A", {"x:1", "y:1"}, "");
  Put(2, "B", {"x:1"}, "");
  auto from = Open(home_->database(), {.service_id = "s", .read_only = true});
  auto to = Open(home_->database(), {.service_id = "t"});
  const auto moved = Import(*to, Export(*from));
  ASSERT_TRUE(moved.has_value()) << moved.error().message;
  EXPECT_EQ(moved->appended, 2U);
  EXPECT_FALSE(moved->is_whole_log) << "its events have no positions";
  EXPECT_EQ(ReadFrom(*to)[1].sortable_id, ReadFrom(*from)[1].sortable_id);
  EXPECT_EQ(PayloadsOf(ReadFrom(*to, {.query = EventQuery::Tagged("x:1")})), (Texts{"1", "2"}));
  EXPECT_TRUE(VerifyEvents(*to)->clean());
}

}  // namespace
}  // namespace stator::events

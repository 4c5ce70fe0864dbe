// The policy that AccessOf describes is necessary and sufficient: with nothing but it a program
// that uses all of a store works against a server; with any one action or resource less something
// fails.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stator/base/random.h"
#include "stator/mapping/schema.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/event_follower.h"
#include "stator/stores/events/maintenance.h"
#include "stator/stores/events/projection_status.h"
#include "stator/stores/events/subscription.h"
#include "stator/stores/events/tables.h"
#include "support/limited_server.h"

namespace stator::events {
namespace {

using support::LimitedServer;
using support::WithOneLess;
using testing::IsEmpty;
using testing::Not;

using Texts = std::vector<std::string>;

Map PolicyOf(const EventStoreOptions& options) {
  return provision::MakePolicy(AccessOf(options, "us-east-1", "000000000000"));
}

// Uses a store step by step and keeps what failed.
class Usage {
 public:
  explicit Usage(Database& database) : database_(&database) {}

  template <class T>
  void Step(const char* name, const Result<T>& result) {
    if (!result) {
      failed_.push_back(std::string(name) + ": " + result.error().message);
    }
  }

  std::unique_ptr<EventStore> Open(const char* name, EventStoreOptions options) {
    options.retry.budget = {};
    // So that everything is asked for while somebody looks.
    options.background = false;
    options.chunk_slots = 1;
    auto store = EventStore::Open(*database_, std::move(options), environment_);
    Step(name, store);
    return store ? std::make_unique<EventStore>(*std::move(store)) : nullptr;
  }

  void Write(EventStore& store) {
    Step("Append", store.Append({{.type = "A", .payload = "{}", .tags = {"t:1", "t:2"}}}));
    const AppendOptions named{.append_id = "once"};
    Step("Append once", store.Append({{.type = "A", .payload = "{}", .tags = {"t:1"}}}, named));
    Step("Append again", store.Append({{.type = "A", .payload = "{}", .tags = {"t:1"}}}, named));
    const AppendOptions conditional{.condition =
                                        AppendCondition{EventQuery{{.tags = {"nothing:1"}}}}};
    Step("Append if none", store.Append({{.type = "B", .tags = {"t:3"}}}, conditional));
    Step("Append many", store.Append(std::vector<NewEvent>(
                            60, {.type = "C", .payload = "{}", .tags = {"t:4", "u:1"}})));
    Step("ClaimKey", store.ClaimKey({.key = "k", .event = {.type = "K", .payload = "{}"}}));
    bool given = false;
    Step("Import", ImportEvents(store, [&given](std::string& line) -> Result<bool> {
           line = R"({"id":"i","type":"I","payload":"{}","tags":["t:1"]})";
           return !std::exchange(given, true);
         }));
    Step("CatchUpView", CatchUpView(store));
  }

  void Read(EventStore& store) {
    const auto all = store.ReadList();
    Step("Read all", all);
    Step("Read a tag", store.ReadList({.query = EventQuery::Tagged("t:1")}));
    Step("Read types", store.ReadList({.query = EventQuery{{.types = {"A", "B"}}}}));
    Step("Read two tags", store.ReadList({.query = EventQuery{{.tags = {"t:1", "t:2"}}}}));
    if (all && !all->empty()) {
      Step("ReadEvent", store.ReadEvent(all->front().id));
      Step("Count since", store.CountEvents(Cursor(all->front().sortable_id)));
    }
    Step("Count", store.CountEvents());
    Step("FindLastId", store.FindLastId());
    Step("TagExists", store.TagExists("t:1"));
    Step("FindTag", store.FindTag("t:1"));
    Step("ListTags", store.ListTags());
    Step("ListTags of a group", store.ListTags("t"));
    Step("ListTagRows", store.ListTagRows("t:1"));
    Step("ListTypes", store.ListTypes());
    Step("Verify", VerifyEvents(store));
    Step("Export", ExportEvents(store, [](const std::string&) { return Result<void>(); }));
  }

  void Project(EventStore& store) {
    CheckpointStore states(store);
    const Checkpoint first{.projector = "p", .version = "1", .cursor = Cursor(SortableId())};
    const auto saved = states.Save(first);
    Step("Save", saved);
    const auto tombstone = states.Invalidate("p", "1", saved.value_or(CheckpointToken()));
    Step("Invalidate", tombstone);
    Checkpoint rebuilt = first;
    rebuilt.token = tombstone.value_or(CheckpointToken());
    Step("CommitRebuilt", states.CommitRebuilt(rebuilt));
    LookAtProjections(store);
    Step("Remove", states.Remove("p", "1"));
    Step("Write status",
         StatusRegistry(store).Write({.projector = "p", .version = "1", .instance = "i"}, 0));
  }

  void Subscribe(EventStore& store) {
    Subscriptions subscriptions(store);
    Step("Create", subscriptions.Create("s", {.attempts_max = 1}));
    const auto consumer = Consumer::Open(store, "s");
    Step("Open a consumer", consumer);
    if (consumer) {
      const auto taken = (*consumer)->Take();
      Step("Take", taken);
      if (taken && !taken->empty()) {
        Step("Fail", (*consumer)->Fail(taken->front(), "no"));
        Step("Acknowledge", (*consumer)->Acknowledge(*taken));
      }
    }
    Step("List subscriptions", subscriptions.List());
    Step("Describe", subscriptions.Describe("s"));
    Step("Remove a subscription", subscriptions.Remove("s"));
  }

  void LookAtProjections(EventStore& store) {
    CheckpointStore states(store);
    Step("Find", states.Find("p", "1"));
    Step("List", states.List("p"));
    StatusReader reader(store);
    Step("Read status", reader.Read("p"));
  }

  void Follow(EventStore& store) {
    const auto follower = EventFollower::Open(store);
    Step("Follow", follower);
    if (follower) {
      Step("Poll", (*follower)->Poll());
    }
  }

  [[nodiscard]] const Texts& failed() const { return failed_; }

 private:
  Database* database_;
  ManualClock clock_{TimePoint(std::chrono::seconds{1'794'744'000})};
  SeededRandom random_{7};
  patterns::Environment environment_{.clock = &clock_, .random = &random_};
  Texts failed_;
};

// What fails of everything that a program can do which writes.
Texts UseStore(Database& database, EventStoreOptions options) {
  Usage usage(database);
  const auto store = usage.Open("Open", options);
  if (store == nullptr) {
    return usage.failed();
  }
  usage.Write(*store);
  usage.Read(*store);
  usage.Project(*store);
  usage.Subscribe(*store);
  usage.Follow(*store);
  options.write_shard_count = 3;
  usage.Open("Open with more shards", options);
  return usage.failed();
}

// And of one that reads.
Texts ReadStore(Database& database, EventStoreOptions options) {
  Usage usage(database);
  if (const auto store = usage.Open("Open", std::move(options))) {
    usage.Read(*store);
    usage.LookAtProjections(*store);
    usage.Follow(*store);
  }
  return usage.failed();
}

// The tables as provisioning makes them.
void MakeTables(LimitedServer& server, const EventStoreOptions& options) {
  for (provision::TableSpec& spec : EventStore::Tables(options)) {
    spec.recovery.enabled = false;
    const auto made = provision::EnsureTable(server.admin(), spec, provision::EnsureMode::kCreate);
    ASSERT_TRUE(made.has_value()) << made.error().message;
  }
  server.Settle();
}

Texts UseTablesThatAreThere(const Map& policy, const EventStoreOptions& options) {
  LimitedServer server(policy);
  MakeTables(server, options);
  return UseStore(server.limited(), options);
}

TEST(EventsPolicy, IsSufficientWithoutAStream) {
  const EventStoreOptions options{.auto_create_tables = false};
  EXPECT_THAT(UseTablesThatAreThere(PolicyOf(options), options), IsEmpty());
}

TEST(EventsPolicy, IsNecessaryAndSufficientWithAStream) {
  const EventStoreOptions options{.auto_create_tables = false, .stream_events = true};
  const Map policy = PolicyOf(options);
  EXPECT_THAT(UseTablesThatAreThere(policy, options), IsEmpty());
  for (const Map& less : WithOneLess(policy)) {
    EXPECT_THAT(UseTablesThatAreThere(less, options), Not(IsEmpty())) << CanonicalJson(less);
  }
}

// How many permissions to make or change tables it has.
std::size_t TablePermissions(const Map& policy) {
  std::size_t count = 0;
  const std::string text = CanonicalJson(policy);
  for (const char* action : {"dynamodb:CreateTable", "dynamodb:UpdateTable"}) {
    for (std::size_t at = text.find(action); at != std::string::npos;
         at = text.find(action, at + 1)) {
      ++count;
    }
  }
  return count;
}

// Makes its tables itself; the events table may be there without a stream. The rest of the policy
// is that of the test above.
TEST(EventsPolicy, IsNecessaryAndSufficientToMakeTheTables) {
  const EventStoreOptions options{.stream_events = true};
  const Map policy = PolicyOf(options);
  const auto use = [&](const Map& given, bool prepared) {
    LimitedServer server(given);
    if (prepared) {
      MakeTables(server, {});
    }
    Texts failed = UseStore(server.limited(), options);
    server.Settle();
    return failed;
  };
  EXPECT_THAT(use(policy, false), IsEmpty());
  EXPECT_THAT(use(policy, true), IsEmpty());
  EXPECT_EQ(TablePermissions(policy), 4U);
  for (const Map& less : WithOneLess(policy)) {
    if (TablePermissions(less) < TablePermissions(policy)) {
      Texts failed = use(less, false);
      if (failed.empty()) {
        failed = use(less, true);
      }
      EXPECT_THAT(failed, Not(IsEmpty())) << CanonicalJson(less);
    }
  }
}

// Of tables of this store, and of those of another system, which have no heads.
TEST(EventsPolicy, IsNecessaryAndSufficientToRead) {
  const EventStoreOptions options{.auto_create_tables = false, .read_only = true};
  const Map policy = PolicyOf(options);
  const auto use = [&](const Map& given, bool foreign) {
    LimitedServer server(given);
    MakeTables(server, options);
    if (!foreign) {
      EXPECT_THAT(UseStore(server.admin(), {.auto_create_tables = false}), IsEmpty());
    } else {
      EXPECT_TRUE(server.admin().PutItem(
          {.table_name = "SekibanEvents",
           .item = {{"pk", "SERVICE#default#EVENT#e"},
                    {"sk", "EVENT#e"},
                    {"serviceId", "default"},
                    {"eventId", "e"},
                    {"eventType", "A"},
                    {"payload", "{}"},
                    {"tags", List{AttributeValue("t:1"), AttributeValue("t:2")}},
                    {"gsi1pk", "SERVICE#default#ALL_EVENTS"},
                    {"sortableUniqueId", "063902822400000000000437125638"}}}));
    }
    return ReadStore(server.limited(), options);
  };
  EXPECT_THAT(use(policy, false), IsEmpty());
  EXPECT_THAT(use(policy, true), IsEmpty());
  for (const Map& less : WithOneLess(policy)) {
    Texts failed = use(less, false);
    if (failed.empty()) {
      failed = use(less, true);
    }
    EXPECT_THAT(failed, Not(IsEmpty())) << CanonicalJson(less);
  }
}

TEST(EventsPolicy, DoesNotLetReadersWriteNorWritersMakeTables) {
  const auto denied = [](const auto& result) {
    return !result && result.error().code == ErrorCode::kAccessDenied;
  };
  const EventStoreOptions reading{.auto_create_tables = false, .read_only = true};
  LimitedServer reader(PolicyOf(reading));
  MakeTables(reader, reading);
  EXPECT_TRUE(denied(reader.limited().PutItem(
      {.table_name = "SekibanEvents", .item = {{"pk", "a"}, {"sk", "b"}}})));
  const EventStoreOptions writing{.auto_create_tables = false};
  LimitedServer writer(PolicyOf(writing));
  MakeTables(writer, writing);
  EXPECT_TRUE(denied(writer.limited().Scan({.table_name = "SekibanEvents"})));
  EXPECT_TRUE(denied(writer.limited().DeleteTable({.table_name = "SekibanEvents"})));
  EXPECT_TRUE(denied(writer.limited().DeleteItem(
      {.table_name = "SekibanEvents", .key = {{"pk", "a"}, {"sk", "b"}}})));
}

}  // namespace
}  // namespace stator::events

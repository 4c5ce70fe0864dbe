// Reading: everything, by tag, by query; ranges, limits and directions; counts and listings;
// shards; events that the index does not have yet.

#include <algorithm>

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"

namespace stator::events {
namespace {

class ReadTest : public EventsTest {
 protected:
  // "0", "1", ...: every second one is of course c1, every third of student s1.
  std::vector<AppendedEvent> AppendMany(EventStore& store, int count) {
    std::vector<AppendedEvent> all;
    for (int index = 0; index < count; ++index) {
      std::vector<std::string> tags;
      if (index % 2 == 0) {
        tags.emplace_back("course:c1");
      }
      if (index % 3 == 0) {
        tags.emplace_back("student:s1");
      }
      const auto appended =
          store.Append({Fact(index % 2 == 0 ? "Even" : "Odd", tags, std::to_string(index))});
      EXPECT_TRUE(appended.has_value()) << appended.error().message;
      all.push_back(appended->events[0]);
    }
    return all;
  }
};

const EventQuery kCourse{{.tags = {"course:c1"}}};

TEST_F(ReadTest, GivesEverythingInOrder) {
  AppendMany(*store_, 6);
  EXPECT_EQ(PayloadsOf(Read()), (Texts{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(PayloadsOf(Read({.backwards = true})), (Texts{"5", "4", "3", "2", "1", "0"}));
}

TEST_F(ReadTest, SinceIsExclusiveAndUntilInclusiveEverywhere) {
  const auto all = AppendMany(*store_, 9);
  const SortableId since = all[2].sortable_id;
  const SortableId until = all[6].sortable_id;
  EXPECT_EQ(PayloadsOf(Read({.since = since, .until = until})), (Texts{"3", "4", "5", "6"}));
  EXPECT_EQ(PayloadsOf(Read({.query = kCourse, .since = since, .until = until})),
            (Texts{"4", "6"}));
  EXPECT_EQ(PayloadsOf(Read({.since = since, .until = until, .backwards = true})),
            (Texts{"6", "5", "4", "3"}));
  EXPECT_EQ(PayloadsOf(Read({.query = kCourse, .since = since, .until = until, .backwards = true})),
            (Texts{"6", "4"}));
  const auto rows = store_->ListTagRows("course:c1", Cursor(since));
  ASSERT_EQ(rows->size(), 3U);
  EXPECT_EQ(rows->front().sortable_id, all[4].sortable_id);
  EXPECT_TRUE(Read({.since = all.back().sortable_id}).empty());
  EXPECT_TRUE(Read({.query = kCourse, .since = all.back().sortable_id}).empty());
  EXPECT_TRUE(Read({.since = until, .until = since}).empty());
  EXPECT_TRUE(Read({.query = kCourse, .since = until, .until = since}).empty());
}

TEST_F(ReadTest, GoesOnBehindACursor) {
  AppendMany(*store_, 7);
  for (const EventQuery& query : {EventQuery::All(), kCourse}) {
    Texts payloads;
    std::optional<Cursor> since;
    while (true) {
      const std::vector<Event> page = Read({.query = query, .since = since, .limit = 2});
      if (page.empty()) {
        break;
      }
      since = page.back().cursor();
      for (const Event& event : page) {
        payloads.push_back(event.payload);
      }
    }
    EXPECT_EQ(payloads, PayloadsOf(Read({.query = query})));
  }
}

TEST_F(ReadTest, LimitsWithAndWithoutSince) {
  const auto all = AppendMany(*store_, 6);
  EXPECT_EQ(PayloadsOf(Read({.limit = 2})), (Texts{"0", "1"}));
  EXPECT_EQ(PayloadsOf(Read({.since = all[0].sortable_id, .limit = 2})), (Texts{"1", "2"}));
  EXPECT_EQ(Read({.limit = 100}).size(), 6U);
  EXPECT_TRUE(Read({.limit = 0}).empty());
  EXPECT_EQ(PayloadsOf(Read({.query = kCourse, .limit = 2, .backwards = true})), (Texts{"4", "2"}));
  EXPECT_EQ(PayloadsOf(Read({.query = EventQuery{{.types = {"Odd"}}}, .limit = 2})),
            (Texts{"1", "3"}));
}

TEST_F(ReadTest, AnswersQueriesOfTypesAndTags) {
  AppendMany(*store_, 13);
  const std::vector<EventQuery> queries = {
      EventQuery{{.types = {"Odd"}, .tags = {"student:s1"}}},
      EventQuery{{.tags = {"course:c1", "student:s1"}}},
      EventQuery{{.tags = {"course:c1"}}, {.tags = {"student:s1"}}},
      EventQuery{{.types = {"Odd"}}, {.tags = {"student:s1"}}},
      EventQuery{{.types = {"Odd", "Even"}}},
      EventQuery{{.tags = {"course:unknown"}}},
      EventQuery{{.types = {"Even"}, .tags = {"course:c1"}},
                 {.types = {"Odd"}, .tags = {"student:s1"}}},
  };
  const std::vector<Event> everything = Read();
  for (const EventQuery& query : queries) {
    std::vector<Event> expected;
    std::copy_if(everything.begin(), everything.end(), std::back_inserter(expected),
                 [&](const Event& event) { return query.Matches(event); });
    EXPECT_EQ(Read({.query = query}), expected);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(Read({.query = query, .backwards = true}), expected);
  }
}

// Counts the items that queries return.
class CountingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<QueryOutput> Query(const QueryInput& input) override {
    auto output = ForwardingDatabase::Query(input);
    if (output && output->items) {
      items += static_cast<int>(output->items->size());
      largest_page = std::max(largest_page, static_cast<int>(output->items->size()));
    }
    return output;
  }
  int items = 0;
  int largest_page = 0;
};

TEST_F(ReadTest, ALimitLimitsTheReading) {
  AppendMany(*store_, 40);
  CountingDatabase database(home_->database());
  auto store = Open(database);
  database.items = 0;
  EXPECT_EQ(ReadFrom(*store, {.limit = 3}).size(), 3U);
  EXPECT_LE(database.items, 4);
  database.items = 0;
  EXPECT_EQ(ReadFrom(*store, {.query = kCourse, .limit = 3}).size(), 3U);
  EXPECT_LE(database.items, 3);
}

TEST_F(ReadTest, HoldsOnePageAtATime) {
  CountingDatabase database(home_->database());
  auto store = Open(database, {.query_page_size = 5});
  AppendMany(*store, 23);
  database.largest_page = 0;
  EXPECT_EQ(ReadFrom(*store).size(), 23U);
  EXPECT_EQ(ReadFrom(*store, {.query = kCourse}).size(), 12U);
  EXPECT_EQ(database.largest_page, 5);
}

TEST_F(ReadTest, ReportsProgress) {
  std::vector<std::uint64_t> seen;
  double capacity = 0;
  auto store =
      Open(home_->database(),
           {.query_page_size = 4, .on_read_progress = [&](std::uint64_t events, double units) {
              seen.push_back(events);
              capacity = units;
            }});
  AppendMany(*store, 10);
  seen.clear();
  EXPECT_EQ(ReadFrom(*store).size(), 10U);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{4, 8, 10}));
  EXPECT_GT(capacity, 0);
}

TEST_F(ReadTest, CountsWithAndWithoutSince) {
  EXPECT_EQ(*store_->CountEvents(), 0U);
  const auto all = AppendMany(*store_, 7);
  EXPECT_EQ(*store_->CountEvents(), 7U);
  EXPECT_EQ(*store_->CountEvents(Cursor(all[2].sortable_id)), 4U);
  EXPECT_EQ(*store_->CountEvents(Cursor(all[6].sortable_id)), 0U);
  auto headless = Open(home_->database(), {.service_id = "headless", .global_head = false});
  const auto others = AppendMany(*headless, 7);
  EXPECT_EQ(*headless->CountEvents(), 7U);
  EXPECT_EQ(*headless->CountEvents(Cursor(others[2].sortable_id)), 4U);
}

TEST_F(ReadTest, CountingEverythingReadsNoEvents) {
  AppendMany(*store_, 20);
  CountingDatabase database(home_->database());
  auto store = Open(database);
  database.items = 0;
  EXPECT_EQ(*store->CountEvents(), 20U);
  EXPECT_EQ(database.items, 0);
}

TEST_F(ReadTest, KnowsTheLastId) {
  EXPECT_EQ(*store_->FindLastId(), std::nullopt);
  const auto all = AppendMany(*store_, 3);
  EXPECT_EQ(*store_->FindLastId(), all[2].sortable_id);
  auto headless = Open(home_->database(), {.service_id = "headless", .global_head = false});
  EXPECT_EQ(*headless->FindLastId(), std::nullopt);
  const auto others = AppendMany(*headless, 3);
  EXPECT_EQ(*headless->FindLastId(), others[2].sortable_id);
}

TEST_F(ReadTest, ListsTagsWithWhatTheirHeadsKnow) {
  EXPECT_TRUE(store_->ListTags()->empty());
  const auto all = AppendMany(*store_, 7);
  const auto tags = store_->ListTags();
  ASSERT_EQ(tags->size(), 2U);
  EXPECT_EQ((*tags)[0],
            (TagInfo{"course:c1", "course", 4, all[0].sortable_id, all[6].sortable_id, all[6].id}));
  EXPECT_EQ((*tags)[1].tag, "student:s1");
  EXPECT_EQ((*tags)[1].events, 3U);
  EXPECT_EQ(store_->ListTags("student")->size(), 1U);
  EXPECT_TRUE(store_->ListTags("nobody")->empty());
  EXPECT_TRUE(*store_->TagExists("course:c1"));
  EXPECT_FALSE(*store_->TagExists("course:c2"));
  EXPECT_EQ(*store_->ListTypes(), (Texts{"Even", "Odd"}));
}

TEST_F(ReadTest, ListingTagsReadsNoEvents) {
  AppendMany(*store_, 20);
  CountingDatabase database(home_->database());
  auto store = Open(database);
  database.items = 0;
  EXPECT_EQ(store->ListTags()->size(), 2U);
  EXPECT_EQ(database.items, 4);  // two groups, a tag in each
}

TEST_F(ReadTest, MergesShards) {
  auto store = Open(home_->database(),
                    {.service_id = "sharded", .write_shard_count = 4, .query_page_size = 3});
  AppendMany(*store, 20);
  Texts expected;
  for (int index = 0; index < 20; ++index) {
    expected.push_back(std::to_string(index));
  }
  EXPECT_EQ(PayloadsOf(ReadFrom(*store)), expected);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(PayloadsOf(ReadFrom(*store, {.backwards = true})), expected);
}

TEST_F(ReadTest, FindsEventsOfEveryShardCountThatWasEverUsed) {
  const std::string service = "resharded";
  auto old_store = Open(home_->database(), {.service_id = service});
  AppendMany(*old_store, 3);
  for (const int count : {8, 2, 3}) {
    auto store = Open(home_->database(), {.service_id = service, .write_shard_count = count});
    AppendMany(*store, 5);
  }
  auto reader = Open(home_->database(), {.service_id = service});
  EXPECT_EQ(reader->recorded().shard_counts, (std::vector<int>{1, 2, 3, 8}));
  EXPECT_EQ(ReadFrom(*reader).size(), 18U);
  // Also for whoever opened the store before.
  EXPECT_EQ(ReadFrom(*old_store).size(), 18U);
}

// An index that does not have some events yet, as those of DynamoDB are at times.
class LaggingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<QueryOutput> Query(const QueryInput& input) override {
    auto output = ForwardingDatabase::Query(input);
    if (output && output->items && input.index_name) {
      std::erase_if(*output->items, [this](const Item& item) {
        const AttributeValue* id = item.Find("eventId");
        return id != nullptr && *id == AttributeValue(hidden);
      });
    }
    return output;
  }
  std::string hidden;
};

TEST_F(ReadTest, EndsBeforeAnEventThatTheIndexDoesNotHaveYet) {
  LaggingDatabase database(home_->database());
  auto store = Open(database);
  const auto all = AppendMany(*store, 5);
  database.hidden = all[2].id;
  const std::vector<Event> before = ReadFrom(*store);
  EXPECT_EQ(PayloadsOf(before), (Texts{"0", "1"}));
  // Also when it would be the first one.
  EXPECT_TRUE(ReadFrom(*store, {.since = before.back().cursor()}).empty());
  EXPECT_TRUE(ReadFrom(*store, {.since = Cursor(all[1].sortable_id)}).empty());
  EXPECT_EQ(store->ReadList({.backwards = true}).error().code, ErrorCode::kUnavailable);
  database.hidden.clear();
  EXPECT_EQ(PayloadsOf(ReadFrom(*store, {.since = before.back().cursor()})),
            (Texts{"2", "3", "4"}));
}

TEST_F(ReadTest, KeepsForeignEventsWithOneSortableIdApart) {
  auto store = Open(home_->database(), {.service_id = "twins", .global_head = false});
  const Event first =
      ReadFrom(*store).empty()
          ? *store->ReadEvent(store->Append({Fact("A", {"x:1"}, "a")})->events[0].id)
          : Event{};
  const std::string id = first.sortable_id.ToText();
  const std::string twin = "ffffffff-ffff-4fff-bfff-ffffffffffff";
  const Item event{{"pk", "SERVICE#twins#EVENT#" + twin},
                   {"sk", "EVENT#" + twin},
                   {"serviceId", "twins"},
                   {"eventId", twin},
                   {"eventType", "A"},
                   {"payload", "b"},
                   {"tags", List{"x:1"}},
                   {"sortableUniqueId", id},
                   {"gsi1pk", "SERVICE#twins#ALL_EVENTS"},
                   {"timestamp", "2026-01-01T00:00:00.0000000Z"}};
  const Item row{{"pk", "SERVICE#twins#TAG#x:1"},
                 {"sk", id + "#" + twin},
                 {"serviceId", "twins"},
                 {"tagString", "x:1"},
                 {"tagGroup", "twins|x"},
                 {"eventType", "A"},
                 {"eventId", twin},
                 {"sortableUniqueId", id}};
  ASSERT_TRUE(home_->database().PutItem({.table_name = "SekibanEvents", .item = event}));
  ASSERT_TRUE(home_->database().PutItem({.table_name = "SekibanTags", .item = row}));
  for (const EventQuery& query : {EventQuery::All(), EventQuery::Tagged("x:1")}) {
    EXPECT_EQ(PayloadsOf(ReadFrom(*store, {.query = query})), (Texts{"a", "b"}));
    const std::vector<Event> one = ReadFrom(*store, {.query = query, .limit = 1});
    ASSERT_EQ(PayloadsOf(one), (Texts{"a"}));
    EXPECT_EQ(PayloadsOf(ReadFrom(*store, {.query = query, .since = one[0].cursor()})),
              (Texts{"b"}));
    EXPECT_TRUE(ReadFrom(*store, {.query = query, .since = one[0].sortable_id}).empty());
  }
}

}  // namespace
}  // namespace stator::events

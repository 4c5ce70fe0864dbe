// Reading: everything, by tag, by query; ranges, limits and directions; counts and listings;
// index and tail together.

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

// Counts the items that queries and batches return.
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
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    for (const auto& [table, keys] : input.request_items) {
      items += static_cast<int>(keys.keys.size());
    }
    return ForwardingDatabase::BatchGetItem(input);
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
  EXPECT_LE(database.items, 8) << "rows of chunks, and slots";
  database.items = 0;
  EXPECT_EQ(ReadFrom(*store, {.query = kCourse, .limit = 3}).size(), 3U);
  EXPECT_LE(database.items, 3);
}

TEST_F(ReadTest, HoldsOnePageAtATime) {
  CountingDatabase database(home_->database());
  auto store = Open(database, {.service_id = "paged", .chunk_slots = 1, .query_page_size = 5});
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
  ASSERT_GE(seen.size(), 2U) << "of the index, of the tail";
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end(), std::less_equal<>()));
  EXPECT_EQ(seen.back(), 10U);
  EXPECT_GT(capacity, 0);
}

TEST_F(ReadTest, CountsWithAndWithoutSince) {
  EXPECT_EQ(*store_->CountEvents(), 0U);
  const auto all = AppendMany(*store_, 7);
  EXPECT_EQ(*store_->CountEvents(), 7U);
  EXPECT_EQ(*store_->CountEvents(Cursor(all[2].sortable_id)), 4U);
  EXPECT_EQ(*store_->CountEvents(Cursor(all[6].sortable_id)), 0U);
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
}

TEST_F(ReadTest, ListsTagsWithWhatIsKnownOfThem) {
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

TEST_F(ReadTest, ListingTagsCostsAsMuchAsThereAreTags) {
  AppendMany(*store_, 40);
  CountingDatabase database(home_->database());
  auto store = Open(database);
  database.items = 0;
  EXPECT_EQ(store->ListTags()->size(), 2U);
  EXPECT_EQ(database.items, 6) << "two groups, a tag in each, the last block of each tag";
}

// What others write and index between two requests of a read is not seen by it, and what was
// there is.
TEST_F(ReadTest, GivesWhatWasThereWhenItBegan) {
  AppendMany(*store_, 10);
  for (const EventQuery& query : {EventQuery::All(), kCourse, EventQuery{{.types = {"Odd"}}}}) {
    const std::vector<Event> before = Read({.query = query});
    auto stream = store_->Read({.query = query});
    ASSERT_TRUE(stream.has_value()) << stream.error().message;
    std::vector<Event> events;
    while (true) {
      const auto event = stream->Next();
      ASSERT_TRUE(event.has_value()) << event.error().message;
      if (!*event) {
        break;
      }
      events.push_back(**event);
      Append({Fact("Odd", {"course:c1"})});
    }
    EXPECT_EQ(events, before);
  }
}

// Another process indexed what this one still has in its tail, or never saw.
TEST_F(ReadTest, AProcessThatSleptReadsEverything) {
  auto sleeper = Open(home_->database());
  AppendMany(*store_, 250);
  const std::vector<Event> all = Read();
  ASSERT_EQ(all.size(), 250U);
  EXPECT_EQ(ReadFrom(*sleeper), all);
  EXPECT_EQ(*sleeper->CountEvents(), 250U);
  EXPECT_FALSE(sleeper->Append({Fact("A", {"course:c1"})}, When(kCourse)).has_value());
}

TEST_F(ReadTest, KeepsForeignEventsWithOneSortableIdApart) {
  const std::string id = "063902822400000000000437125638";
  for (const auto& [twin, payload] : {std::pair{"00000000-ffff-4fff-bfff-ffffffffffff", "a"},
                                      std::pair{"ffffffff-ffff-4fff-bfff-ffffffffffff", "b"}}) {
    const Item event{{"pk", "SERVICE#twins#EVENT#" + std::string(twin)},
                     {"sk", "EVENT#" + std::string(twin)},
                     {"serviceId", "twins"},
                     {"eventId", twin},
                     {"eventType", "A"},
                     {"payload", payload},
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
  }
  auto store = Open(home_->database(), {.service_id = "twins", .read_only = true});
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

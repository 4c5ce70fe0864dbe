// The view: the rows that the original system has, for its programs. Read here as those read them,
// without the log.

#include <thread>

#include "events/events_test.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_store_core.h"
#include "stores/events/log_items.h"

namespace stator::events {
namespace {

class ViewTest : public EventsTest {
 protected:
  void AppendSome(EventStore& store, int count) {
    for (int number = 0; number < count; ++number) {
      const auto appended =
          store.Append({Fact(number % 2 == 0 ? "Even" : "Odd",
                             {"x:1", "y:" + std::to_string(number % 3)}, std::to_string(number))});
      ASSERT_TRUE(appended.has_value()) << appended.error().message;
    }
  }

  // A program that knows nothing of settings and logs.
  std::unique_ptr<EventStore> OpenAsForeign(EventStore& store) {
    EXPECT_TRUE(home_->database().DeleteItem(
        patterns::MakeDelete("SekibanEvents", EventStoreCoreOf(store).keys.Settings())));
    return Open(home_->database(), {.service_id = store.options().service_id, .read_only = true});
  }

  std::size_t CountRows(const std::string& service) {
    const auto rows = home_->database().Query(
        {.table_name = "SekibanTags",
         .key_condition_expression = "pk = :pk",
         .expression_attribute_values = Item{{":pk", "SERVICE#" + service + "#TAG#x:1"}},
         .consistent_read = true});
    EXPECT_TRUE(rows.has_value());
    return rows && rows->items ? rows->items->size() : 0;
  }
};

TEST_F(ViewTest, ProgramsOfTheOriginalSystemReadWhatTheLogHas) {
  auto store =
      Open(home_->database(), {.service_id = "seen", .write_shard_count = 4, .query_page_size = 3});
  AppendSome(*store, 20);
  ASSERT_TRUE(store->ClaimKey({.key = "k", .event = {.type = "K", .payload = "{}"}}).has_value());
  ASSERT_TRUE(CatchUpView(*store).has_value());
  const std::vector<Event> all = ReadFrom(*store);
  const std::vector<Event> tagged = ReadFrom(*store, {.query = EventQuery::Tagged("y:2")});
  const std::vector<Event> backwards = ReadFrom(*store, {.backwards = true});
  const auto tags = store->ListTags();
  const auto types = store->ListTypes();
  auto foreign = OpenAsForeign(*store);
  ASSERT_NE(foreign, nullptr);
  EXPECT_EQ(ReadFrom(*foreign), all);
  EXPECT_EQ(ReadFrom(*foreign, {.backwards = true}), backwards);
  EXPECT_EQ(ReadFrom(*foreign, {.query = EventQuery::Tagged("y:2")}), tagged);
  EXPECT_EQ(*foreign->ListTags(), *tags);
  EXPECT_EQ(*foreign->ListTypes(), *types);
}

TEST_F(ViewTest, EveryShardCountThatWasEverUsedIsRecorded) {
  const std::string service = "resharded";
  for (const int count : {1, 8, 2, 3}) {
    auto store = Open(home_->database(), {.service_id = service, .write_shard_count = count});
    AppendSome(*store, 5);
    ASSERT_TRUE(CatchUpView(*store).has_value());
  }
  auto reader = Open(home_->database(), {.service_id = service});
  EXPECT_EQ(reader->recorded().shard_counts, (std::vector<int>{1, 2, 3, 8}));
  EXPECT_EQ(reader->recorded().shard_count, 3);
  const std::vector<Event> all = ReadFrom(*reader);
  EXPECT_EQ(all.size(), 20U);
  EXPECT_EQ(ReadFrom(*OpenAsForeign(*reader)), all);
}

TEST_F(ViewTest, CanBeSwitchedOffAndOnAgain) {
  auto without = Open(home_->database(), {.service_id = "plain", .seed_rows = false});
  AppendSome(*without, 5);
  ASSERT_TRUE(CatchUpView(*without).has_value());
  EXPECT_EQ(CountRows("plain"), 0U);
  auto later = Open(home_->database(), {.service_id = "plain"});
  EXPECT_FALSE(later->recorded().seed_rows) << "it is recorded";
  EXPECT_TRUE(VerifyEvents(*later)->clean());
  auto with = Open(home_->database(), {.service_id = "plain", .seed_rows = true});
  ASSERT_TRUE(CatchUpView(*with).has_value());
  EXPECT_EQ(CountRows("plain"), 5U);
  EXPECT_TRUE(VerifyEvents(*with)->clean());
}

TEST_F(ViewTest, IsWrittenInStepsWhenThatIsAskedFor) {
  AppendSome(*store_, 40);
  ASSERT_TRUE(CatchUpView(*store_, 1).has_value());
  const std::size_t some = CountRows("default");
  EXPECT_GT(some, 0U);
  EXPECT_LT(some, 40U);
  ASSERT_TRUE(CatchUpView(*store_).has_value());
  EXPECT_EQ(CountRows("default"), 40U);
}

TEST_F(ViewTest, IsWrittenAgainWhateverBecameOfIt) {
  AppendSome(*store_, 40);
  ASSERT_TRUE(CatchUpView(*store_).has_value());
  const Event event = Read()[20];
  ASSERT_TRUE(home_->database().DeleteItem(
      patterns::MakeDelete("SekibanEvents", EventStoreCoreOf(*store_).keys.Event(event.id))));
  EXPECT_FALSE(VerifyEvents(*store_)->clean());
  ASSERT_TRUE(CatchUpView(*store_).has_value());
  EXPECT_FALSE(VerifyEvents(*store_)->clean()) << "what was written is not written again";
  ASSERT_TRUE(RebuildView(*store_).has_value());
  EXPECT_TRUE(VerifyEvents(*store_)->clean());
  const auto status = ReadBehind(*store_);
  ASSERT_TRUE(status.has_value()) << status.error().message;
  EXPECT_EQ(status->events, 40U);
  EXPECT_EQ(status->viewed_events, 40U);
  EXPECT_EQ(status->indexed_events, 39U) << "chunks of three";
  auto without = Open(home_->database(), {.service_id = "plain", .seed_rows = false});
  EXPECT_EQ(RebuildView(*without).error().code, ErrorCode::kValidation);
}

TEST_F(ViewTest, SeveralMayWriteItAtOnce) {
  AppendSome(*store_, 40);
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 4; ++writer) {
      writers.emplace_back([&] {
        auto store = EventStore::Open(home_->database(), Quiet({}), environment_);
        ASSERT_TRUE(store.has_value()) << store.error().message;
        EXPECT_TRUE(CatchUpView(*store).has_value());
      });
    }
  }
  EXPECT_EQ(CountRows("default"), 40U);
  EXPECT_TRUE(VerifyEvents(*store_)->clean());
  const std::vector<Event> all = Read();
  EXPECT_EQ(ReadFrom(*OpenAsForeign(*store_)), all);
}

TEST_F(ViewTest, AThreadOfTheStoreWritesIndexAndView) {
  auto store =
      EventStore::Open(home_->database(), {.service_id = "busy", .chunk_slots = 4}, environment_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  AppendSome(*store, 30);
  const auto reached = [&](MarkKind kind, std::uint64_t slot) {
    const Result<Mark> mark = ReadMark(EventStoreCoreOf(*store), kind);
    return mark && mark->place.slot >= slot;
  };
  // Its clock stands still but for its own waiting, so it does not take long.
  while (!reached(MarkKind::kIndex, 28) || !reached(MarkKind::kView, 30)) {
    std::this_thread::yield();
  }
  EXPECT_EQ(CountRows("busy"), 30U);
  EXPECT_TRUE(VerifyEvents(*store)->clean());
}

}  // namespace
}  // namespace stator::events

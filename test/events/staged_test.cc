// Appends that are too large for one transaction: all of their events become visible at once.

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"

namespace stator::events {
namespace {

class StagedTest : public EventsTest {
 protected:
  static std::vector<NewEvent> Many(int count) {
    std::vector<NewEvent> events;
    for (int index = 0; index < count; ++index) {
      events.push_back(Fact("Imported", {"import:1", "row:" + std::to_string(index % 5)},
                            std::to_string(index)));
    }
    return events;
  }
};

TEST_F(StagedTest, AllEventsAreThereInOrder) {
  Append({Fact("Before", {"import:1"})});
  const Appended appended = Append(Many(150));
  const Appended after = Append({Fact("After", {"import:1"})});
  ASSERT_EQ(appended.events.size(), 150U);
  EXPECT_EQ(appended.events[0].position, 2U);
  EXPECT_EQ(appended.events[149].position, 151U);
  EXPECT_EQ(after.events[0].position, 152U);
  const std::vector<Event> all = Read();
  ASSERT_EQ(all.size(), 152U);
  for (std::size_t index = 0; index < all.size(); ++index) {
    EXPECT_EQ(all[index].position, index + 1);
    if (index > 0 && index < 151) {
      EXPECT_EQ(all[index].payload, std::to_string(index - 1));
      EXPECT_EQ(all[index].id, appended.events[index - 1].id);
    }
  }
  EXPECT_EQ(Read({.query = EventQuery::Tagged("import:1")}).size(), 152U);
  EXPECT_EQ(Read({.query = EventQuery::Tagged("row:3")}).size(), 30U);
  EXPECT_EQ(store_->FindTag("row:3").value()->events, 30U);
  EXPECT_EQ(*store_->CountEvents(), 152U);
  EXPECT_EQ(store_->ReadEvent(appended.events[77].id)->position, 79U);
}

TEST_F(StagedTest, ManyBytesAreStagedToo) {
  std::vector<NewEvent> events;
  for (int index = 0; index < 12; ++index) {
    events.push_back(Fact("Large", {"big:1"}, std::string(390'000, 'x')));
  }
  EXPECT_EQ(Append(events).events.size(), 12U);
  EXPECT_EQ(Read({.query = EventQuery::Tagged("big:1")}).size(), 12U);
}

TEST_F(StagedTest, RepetitionGivesTheOriginalAnswer) {
  const Appended first = Append(Many(120), {.append_id = "import"});
  auto other = Open(home_->database());
  const auto again = other->Append(Many(120), {.append_id = "import"});
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->events, first.events);
  EXPECT_EQ(other->Append(Many(119), {.append_id = "import"}).error().code,
            ErrorCode::kIdempotentParameterMismatch);
  EXPECT_EQ(Read().size(), 120U);
}

TEST_F(StagedTest, ConditionsHold) {
  const EventQuery rows{{.types = {"Imported"}, .tags = {"row:1"}}};
  const Appended first = Append(Many(110), When(rows));
  const auto again = store_->Append(Many(110), When(rows));
  ASSERT_FALSE(again.has_value());
  ASSERT_NE(FindConflict(again.error()), nullptr);
  EXPECT_EQ(FindConflict(again.error())->event_id, first.events[1].id);
  EXPECT_EQ(Append(Many(110), When(rows, first.last())).events.size(), 110U);
  EXPECT_EQ(Read().size(), 220U);
}

// Does something before the transaction that publishes.
class InterruptingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override {
    if (before) {
      std::exchange(before, nullptr)();
    }
    return ForwardingDatabase::TransactWriteItems(input);
  }
  std::function<void()> before;
};

TEST_F(StagedTest, NothingIsVisibleBeforeThePublication) {
  Append({Fact("Before", {"import:1"})});
  InterruptingDatabase database(home_->database());
  auto store = Open(database);
  std::size_t seen = 0;
  std::size_t seen_by_tag = 0;
  std::size_t rows = 0;
  database.before = [&] {
    seen = Read().size();
    seen_by_tag = Read({.query = EventQuery::Tagged("import:1")}).size();
    rows = store_->ListTagRows("import:1")->size();
  };
  ASSERT_TRUE(store->Append(Many(100)).has_value());
  EXPECT_EQ(seen, 1U);
  EXPECT_EQ(seen_by_tag, 1U);
  EXPECT_EQ(rows, 1U);
  EXPECT_EQ(Read().size(), 101U);
}

// Runs something once, before the n-th page of tag rows.
class PagedDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<QueryOutput> Query(const QueryInput& input) override {
    if (!input.index_name && before_second_page && ++pages == 2) {
      std::exchange(before_second_page, nullptr)();
    }
    return ForwardingDatabase::Query(input);
  }
  int pages = 0;
  std::function<void()> before_second_page;
};

TEST_F(StagedTest, AReadSeesNothingOfAnAppendThatIsPublishedMeanwhileAndNothingBehindIt) {
  InterruptingDatabase database(home_->database());
  auto writer = Open(database);
  PagedDatabase paged(home_->database());
  auto reader = Open(paged, {.query_page_size = 10});
  ASSERT_TRUE(writer->Append({Fact("Before", {"import:1"})}).has_value());
  std::vector<Event> first;
  std::function<void()> publish;
  database.before = [&] {
    // The stage is written; its publication waits for the second page of this read.
    paged.before_second_page = [&] { publish(); };
    auto other = Open(home_->database());
    publish = [&] {
      ASSERT_TRUE(other->Append(Many(100), {.append_id = "other"}).has_value());
      ASSERT_TRUE(other->Append({Fact("After", {"import:1"})}).has_value());
    };
    first = ReadFrom(*reader, {.query = EventQuery::Tagged("import:1")});
  };
  ASSERT_TRUE(writer->Append(Many(100), {.append_id = "other"}).has_value());
  // Of 100 staged rows per page of ten, none is visible at first; behind them nothing is given.
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].type, "Before");
  const std::vector<Event> rest =
      ReadFrom(*reader, {.query = EventQuery::Tagged("import:1"), .since = first.back().cursor()});
  EXPECT_EQ(rest.size(), 101U);
}

TEST_F(StagedTest, AnAppendThatIsOvertakenIsStagedAgainBehind) {
  InterruptingDatabase database(home_->database());
  auto store = Open(database);
  Appended overtaking;
  database.before = [&] {
    clock_.Advance(std::chrono::minutes(1));
    overtaking = Append({Fact("Faster", {"row:1"})});
  };
  const auto appended = store->Append(Many(100));
  ASSERT_TRUE(appended.has_value()) << appended.error().message;
  EXPECT_GT(appended->events[0].sortable_id, overtaking.last());
  EXPECT_EQ(appended->events[0].position, 2U);
  EXPECT_EQ(Read().size(), 101U);
  EXPECT_EQ(Read({.query = EventQuery::Tagged("row:1")}).size(), 21U);
}

TEST_F(StagedTest, AConditionThatFailsMeanwhileStopsThePublication) {
  InterruptingDatabase database(home_->database());
  auto store = Open(database);
  database.before = [&] { Append({Fact("Imported", {"row:1"})}); };
  const auto appended = store->Append(Many(100), When(EventQuery::Tagged("row:1")));
  ASSERT_FALSE(appended.has_value());
  EXPECT_NE(FindConflict(appended.error()), nullptr);
  EXPECT_EQ(Read().size(), 1U);
}

TEST_F(StagedTest, WorksWithoutAGlobalHead) {
  auto store = Open(home_->database(), {.service_id = "headless", .global_head = false});
  ASSERT_TRUE(store->Append(Many(130)).has_value());
  EXPECT_EQ(ReadFrom(*store).size(), 130U);
  EXPECT_EQ(*store->CountEvents(Cursor(SortableId())), 130U);
}

}  // namespace
}  // namespace stator::events

// Large appends: all of their events become visible at once.

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"

namespace stator::events {
namespace {

class LargeTest : public EventsTest {
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

TEST_F(LargeTest, AllEventsAreThereInOrder) {
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

TEST_F(LargeTest, ManyBytesArePutIntoParts) {
  std::vector<NewEvent> events;
  for (int index = 0; index < 12; ++index) {
    events.push_back(Fact("Large", {"big:1"}, std::string(390'000, 'x')));
  }
  EXPECT_EQ(Append(events).events.size(), 12U);
  EXPECT_EQ(Read({.query = EventQuery::Tagged("big:1")}).size(), 12U);
}

TEST_F(LargeTest, RepetitionGivesTheOriginalAnswer) {
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

TEST_F(LargeTest, ConditionsHold) {
  const EventQuery rows{{.types = {"Imported"}, .tags = {"row:1"}}};
  const Appended first = Append(Many(110), When(rows));
  const auto again = store_->Append(Many(110), When(rows));
  ASSERT_FALSE(again.has_value());
  ASSERT_NE(FindConflict(again.error()), nullptr);
  EXPECT_EQ(FindConflict(again.error())->event_id, first.events[1].id);
  EXPECT_EQ(Append(Many(110), When(rows, first.last())).events.size(), 110U);
  EXPECT_EQ(Read().size(), 220U);
}

// Does something before the slot is put.
class InterruptingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    if (before) {
      std::exchange(before, nullptr)();
    }
    return ForwardingDatabase::PutItem(input);
  }
  std::function<void()> before;
};

TEST_F(LargeTest, NothingIsVisibleBeforeItsSlotIs) {
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

TEST_F(LargeTest, AnAppendThatIsOvertakenComesBehind) {
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

TEST_F(LargeTest, AConditionThatFailsMeanwhileIsSeen) {
  InterruptingDatabase database(home_->database());
  auto store = Open(database);
  database.before = [&] { Append({Fact("Imported", {"row:1"})}); };
  const auto appended = store->Append(Many(100), When(EventQuery::Tagged("row:1")));
  ASSERT_FALSE(appended.has_value());
  EXPECT_NE(FindConflict(appended.error()), nullptr);
  EXPECT_EQ(Read().size(), 1U);
}

}  // namespace
}  // namespace stator::events

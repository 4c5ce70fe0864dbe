// Consistency without reservations: the rules of those who reserve tags, restated for a log. R1 to
// R10 of the checklist in README.md.

#include <atomic>
#include <thread>

#include "events/events_test.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using support::Fault;
using support::FaultyDatabase;

class BoundariesTest : public EventsTest {
 protected:
  // Another host: a store of its own, which knows nothing of what the first one has in memory.
  std::unique_ptr<EventStore> OtherHost() { return Open(home_->database()); }

  static bool Creates(EventStore& store, const std::string& tag) {
    return store.Append({Fact("Created", {tag})}, When(EventQuery::Tagged(tag))).has_value();
  }
};

TEST_F(BoundariesTest, OnlyTheVersionThatIsThereIsRight) {
  const EventQuery tag = EventQuery::Tagged("x:1");
  const SortableId first = Append({Fact("A", {"x:1"})}).last();
  const SortableId second = Append({Fact("A", {"x:1"})}).last();
  struct Case {
    std::optional<SortableId> expected;
    bool accepted;
  };
  // Absent, the least, an older one, one between, the last.
  for (const Case& one : {Case{std::nullopt, false}, {SortableId(), false}, {first, false}}) {
    EXPECT_EQ(store_->Append({Fact("B", {"x:1"})}, When(tag, one.expected)).has_value(),
              one.accepted);
  }
  EXPECT_TRUE(store_->Append({Fact("B", {"x:1"})}, When(tag, second)).has_value());
  // Of a tag without events, absent and the least are right.
  EXPECT_TRUE(store_->Append({Fact("B", {"y:1"})}, When(EventQuery::Tagged("y:1"))).has_value());
  EXPECT_TRUE(store_->Append({Fact("B", {"z:1"})}, When(EventQuery::Tagged("z:1"), SortableId()))
                  .has_value());
}

TEST_F(BoundariesTest, OfTwoCreationsInARowOneIsAcceptedTenTimesOfTen) {
  for (int round = 0; round < 10; ++round) {
    const std::string tag = "user:" + std::to_string(round);
    EXPECT_TRUE(Creates(*store_, tag));
    EXPECT_FALSE(Creates(*store_, tag));
  }
}

TEST_F(BoundariesTest, ALateFirstWriteAfterARestartIsAConflict) {
  EXPECT_TRUE(Creates(*store_, "user:1"));
  store_ = Open(home_->database());
  EXPECT_FALSE(Creates(*store_, "user:1"));
}

TEST_F(BoundariesTest, OfTwoHostsExactlyOneIsAccepted) {
  auto other = OtherHost();
  for (int round = 0; round < 5; ++round) {
    const std::string tag = "user:" + std::to_string(round);
    std::atomic<int> accepted = 0;
    {
      const std::jthread one([&] { accepted += Creates(*store_, tag) ? 1 : 0; });
      const std::jthread two([&] { accepted += Creates(*other, tag) ? 1 : 0; });
    }
    EXPECT_EQ(accepted, 1);
    EXPECT_EQ(Read({.query = EventQuery::Tagged(tag)}).size(), 1U);
  }
}

TEST_F(BoundariesTest, WhatWasRefusedOrAbandonedHoldsNothing) {
  const SortableId seen = Append({Fact("A", {"x:1"})}).last();
  EXPECT_FALSE(Creates(*store_, "x:1"));
  std::stop_source stop;
  stop.request_stop();
  AppendOptions stopped = When(EventQuery::Tagged("x:1"), seen);
  stopped.stop = stop.get_token();
  EXPECT_FALSE(store_->Append({Fact("B", {"x:1"})}, stopped).has_value());
  // No time has to pass and nothing has to be cancelled.
  const Duration before = clock_.Elapsed();
  EXPECT_TRUE(
      OtherHost()->Append({Fact("C", {"x:1"})}, When(EventQuery::Tagged("x:1"), seen)).has_value());
  EXPECT_EQ(clock_.Elapsed(), before);
}

TEST_F(BoundariesTest, AHostThatKnowsAnOldEndReadsOnAndThenDecides) {
  FaultyDatabase watched(home_->database());
  auto host = Open(watched);
  ASSERT_TRUE(host->Append({Fact("A", {"x:1"})}).has_value());
  const auto theirs = OtherHost()->Append({Fact("B", {"x:1"})});
  ASSERT_TRUE(theirs.has_value());
  // It believes that its own append is the end of the log.
  const auto appended =
      host->Append({Fact("C", {"x:1"})}, When(EventQuery::Tagged("x:1"), theirs->last()));
  ASSERT_TRUE(appended.has_value()) << appended.error().message;
  EXPECT_EQ(appended->events[0].position, 3U);
  EXPECT_GT(appended->last(), theirs->last());
  // One that cannot read decides nothing.
  watched.SetRates({.unavailable = 1.0});
  EXPECT_FALSE(host->Append({Fact("D", {"x:1"})}, When(EventQuery::Tagged("x:1"), appended->last()))
                   .has_value());
  watched.SetRates({});
  EXPECT_EQ(Read().size(), 3U);
}

TEST_F(BoundariesTest, OrdinaryAppendsMakeNoMoreRequestsThanTheyMust) {
  FaultyDatabase watched(home_->database());
  auto host = Open(watched, {.service_id = "large", .chunk_slots = 100});
  SortableId last = host->Append({Fact("A", {"x:1"})})->last();
  std::size_t before = watched.calls();
  last = host->Append({Fact("A", {"x:1"})})->last();
  EXPECT_EQ(watched.calls() - before, 1U) << "a slot";
  before = watched.calls();
  ASSERT_TRUE(
      host->Append({Fact("A", {"x:1"})}, When(EventQuery::Tagged("x:1"), last)).has_value());
  EXPECT_EQ(watched.calls() - before, 1U) << "a slot";
  before = watched.calls();
  EXPECT_FALSE(
      host->Append({Fact("A", {"x:1"})}, When(EventQuery::Tagged("x:1"), last)).has_value());
  EXPECT_EQ(watched.calls() - before, 0U) << "what it knows is enough to refuse";
}

TEST_F(BoundariesTest, TagsThatNoConditionNamesMoveToo) {
  const SortableId last =
      Append({Fact("A", {"x:1", "bystander:1"})}, When(EventQuery::Tagged("x:1"))).last();
  EXPECT_EQ((*store_->FindTag("bystander:1"))->last, last);
  EXPECT_EQ((*OtherHost()->FindTag("bystander:1"))->last, last);
  EXPECT_FALSE(Creates(*store_, "bystander:1"));
}

TEST_F(BoundariesTest, OfManyHostsThatCreateTheSameExactlyOneIsAccepted) {
  constexpr int kHosts = 6;
  std::atomic<int> accepted = 0;
  {
    std::vector<std::jthread> hosts;
    for (int host = 0; host < kHosts; ++host) {
      hosts.emplace_back([&] { accepted += Creates(*OtherHost(), "user:1") ? 1 : 0; });
    }
  }
  EXPECT_EQ(accepted, 1);
}

}  // namespace
}  // namespace stator::events

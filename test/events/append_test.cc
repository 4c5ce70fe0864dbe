// Appending: what comes back, what is stored, conditions of the DCB specification, repetition by
// append id, refusals before anything is sent.

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"
#include "stores/events/prepared_append.h"

namespace stator::events {
namespace {

class AppendTest : public EventsTest {
 protected:
  void ExpectConflict(const Result<Appended>& result, const AppendedEvent& with) {
    ASSERT_FALSE(result.has_value());
    ASSERT_EQ(result.error().code, ErrorCode::kConditionFailed) << result.error().message;
    const AppendConflict* conflict = FindConflict(result.error());
    ASSERT_NE(conflict, nullptr);
    EXPECT_EQ(conflict->event_id, with.id);
    EXPECT_EQ(conflict->sortable_id, with.sortable_id);
  }
};

TEST_F(AppendTest, GivesIdsThatReadBackTheSameEvent) {
  const Appended appended = Append({{.type = "CourseDefined",
                                     .payload = R"({"capacity":10})",
                                     .tags = {"course:c1", "term:t1", "course:c1"},
                                     .metadata = {"cause", "request", "ada"}}});
  ASSERT_EQ(appended.events.size(), 1U);
  const auto event = store_->ReadEvent(appended.events[0].id);
  ASSERT_TRUE(event.has_value()) << event.error().message;
  EXPECT_EQ(event->type, "CourseDefined");
  EXPECT_EQ(event->payload, R"({"capacity":10})");
  EXPECT_EQ(event->tags, (Texts{"course:c1", "term:t1"}));
  EXPECT_EQ(event->metadata, (EventMetadata{"cause", "request", "ada"}));
  EXPECT_EQ(event->sortable_id, appended.events[0].sortable_id);
  EXPECT_EQ(event->position, 1U);
  EXPECT_EQ(event->recorded_at.size(), 28U);
}

TEST_F(AppendTest, KeepsPayloadsThatAreNotText) {
  const std::string bytes("\x00\xFF\xC3", 3);
  const Appended appended = Append({Fact("Raw", {}, bytes), Fact("Empty", {}, "")});
  EXPECT_EQ(store_->ReadEvent(appended.events[0].id)->payload, bytes);
  EXPECT_EQ(store_->ReadEvent(appended.events[1].id)->payload, "");
}

TEST_F(AppendTest, NumbersEventsInOrder) {
  const Appended first = Append({Fact("A", {"x:1"}), Fact("B", {"x:1"}), Fact("A", {})});
  const Appended second = Append({Fact("A", {"x:2"})});
  EXPECT_EQ(first.events[0].position, 1U);
  EXPECT_EQ(first.events[2].position, 3U);
  EXPECT_EQ(second.events[0].position, 4U);
  EXPECT_LT(first.events[0].sortable_id, first.events[1].sortable_id);
  EXPECT_LT(first.last(), second.events[0].sortable_id);
}

TEST_F(AppendTest, OfNothingIsASuccess) {
  EXPECT_TRUE(Append({}).events.empty());
  EXPECT_TRUE(Read().empty());
}

TEST_F(AppendTest, UnknownIdsAreNotFound) {
  const auto event = store_->ReadEvent("01020304-0506-0708-090a-0b0c0d0e0f10");
  ASSERT_FALSE(event.has_value());
  EXPECT_EQ(event.error().code, ErrorCode::kResourceNotFound);
  EXPECT_EQ(event.error().message, "Event with ID 01020304-0506-0708-090a-0b0c0d0e0f10 not found");
}

TEST_F(AppendTest, ConditionOnATagFailsForAnyEarlierEventOfIt) {
  const EventQuery course = EventQuery::Tagged("course:c1");
  const Appended first = Append({Fact("A", {"course:c1"}), Fact("A", {"course:c1"})}, When(course));
  ExpectConflict(store_->Append({Fact("A", {"course:c1"})}, When(course)), first.events[0]);
  ExpectConflict(
      store_->Append({Fact("A", {"course:c1"})}, When(course, first.events[0].sortable_id)),
      first.events[1]);
  Append({Fact("A", {"course:c1"})}, When(course, first.last()));
  EXPECT_EQ(Read().size(), 3U);
}

TEST_F(AppendTest, ConditionIgnoresEventsUpToAfterEvenBeyondTheLastMatch) {
  Append({Fact("A", {"course:c1"})});
  const Appended other = Append({Fact("A", {"course:c2"})});
  Append({Fact("A", {"course:c1"})}, When(EventQuery::Tagged("course:c1"), other.last()));
  Append({Fact("A", {"course:c1"})}, When(EventQuery::Tagged("course:c1"), SortableId::Max()));
}

TEST_F(AppendTest, ConditionOnTypesAndTagsMatchesBoth) {
  const Appended a = Append({Fact("A", {"x:1", "y:1"})});
  Append({Fact("C", {"x:1"})}, When(EventQuery{{.types = {"B"}, .tags = {"x:1"}}}));
  Append({Fact("C", {"z:1"})}, When(EventQuery{{.types = {"A"}, .tags = {"x:1", "z:1"}}}));
  ExpectConflict(store_->Append({Fact("C", {"z:1"})},
                                When(EventQuery{{.types = {"B", "A"}, .tags = {"y:1", "x:1"}}})),
                 a.events[0]);
}

TEST_F(AppendTest, ConditionItemsAreAlternativesAndTheFirstMatchIsNamed) {
  Append({Fact("A", {"x:1"})});
  const Appended b = Append({Fact("B", {"y:1"})});
  Append({Fact("C", {"z:1"})});
  ExpectConflict(
      store_->Append({Fact("D", {})},
                     When(EventQuery{{.tags = {"z:1"}}, {.types = {"B"}}, {.types = {"Q"}}})),
      b.events[0]);
}

TEST_F(AppendTest, ConditionOnTypesAloneIsExact) {
  Append({Fact("InvoicePaid", {"invoice:1"})});
  const EventQuery created{{.types = {"InvoiceCreated"}}};
  const Appended first = Append({Fact("InvoiceCreated", {"invoice:2"})}, When(created));
  Append({Fact("InvoicePaid", {"invoice:2"})});
  ExpectConflict(store_->Append({Fact("InvoiceCreated", {"invoice:3"})}, When(created)),
                 first.events[0]);
  Append({Fact("InvoiceCreated", {"invoice:3"})}, When(created, first.last()));
  ExpectConflict(
      store_->Append({Fact("InvoiceCreated", {"invoice:4"})}, When(created, SortableId())),
      first.events[0]);
}

TEST_F(AppendTest, ConditionOnEverythingIsExact) {
  const Appended first = Append({Fact("A", {})}, When(EventQuery::All()));
  const Appended second = Append({Fact("B", {})}, When(EventQuery::All(), first.last()));
  ExpectConflict(store_->Append({Fact("C", {})}, When(EventQuery::All())), first.events[0]);
  ExpectConflict(store_->Append({Fact("C", {})}, When(EventQuery::All(), first.last())),
                 second.events[0]);
}

TEST_F(AppendTest, ConditionOnSomethingElseThanItsOwnTagsHoldsToo) {
  const EventQuery student{{.tags = {"student:s1"}}};
  Append({Fact("A", {"course:c1"})}, When(student));
  Append({Fact("B", {"student:s1"})});
  EXPECT_FALSE(store_->Append({Fact("A", {"course:c1"})}, When(student)).has_value());
}

TEST_F(AppendTest, RepetitionByItsIdGivesTheOriginalAnswer) {
  AppendOptions options = When(EventQuery::Tagged("x:1"));
  options.append_id = "request 1";
  const Appended first = Append({Fact("A", {"x:1"}), Fact("B", {"x:1"})}, options);
  EXPECT_FALSE(first.repeated);
  clock_.Advance(std::chrono::hours(24 * 365));
  auto other_process = Open(home_->database());
  const auto again = other_process->Append({Fact("A", {"x:1"}), Fact("B", {"x:1"})}, options);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->events, first.events);
  options.condition.reset();
  EXPECT_EQ(Append({Fact("A", {"x:1"}), Fact("B", {"x:1"})}, options).events, first.events);
  EXPECT_EQ(Read().size(), 2U);
}

TEST_F(AppendTest, RepetitionWithOtherEventsIsRefused) {
  Append({Fact("A", {"x:1"})}, {.append_id = "request 1"});
  const auto again = store_->Append({Fact("A", {"x:2"})}, {.append_id = "request 1"});
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::kIdempotentParameterMismatch);
  EXPECT_EQ(Read().size(), 1U);
}

// Counts what is sent.
class CountingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    ++writes;
    return ForwardingDatabase::PutItem(input);
  }
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override {
    ++writes;
    return ForwardingDatabase::BatchWriteItem(input);
  }
  int writes = 0;
};

TEST_F(AppendTest, WhatCannotBeStoredIsRefusedBeforeAnythingIsSent) {
  CountingDatabase database(home_->database());
  auto store = Open(database);
  database.writes = 0;
  std::vector<std::string> many_tags;
  for (std::size_t index = 0; index <= kTagsPerEventMax; ++index) {
    many_tags.push_back("t:" + std::to_string(index));
  }
  const std::vector<std::vector<NewEvent>> wrong = {
      {Fact("", {})},
      {Fact("A", {"bad\ntag"})},
      {Fact("A", {}, std::string(410'000, 'x'))},
      {Fact("A", {}), Fact("A", many_tags)},
      std::vector<NewEvent>(kEventsPerAppendMax + 1, Fact("A", {})),
  };
  for (const std::vector<NewEvent>& events : wrong) {
    const auto refused = store->Append(events);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kValidation);
  }
  EXPECT_FALSE(store->Append({Fact("A", {})}, {.append_id = std::string(257, 'i')}).has_value());
  EXPECT_EQ(database.writes, 0);
}

TEST_F(AppendTest, GivenIdsAreKeptAndAppendedOnce) {
  const auto with_id = [](std::string id) {
    NewEvent event = Fact("A", {"x:1"});
    event.id = std::move(id);
    return event;
  };
  const std::string one = "0b9f9c3e-0f5e-4c79-9d7c-6b6c5f7f0001";
  const std::string two = "0b9f9c3e-0f5e-4c79-9d7c-6b6c5f7f0002";
  const AppendOptions first_of_tag = When(EventQuery::Tagged("x:1"));
  const Appended first = Append({with_id(one), with_id(two)}, first_of_tag);
  EXPECT_EQ(first.events[0].id, one);
  EXPECT_EQ(store_->ReadEvent(two)->position, 2U);
  // In the tail, then in the index.
  for (int round = 0; round < 2; ++round) {
    auto other = Open(home_->database());
    for (EventStore* store : {store_.get(), other.get()}) {
      const auto again = store->Append({with_id(one), with_id(two)}, first_of_tag);
      ASSERT_TRUE(again.has_value()) << again.error().message;
      EXPECT_TRUE(again->repeated);
      EXPECT_EQ(again->events, first.events);
      for (const std::vector<NewEvent>& others :
           {std::vector{with_id(two)}, std::vector{with_id(two), with_id(one)},
            std::vector{with_id("0b9f9c3e-0f5e-4c79-9d7c-6b6c5f7f0003"), with_id(one)}}) {
        EXPECT_EQ(store->Append(others).error().code, ErrorCode::kIdempotentParameterMismatch);
      }
    }
    for (int number = 0; number < 4; ++number) {
      Append({Fact("B", {"y:1"})});
    }
  }
  EXPECT_EQ(Read({.query = EventQuery::Tagged("x:1")}).size(), 2U);
  const std::string ours = Append({Fact("B", {})}).events.front().id;
  for (const std::string& bad : {std::string("x"), ours, std::string(36, '0'),
                                 std::string("0B9F9C3E-0F5E-4C79-9D7C-6B6C5F7F0004")}) {
    EXPECT_EQ(store_->Append({with_id(bad)}).error().code, ErrorCode::kValidation) << bad;
  }
  const std::string three = "0b9f9c3e-0f5e-4c79-9d7c-6b6c5f7f0005";
  EXPECT_EQ(store_->Append({with_id(three), with_id(three)}).error().code, ErrorCode::kValidation);
}

TEST_F(AppendTest, TenantsDoNotSeeEachOther) {
  auto other = Open(home_->database(), {.service_id = "Other"});
  EXPECT_EQ(other->options().service_id, "other");
  const Appended mine = Append({Fact("A", {"x:1"})});
  ASSERT_TRUE(other->Append({Fact("A", {"x:1"})}, When(EventQuery::Tagged("x:1"))).has_value());
  EXPECT_EQ(ReadFrom(*other).size(), 1U);
  EXPECT_EQ(Read({.query = EventQuery::Tagged("x:1")}).size(), 1U);
  EXPECT_EQ(other->ReadEvent(mine.events[0].id).error().code, ErrorCode::kResourceNotFound);
  EXPECT_EQ(*other->CountEvents(), 1U);
  EXPECT_EQ(other->ListTags()->size(), 1U);
}

TEST_F(AppendTest, IdsAscendWhenTheClockStandsOrStepsBack) {
  SortableId last;
  for (int step = 0; step < 20; ++step) {
    for (const AppendedEvent& event : Append({Fact("A", {}), Fact("A", {})}).events) {
      EXPECT_GT(event.sortable_id, last);
      last = event.sortable_id;
    }
    if (step % 5 == 2) {
      clock_.Advance(-std::chrono::hours(1));
    }
  }
}

TEST_F(AppendTest, AWriterWhoseClockIsBehindAppendsBehindTheOthers) {
  const Appended first = Append({Fact("A", {"x:1"})});
  ManualClock late(clock_.Now() - std::chrono::hours(3));
  auto behind =
      EventStore::Open(home_->database(), Quiet({}), {.clock = &late, .random = &random_});
  const auto second = behind->Append({Fact("A", {"x:1"})});
  ASSERT_TRUE(second.has_value()) << second.error().message;
  EXPECT_GT(second->last(), first.last());
  const Appended third = Append({Fact("A", {"x:1"})});
  EXPECT_GT(third.last(), second->last());
}

}  // namespace
}  // namespace stator::events

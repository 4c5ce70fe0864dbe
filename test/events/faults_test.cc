// Appends on a bad network, and in a process that dies at any of its requests: nothing is half
// visible, nothing happens twice, and a repetition gives the original answer.

#include <algorithm>
#include <set>

#include "events/dying_database.h"
#include "events/events_test.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using support::Fault;

class FaultsTest : public EventsTest {
 protected:
  // Lets a process die at every request of an append, and looks at what is left.
  void DieAtEveryRequest(const std::vector<NewEvent>& events, bool conditional) {
    int requests = 0;
    for (bool finished = false; !finished && requests < 200;) {
      ++requests;
      for (const bool done : {false, true}) {
        const std::string service = "s" + std::to_string(requests) + (done ? "-done" : "-lost");
        SCOPED_TRACE(service);
        finished = Die(service, requests, done, events, conditional);
        ASSERT_FALSE(HasFailure());
      }
    }
    EXPECT_LT(requests, 200);
  }

  bool Die(const std::string& service, int request, bool done, const std::vector<NewEvent>& events,
           bool conditional) {
    auto healthy = Open(home_->database(), OptionsOf(service));
    EXPECT_TRUE(healthy->Append({Fact("Before", {"x:1"})}).has_value());
    AppendOptions options{.append_id = "request"};
    if (conditional) {
      options.condition = AppendCondition{EventQuery{{.types = {"A"}, .tags = {"x:1"}}}};
    }
    // Opening makes requests of its own, so the store is opened before it gets to know its fate.
    DyingDatabase dying(home_->database(), done);
    auto store = Open(dying, OptionsOf(service));
    dying.DieAt(request);
    const auto appended = store->Append(events, options);
    if (chunk_slots_ == 1) {
      // Dying behind the answer, while the index is written, does not take it back.
      EXPECT_TRUE(appended.has_value() || dying.died());
    } else {
      EXPECT_EQ(appended.has_value(), !dying.died());
    }

    const std::size_t visible = ReadFrom(*healthy).size();
    EXPECT_TRUE(visible == 1 || visible == events.size() + 1) << visible;
    EXPECT_EQ(ReadFrom(*healthy, {.query = EventQuery::Tagged("x:1")}).size(), visible);
    EXPECT_EQ(*healthy->CountEvents(), visible);
    EXPECT_EQ(healthy->FindTag("x:1").value()->events, visible);

    const auto again = healthy->Append(events, options);
    EXPECT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(again->repeated, visible > 1);
    if (appended) {
      EXPECT_EQ(again->events, appended->events);
    }
    EXPECT_EQ(ReadFrom(*healthy).size(), events.size() + 1);
    return !dying.died();
  }

  [[nodiscard]] EventStoreOptions OptionsOf(const std::string& service) const {
    return {.service_id = service, .chunk_slots = chunk_slots_};
  }

  int chunk_slots_ = 100;
};

TEST_F(FaultsTest, AProcessMayDieAtEveryRequestOfAnAppend) {
  DieAtEveryRequest({Fact("A", {"x:1", "y:1"}), Fact("B", {"x:1"})}, /*conditional=*/false);
}

TEST_F(FaultsTest, AProcessMayDieAtEveryRequestOfAConditionalAppend) {
  DieAtEveryRequest({Fact("A", {"x:1", "y:1"}), Fact("B", {"x:1"})}, /*conditional=*/true);
}

TEST_F(FaultsTest, AProcessMayDieAtEveryRequestOfAnAppendAndOfTheIndexBehindIt) {
  chunk_slots_ = 1;
  DieAtEveryRequest({Fact("A", {"x:1", "y:1"}), Fact("B", {"x:1"})}, /*conditional=*/true);
}

TEST_F(FaultsTest, AProcessMayDieAtEveryRequestOfALargeAppend) {
  // More than a slot holds.
  std::vector<NewEvent> events;
  for (int index = 0; index < 8; ++index) {
    events.push_back(Fact("A", {"x:1"}, std::string(60'000, 'x')));
  }
  DieAtEveryRequest(events, /*conditional=*/true);
}

TEST_F(FaultsTest, ALostAnswerIsResolved) {
  for (const Fault fault : {Fault::kLostBefore, Fault::kLostAfter, Fault::kLate}) {
    const std::string service = "lost-" + std::to_string(static_cast<int>(fault));
    support::FaultyDatabase database(home_->database());
    auto store = Open(database, {.service_id = service});
    ASSERT_TRUE(store->Append({Fact("A", {"x:1"})}).has_value());
    database.Script("PutItem", {fault});
    const auto appended =
        store->Append({Fact("B", {"x:1"})}, When(EventQuery{{.types = {"B"}, .tags = {"x:1"}}}));
    ASSERT_TRUE(appended.has_value()) << appended.error().message;
    database.ApplyLate();
    const std::vector<Event> events = ReadFrom(*store);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].id, appended->events[0].id);
    EXPECT_EQ(events[1].sortable_id, appended->events[0].sortable_id);
    EXPECT_EQ(events[1].position, 2U);
  }
}

TEST_F(FaultsTest, AnAnswerThatNeverComesIsAmbiguous) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database);
  database.Script("PutItem", std::vector<Fault>(1000, Fault::kLostBefore));
  const auto appended = store->Append({Fact("A", {"x:1"})});
  ASSERT_FALSE(appended.has_value());
  EXPECT_EQ(appended.error().code, ErrorCode::kAmbiguous) << appended.error().message;
}

TEST_F(FaultsTest, ThrottlingIsRetried) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database);
  database.Script("PutItem",
                  {Fault::kUnavailable, Fault::kThrottled, Fault::kThrottled, Fault::kUnavailable});
  const auto appended = store->Append({Fact("A", {"x:1"})}, When(EventQuery::Tagged("x:1")));
  ASSERT_TRUE(appended.has_value()) << appended.error().message;
  EXPECT_EQ(ReadFrom(*store).size(), 1U);
}

TEST_F(FaultsTest, ABadNetworkNeitherLosesNorRepeatsNorReorders) {
  support::FaultyDatabase database(home_->database(),
                                   {.lost_before = 0.05,
                                    .lost_after = 0.05,
                                    .late = 0.05,
                                    .throttled = 0.05,
                                    .conflict = 0.05,
                                    .unprocessed = 0.2},
                                   /*seed=*/11);
  Result<EventStore> store = EventStore::Open(database, Quiet({.service_id = "bad"}), environment_);
  for (int attempt = 0; attempt < 100 && !store; ++attempt) {
    store = EventStore::Open(database, Quiet({.service_id = "bad"}), environment_);
  }
  ASSERT_TRUE(store) << store.error().message;
  std::set<std::string> accepted;
  SortableId last;
  for (int number = 0; number < 60; ++number) {
    const std::string name = std::to_string(number);
    std::vector<NewEvent> events(number % 20 == 19 ? 60 : 1, Fact("A", {"x:1"}, name));
    Result<Appended> appended = Fail(ErrorCode::kAmbiguous, "");
    for (int attempt = 0; attempt < 50 && !appended; ++attempt) {
      appended = store->Append(events, {.append_id = "append " + name});
    }
    ASSERT_TRUE(appended.has_value()) << appended.error().message;
    EXPECT_GT(appended->events[0].sortable_id, last);
    last = appended->last();
  }
  database.SetRates({});
  database.ApplyLate();
  const std::vector<Event> events = ReadFrom(*store);
  EXPECT_EQ(events.size(), 57U + 3 * 60U);
  EXPECT_EQ(ReadFrom(*store, {.query = EventQuery::Tagged("x:1")}), events);
  EXPECT_EQ(*store->CountEvents(), events.size());
}

}  // namespace
}  // namespace stator::events

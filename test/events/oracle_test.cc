// Many writers, each with a store and a clock of its own, as many processes have them. Every append
// records its condition; replaying the log shows whether the store told the truth.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "events/events_test.h"

namespace stator::events {
namespace {

struct Accepted {
  AppendCondition condition;
  AppendedEvent event;
};

struct Rejected {
  AppendCondition condition;
  std::string event_id;  // the match that was named
};

class OracleTest : public EventsTest {
 protected:
  static constexpr int kWriters = 8;

  // Conditions on what the appended events are about, so that both move the same heads.
  struct Plan {
    NewEvent event;
    EventQuery query;
  };
  static Plan MakePlan(Random& random, bool broad) {
    const std::string tag = "t:" + std::to_string(random.Below(3));
    const std::string other = "u:" + std::to_string(random.Below(3));
    const std::string type = random.Below(2) == 0 ? "A" : "B";
    Plan plan{.event = Fact(type, {tag, other}), .query = {}};
    switch (random.Below(broad ? 6 : 3)) {
      case 0:
        plan.query = EventQuery{{.tags = {tag}}};
        break;
      case 1:
        plan.query = EventQuery{{.types = {type}, .tags = {tag}}};
        break;
      case 2:
        plan.query = EventQuery{{.tags = {tag, other}}};
        break;
      case 3:
        plan.query = EventQuery{{.types = {"A"}, .tags = {tag}}, {.types = {"B"}, .tags = {other}}};
        break;
      case 4:
        plan.query = EventQuery{{.types = {type}}};
        break;
      default:
        plan.query = EventQuery::All();
    }
    return plan;
  }

  void Write(int writer, const EventStoreOptions& options, bool broad, int appends) {
    // Clocks that differ by seconds.
    ManualClock clock(clock_.Now() + std::chrono::seconds(writer * 3 - 10));
    SeededRandom random(static_cast<std::uint64_t>(writer) + 100);
    auto store =
        EventStore::Open(home_->database(), Quiet(options), {.clock = &clock, .random = &random});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    for (int number = 0; number < appends; ++number) {
      Plan plan = MakePlan(random, broad);
      const auto seen = store->ReadList({.query = plan.query, .limit = 1, .backwards = true});
      if (!seen) {
        continue;  // the index may lag behind while others write
      }
      std::optional<SortableId> after;
      if (!seen->empty()) {
        after = seen->front().sortable_id;
      }
      AppendOptions append = When(plan.query, after);
      const auto appended = store->Append({plan.event}, append);
      const std::scoped_lock lock(mutex_);
      if (appended) {
        accepted_.push_back({*append.condition, appended->events[0]});
        continue;
      }
      const AppendConflict* conflict = FindConflict(appended.error());
      ASSERT_NE(conflict, nullptr) << appended.error().message;
      rejected_.push_back({*append.condition, conflict->event_id});
    }
  }

  void Run(const EventStoreOptions& options, bool broad) {
    const int appends = std::getenv("STATOR_TEST_FULL") != nullptr ? 200 : 15;
    {
      std::vector<std::jthread> writers;
      for (int writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([&, writer] { Write(writer, options, broad, appends); });
      }
    }
    auto store = Open(home_->database(), options);
    log_ = ReadFrom(*store);
    ASSERT_EQ(log_.size(), accepted_.size());
    EXPECT_FALSE(accepted_.empty());
  }

  static bool IsBehind(const Event& event, const std::optional<SortableId>& after) {
    return !after || event.sortable_id > *after;
  }

  void CheckAccepted() const {
    for (const Accepted& accepted : accepted_) {
      for (const Event& event : log_) {
        if (event.sortable_id < accepted.event.sortable_id) {
          EXPECT_FALSE(accepted.condition.fail_if_match.Matches(event) &&
                       IsBehind(event, accepted.condition.after))
              << event.sortable_id.ToText() << " was not seen by "
              << accepted.event.sortable_id.ToText();
        }
      }
    }
  }

  void CheckRejected() const {
    for (const Rejected& rejected : rejected_) {
      const auto match = std::find_if(log_.begin(), log_.end(), [&](const Event& event) {
        return event.id == rejected.event_id;
      });
      ASSERT_NE(match, log_.end());
      EXPECT_TRUE(rejected.condition.fail_if_match.Matches(*match));
      EXPECT_TRUE(IsBehind(*match, rejected.condition.after));
    }
  }

  std::mutex mutex_;
  std::vector<Accepted> accepted_;  // protected by mutex_
  std::vector<Rejected> rejected_;  // protected by mutex_
  std::vector<Event> log_;
};

TEST_F(OracleTest, EveryAcceptedAppendSawEveryEarlierMatch) {
  Run({.service_id = "oracle"}, /*broad=*/true);
  CheckAccepted();
  CheckRejected();
  for (std::size_t index = 0; index < log_.size(); ++index) {
    ASSERT_EQ(log_[index].position, index + 1);
  }
}

TEST_F(OracleTest, WhatIsKnownOfTagsAgreesWithTheirEvents) {
  Run({.service_id = "oracle"}, /*broad=*/true);
  auto store = Open(home_->database(), {.service_id = "oracle"});
  const auto tags = store->ListTags();
  ASSERT_TRUE(tags.has_value()) << tags.error().message;
  for (const TagInfo& tag : *tags) {
    const std::vector<Event> events = ReadFrom(*store, {.query = EventQuery::Tagged(tag.tag)});
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(tag.events, events.size());
    EXPECT_EQ(tag.first, events.front().sortable_id);
    EXPECT_EQ(tag.last, events.back().sortable_id);
    EXPECT_EQ(tag.last_event_id, events.back().id);
  }
}

TEST_F(OracleTest, OfManyFirstAppendsOneIsAccepted) {
  for (int round = 0; round < 10; ++round) {
    const std::string tag = "user:" + std::to_string(round);
    std::atomic<int> winners = 0;
    {
      std::vector<std::jthread> writers;
      for (int writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([&] {
          auto store = EventStore::Open(home_->database(), Quiet({}), environment_);
          winners += store->Append({Fact("Created", {tag})}, When(EventQuery::Tagged(tag))) ? 1 : 0;
        });
      }
    }
    EXPECT_EQ(winners, 1);
  }
}

TEST_F(OracleTest, ACourseNeverTakesMoreThanItsCapacity) {
  constexpr int kCapacity = 5;
  const EventStoreOptions options{.service_id = "school"};
  std::atomic<int> subscribed = 0;
  {
    std::vector<std::jthread> students;
    for (int student = 0; student < kWriters; ++student) {
      students.emplace_back([&, student] {
        auto store = EventStore::Open(home_->database(), Quiet(options), environment_);
        const EventQuery course = EventQuery::Tagged("course:c1");
        for (int attempt = 0; attempt < 100; ++attempt) {
          const auto events = store->ReadList({.query = course});
          ASSERT_TRUE(events.has_value()) << events.error().message;
          if (events->size() >= kCapacity) {
            return;
          }
          std::optional<SortableId> after;
          if (!events->empty()) {
            after = events->back().sortable_id;
          }
          if (store->Append(
                  {Fact("Subscribed", {"course:c1", "student:s" + std::to_string(student)})},
                  When(course, after))) {
            ++subscribed;
            return;
          }
        }
      });
    }
  }
  EXPECT_EQ(subscribed, kCapacity);
  auto store = Open(home_->database(), options);
  EXPECT_EQ(ReadFrom(*store).size(), static_cast<std::size_t>(kCapacity));
}

}  // namespace
}  // namespace stator::events

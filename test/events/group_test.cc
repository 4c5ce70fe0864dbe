// Appends that arrive while another is under way are committed together. The first one is held up
// inside of its transaction until all others wait, so that it is certain who goes with whom.

#include <mutex>
#include <set>
#include <thread>

#include "events/events_test.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_store_core.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using support::Fault;
using support::FaultyDatabase;

class GroupTest : public EventsTest {
 protected:
  static constexpr std::size_t kWriters = 8;

  void SetUp() override {
    EventsTest::SetUp();
    faulty_ = std::make_unique<FaultyDatabase>(home_->database());
    host_ = Open(*faulty_, {.chunk_slots = 100});
  }

  // All appends at once, behind one that is on its way; the answers in the order of the appends.
  std::vector<Result<Appended>> AppendTogether(
      const std::vector<std::pair<NewEvent, AppendOptions>>& appends) {
    std::vector<Result<Appended>> answers(appends.size());
    std::vector<std::jthread> writers;
    puts_ = faulty_->calls("PutItem") + 1;
    faulty_->BeforeNext("PutItem", [&] {
      for (std::size_t index = 0; index < appends.size(); ++index) {
        writers.emplace_back([&, index] {
          answers[index] = host_->Append({appends[index].first}, appends[index].second);
        });
      }
      while (EventStoreCoreOf(*host_).log.CountWaiting() < appends.size()) {
        std::this_thread::yield();
      }
    });
    EXPECT_TRUE(host_->Append({Fact("First", {"first:1"})}).has_value());
    writers.clear();
    puts_ = faulty_->calls("PutItem") - puts_;
    return answers;
  }

  // Each on a tag of its own, which must have no event.
  static std::vector<std::pair<NewEvent, AppendOptions>> Creations() {
    std::vector<std::pair<NewEvent, AppendOptions>> appends;
    for (std::size_t index = 0; index < kWriters; ++index) {
      const std::string tag = "user:" + std::to_string(index);
      appends.emplace_back(Fact("Created", {tag, "all:1"}, std::to_string(index)),
                           When(EventQuery::Tagged(tag)));
    }
    return appends;
  }

  void ExpectWhole(std::size_t events) {
    const auto report = VerifyEvents(*store_);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_TRUE(report->clean()) << report->problems.front();
    EXPECT_EQ(report->events, events);
  }

  std::unique_ptr<FaultyDatabase> faulty_;
  std::unique_ptr<EventStore> host_;
  std::size_t puts_ = 0;  // of those that came together
};

TEST_F(GroupTest, ThoseThatArriveTogetherShareASlot) {
  const auto answers = AppendTogether(Creations());
  EXPECT_LE(puts_, 2U) << "one of whoever came first, one of all others";
  std::set<std::uint64_t> positions;
  for (std::size_t index = 0; index < answers.size(); ++index) {
    ASSERT_TRUE(answers[index].has_value()) << answers[index].error().message;
    const Event event = *store_->ReadEvent(answers[index]->events[0].id);
    EXPECT_EQ(event.payload, std::to_string(index));
    EXPECT_EQ(event.position, answers[index]->events[0].position);
    EXPECT_EQ(event.sortable_id, answers[index]->last());
    positions.insert(event.position);
  }
  EXPECT_EQ(positions.size(), kWriters);
  EXPECT_EQ(*positions.rbegin(), kWriters + 1);
  EXPECT_EQ((*store_->FindTag("all:1"))->events, kWriters);
  ExpectWhole(kWriters + 1);
}

TEST_F(GroupTest, OfThoseThatExcludeEachOtherOneIsAccepted) {
  std::vector<std::pair<NewEvent, AppendOptions>> appends;
  for (std::size_t index = 0; index < kWriters; ++index) {
    appends.emplace_back(Fact("Created", {"user:1"}), When(EventQuery::Tagged("user:1")));
  }
  std::size_t accepted = 0;
  for (const auto& answer : AppendTogether(appends)) {
    accepted += answer ? 1 : 0;
    EXPECT_TRUE(answer || FindConflict(answer.error()) != nullptr);
  }
  EXPECT_EQ(accepted, 1U);
  ExpectWhole(2);
}

TEST_F(GroupTest, AConditionThatFailsIsTheFailureOfOne) {
  Append({Fact("Created", {"user:3"})});
  const auto answers = AppendTogether(Creations());
  for (std::size_t index = 0; index < answers.size(); ++index) {
    EXPECT_EQ(answers[index].has_value(), index != 3) << index;
  }
  EXPECT_NE(FindConflict(answers[3].error()), nullptr);
  // The host learns of the other's event by losing its race for a slot: what was on its way behind
  // is void, may take the next slot nevertheless, and all others go together.
  EXPECT_LE(puts_, 3U);
  ExpectWhole(kWriters + 1);
}

TEST_F(GroupTest, ALostAnswerIsFoundOutByEach) {
  for (const Fault fault : {Fault::kLostAfter, Fault::kLostBefore}) {
    faulty_->Script("PutItem", {Fault::kNone, fault});
    auto appends = Creations();
    for (auto& [event, options] : appends) {
      event.tags[0] += fault == Fault::kLostAfter ? "-a" : "-b";
      options = When(EventQuery::Tagged(event.tags[0]));
    }
    for (const auto& answer : AppendTogether(appends)) {
      ASSERT_TRUE(answer.has_value()) << answer.error().message;
      EXPECT_EQ(answer->events[0].position, store_->ReadEvent(answer->events[0].id)->position);
    }
  }
  ExpectWhole(2 * (kWriters + 1));
}

TEST_F(GroupTest, AnotherHostThatIsFasterCostsASecondAttempt) {
  auto appends = Creations();
  faulty_->Script("PutItem", {});
  std::vector<Result<Appended>> answers;
  // Behind the action that starts the others: before the transaction of the group.
  const auto other = [this] { Append({Fact("Other", {"other:1"})}); };
  std::vector<std::jthread> writers;
  answers.resize(appends.size());
  faulty_->BeforeNext("PutItem", [&] {
    for (std::size_t index = 0; index < appends.size(); ++index) {
      writers.emplace_back([&, index] {
        answers[index] = host_->Append({appends[index].first}, appends[index].second);
      });
    }
    while (EventStoreCoreOf(*host_).log.CountWaiting() < appends.size()) {
      std::this_thread::yield();
    }
  });
  faulty_->BeforeNext("PutItem", other);
  const std::size_t before = faulty_->calls("PutItem");
  EXPECT_TRUE(host_->Append({Fact("First", {"first:1"})}).has_value());
  writers.clear();
  // The first, the next, both void, and then those again in at most as many.
  EXPECT_GE(faulty_->calls("PutItem") - before, 3U);
  EXPECT_LE(faulty_->calls("PutItem") - before, 6U);
  for (const auto& answer : answers) {
    EXPECT_TRUE(answer.has_value());
  }
  ExpectWhole(kWriters + 2);
}

TEST_F(GroupTest, TheSameAppendIdHappensOnce) {
  std::vector<std::pair<NewEvent, AppendOptions>> appends;
  for (std::size_t index = 0; index < kWriters; ++index) {
    appends.emplace_back(Fact("A", {"x:1"}), AppendOptions{.append_id = "once"});
  }
  std::set<std::string> ids;
  for (const auto& answer : AppendTogether(appends)) {
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    ids.insert(answer->events[0].id);
  }
  EXPECT_EQ(ids.size(), 1U);
  ExpectWhole(2);
}

}  // namespace
}  // namespace stator::events

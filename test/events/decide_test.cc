// Decide: reads, decides, appends, and begins again when somebody was faster.

#include "stator/stores/events/decide.h"

#include <atomic>
#include <thread>

#include "events/events_test.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

class DecideTest : public EventsTest {
 protected:
  const EventQuery course_ = EventQuery::Tagged("course:c1");
  const EventQuery student_ = EventQuery::Tagged("student:s1");
};

TEST_F(DecideTest, SeesWhatEachQueryMatchesAndAppendsWhatIsDecided) {
  std::vector<std::size_t> sizes;
  const auto decide = [&](const Seen& seen) -> Decision {
    EXPECT_EQ(seen.size(), 2U);
    sizes = {seen[0].size(), seen[1].size()};
    return std::vector<NewEvent>{Fact("A", {"course:c1"}), Fact("B", {"course:c1", "student:s1"})};
  };
  // Of an empty store, too.
  const auto first = Decide(*store_, {course_, student_}, decide);
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_EQ(sizes, (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(first->events.size(), 2U);
  ASSERT_TRUE(Decide(*store_, {course_, student_}, decide).has_value());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(Read().size(), 4U);
}

TEST_F(DecideTest, NothingToAppendIsASuccessAndARefusalIsTheAnswer) {
  const auto nothing =
      Decide(*store_, {course_}, [](const Seen&) { return Decision(std::vector<NewEvent>()); });
  ASSERT_TRUE(nothing.has_value()) << nothing.error().message;
  EXPECT_TRUE(nothing->events.empty());
  const auto refused = Decide(*store_, {course_}, [](const Seen&) -> Decision {
    return Fail(ErrorCode::kRefused, "the course is full");
  });
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_EQ(refused.error().message, "the course is full");
  EXPECT_TRUE(Read().empty());
}

TEST_F(DecideTest, WhoeverWasFasterIsSeenInTheNextRound) {
  Append({Fact("A", {"course:c1"}, "1")});
  Append({Fact("A", {"student:s1"}, "2")});
  std::vector<Texts> rounds;
  const auto decided = Decide(*store_, {course_, student_}, [&](const Seen& seen) -> Decision {
    Texts texts = PayloadsOf(seen[0]);
    for (const Event& event : seen[1]) {
      texts.push_back(event.payload);
    }
    rounds.push_back(texts);
    if (rounds.size() == 1) {
      Append({Fact("A", {"course:c1"}, "faster")});
    }
    return std::vector<NewEvent>{Fact("B", {"course:c1", "student:s1"}, "mine")};
  });
  ASSERT_TRUE(decided.has_value()) << decided.error().message;
  EXPECT_EQ(rounds, (std::vector<Texts>{{"1", "2"}, {"1", "faster", "2"}}));
  EXPECT_EQ(PayloadsOf(Read()), (Texts{"1", "2", "faster", "mine"}));
}

TEST_F(DecideTest, EventsThatMatchNothingThatWasReadDisturbNobody) {
  int rounds = 0;
  const auto decided = Decide(*store_, {course_}, [&](const Seen&) -> Decision {
    ++rounds;
    Append({Fact("A", {"course:other"})});
    return std::vector<NewEvent>{Fact("B", {"course:c1"})};
  });
  EXPECT_TRUE(decided.has_value());
  EXPECT_EQ(rounds, 1);
}

TEST_F(DecideTest, EndsWhenOthersAreAlwaysFaster) {
  int rounds = 0;
  const auto decided = Decide(*store_, {course_}, [&](const Seen& seen) -> Decision {
    EXPECT_EQ(seen[0].size(), static_cast<std::size_t>(rounds));
    ++rounds;
    Append({Fact("A", {"course:c1"})});
    return std::vector<NewEvent>{Fact("B", {"course:c1"})};
  });
  ASSERT_FALSE(decided.has_value());
  EXPECT_EQ(decided.error().code, ErrorCode::kTransactionConflict);
  EXPECT_GT(rounds, 2);
  EXPECT_EQ(Read({.query = EventQuery{{.types = {"B"}}}}).size(), 0U);
}

TEST_F(DecideTest, ConditionsOfTheCallersOwnAreAskedOnce) {
  Append({Fact("A", {"student:s1"})});
  int rounds = 0;
  const auto decided = Decide(*store_, {course_},
                              [&](const Seen&) -> Decision {
                                ++rounds;
                                return std::vector<NewEvent>{Fact("B", {"course:c1"})};
                              },
                              {.more_conditions = {{.fail_if_match = student_}}});
  ASSERT_FALSE(decided.has_value());
  EXPECT_NE(FindConflict(decided.error()), nullptr);
  EXPECT_EQ(rounds, 1);
}

TEST_F(DecideTest, FailuresAreTheAnswer) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database, {.retry = {.budget = {}}});
  ASSERT_TRUE(store->Append({Fact("A", {"course:c1"})}).has_value());
  const auto decide = [](const Seen&) -> Decision {
    return std::vector<NewEvent>{Fact("B", {"course:c1"})};
  };
  database.SetRates({.unavailable = 1.0});
  EXPECT_EQ(Decide(*store, {course_}, decide).error().code, ErrorCode::kUnavailable);
  database.SetRates({});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(Decide(*store, {course_}, decide, {.stop = stop.get_token()}).has_value());
  EXPECT_EQ(Read().size(), 1U);
}

TEST_F(DecideTest, OfManyAtOnceNoMoreAreAcceptedThanTheRuleAllows) {
  constexpr int kStudents = 8;
  constexpr std::size_t kCapacity = 3;
  for (const char* service : {"one", "two"}) {
    const EventStoreOptions options{.service_id = service};
    std::atomic<int> accepted = 0;
    {
      std::vector<std::jthread> students;
      for (int student = 0; student < kStudents; ++student) {
        students.emplace_back([&, student] {
          auto store = EventStore::Open(home_->database(), Quiet(options), environment_);
          const std::string tag = "student:" + std::to_string(student);
          accepted += Decide(*store, {course_, EventQuery::Tagged(tag)},
                             [&](const Seen& seen) -> Decision {
                               if (seen[0].size() >= kCapacity) {
                                 return Fail(ErrorCode::kRefused, "full");
                               }
                               return std::vector<NewEvent>{Fact("S", {"course:c1", tag})};
                             })
                          ? 1
                          : 0;
        });
      }
    }
    EXPECT_EQ(accepted, static_cast<int>(kCapacity));
    auto store = Open(home_->database(), options);
    EXPECT_EQ(ReadFrom(*store).size(), kCapacity);
  }
}

}  // namespace
}  // namespace stator::events

// Events as structs: their types, payloads and versions, models, decisions on them, projections.

#include <set>

#include "events/events_test.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/projection_runner.h"
#include "stator/stores/events/typed_events.h"
#include "stator/stores/events/typed_projection.h"

namespace stator::events {

struct CourseDefined {
  std::string course;
  int capacity = 0;
  std::optional<std::string> title = {};

  [[nodiscard]] std::vector<std::string> Tags() const { return {"course:" + course}; }
  friend bool operator==(const CourseDefined&, const CourseDefined&) = default;
};
BOOST_DESCRIBE_STRUCT(CourseDefined, (), (course, capacity, title))

struct Subscribed {
  std::string course;
  std::string student;

  [[nodiscard]] std::vector<std::string> Tags() const {
    return {"course:" + course, "student:" + student};
  }
  friend bool operator==(const Subscribed&, const Subscribed&) = default;
};
BOOST_DESCRIBE_STRUCT(Subscribed, (), (course, student))

// The same course, three versions later.
struct CourseDefined3 {
  std::string id;
  int seats = 0;

  [[nodiscard]] std::vector<std::string> Tags() const { return {"course:" + id}; }
};
BOOST_DESCRIBE_STRUCT(CourseDefined3, (), (id, seats))

struct Photographed {
  std::set<std::string> faces;

  [[nodiscard]] std::vector<std::string> Tags() const { return {}; }
};
BOOST_DESCRIBE_STRUCT(Photographed, (), (faces))

struct Course {
  int capacity = 0;
  int taken = 0;

  void Apply(const CourseDefined& fact) { capacity = fact.capacity; }
  void Apply(const Subscribed&) { ++taken; }
};
BOOST_DESCRIBE_STRUCT(Course, (), (capacity, taken))

struct Student {
  int courses = 0;

  Result<void> Apply(const Subscribed& fact) {
    if (fact.course == "broken") {
      return Fail(ErrorCode::kValidation, "this course breaks students");
    }
    ++courses;
    return {};
  }
};

struct Seats {
  int seats = 0;
  void Apply(const CourseDefined3& fact) { seats += fact.seats; }
};

}  // namespace stator::events

template <>
struct stator::Mapping<stator::events::CourseDefined3> {
  static constexpr std::string_view kName = "CourseDefined";
  static constexpr int kDataVersion = 3;
};

namespace stator::events {
namespace {

using Types = EventTypes<CourseDefined, Subscribed>;
using Newer = EventTypes<CourseDefined3>;

class TypedTest : public EventsTest {
 protected:
  void AppendFacts(const std::vector<Types::Fact>& facts) {
    for (const Types::Fact& fact : facts) {
      const Result<NewEvent> event = types_.Make(fact);
      ASSERT_TRUE(event.has_value()) << event.error().message;
      Append({*event});
    }
  }

  // As a subscription of one course by one student goes.
  Result<Appended> Subscribe(const std::string& course, const std::string& student) {
    return Decide(*store_, types_,
                  std::tuple(Ask<Course>("course:" + course), Ask<Student>("student:" + student)),
                  [&](const Course& now, const Student& who) -> Types::Decision {
                    ++rounds_;
                    if (now.taken >= now.capacity || who.courses >= 2) {
                      return Fail(ErrorCode::kRefused, "no");
                    }
                    return std::vector<Types::Fact>{Subscribed{course, student}};
                  });
  }

  static Newer MakeNewer() {
    return Newer()
        .Upcast<CourseDefined3>(1, [](Item& old) { old.Set("id", old.at("course")); })
        .Upcast<CourseDefined3>(2, [](Item& old) -> Result<void> {
          old.Set("seats", old.at("capacity"));
          return {};
        });
  }

  Types types_;
  int rounds_ = 0;
};

TEST_F(TypedTest, AStructIsItsTypeItsTagsAndPlainJson) {
  AppendFacts({CourseDefined{.course = "c1", .capacity = 7}, Subscribed{"c1", "s1"}});
  const std::vector<Event> events = Read();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].type, "CourseDefined");
  EXPECT_EQ(events[0].payload, R"({"capacity":7,"course":"c1"})");
  EXPECT_EQ(events[1].tags, (Texts{"course:c1", "student:s1"}));
  EXPECT_EQ(types_.Read(events[0]).value(),
            Types::Fact(CourseDefined{.course = "c1", .capacity = 7}));
  EXPECT_EQ(types_.Read(events[1]).value(), Types::Fact(Subscribed{"c1", "s1"}));
}

TEST_F(TypedTest, OtherTypesAreNothingAndBadPayloadsAreErrorsThatNameTheEvent) {
  Append({Fact("Other", {}, "not even JSON"), Fact("Subscribed", {}, "not JSON"),
          Fact("Subscribed", {}, R"(["a list"])"), Fact("Subscribed", {}, R"({"course":"c1"})"),
          Fact("Subscribed", {}, R"({"course":"c","student":"s","_version":"x"})"),
          Fact("Subscribed", {}, R"({"course":"c","student":"s","_version":0})")});
  const std::vector<Event> events = Read();
  EXPECT_EQ(types_.Read(events[0]).value(), std::nullopt);
  for (std::size_t index = 1; index < events.size(); ++index) {
    const auto fact = types_.Read(events[index]);
    ASSERT_FALSE(fact.has_value()) << index;
    EXPECT_TRUE(fact.error().message.contains(events[index].id)) << fact.error().message;
  }
}

TEST_F(TypedTest, WhatJsonCannotHoldIsRefusedBeforeItIsAppended) {
  const auto event = EventTypes<Photographed>().Make(Photographed{{"ada"}});
  ASSERT_FALSE(event.has_value());
  EXPECT_EQ(event.error().code, ErrorCode::kValidation);
  EXPECT_TRUE(event.error().message.contains("Photographed.faces")) << event.error().message;
}

TEST_F(TypedTest, OlderVersionsAreBroughtUpStepByStep) {
  AppendFacts({CourseDefined{.course = "c1", .capacity = 7}});
  Append({Fact("CourseDefined", {"course:c2"}, R"({"id":"c2","capacity":5,"_version":2})")});
  const Newer newer = MakeNewer();
  Append({newer.Make(CourseDefined3{"c3", 3}).value()});
  EXPECT_EQ(Read().back().payload, R"({"_version":3,"id":"c3","seats":3})");
  const auto seats = ReadModel(*store_, newer, Ask<Seats>());
  ASSERT_TRUE(seats.has_value()) << seats.error().message;
  EXPECT_EQ(seats->seats, 15);
  // The events are what they were.
  EXPECT_EQ(Read().front().payload, R"({"capacity":7,"course":"c1"})");
}

TEST_F(TypedTest, ANewerVersionAndAMissingStepAreErrors) {
  AppendFacts({CourseDefined{.course = "c1", .capacity = 7}});
  const auto missing = ReadModel(*store_, Newer(), Ask<Seats>());
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kMissingMigration);
  Append({MakeNewer().Make(CourseDefined3{"c3", 3}).value()});
  const auto future = types_.Read(Read().back());
  ASSERT_FALSE(future.has_value());
  EXPECT_EQ(future.error().code, ErrorCode::kFutureVersion);
}

TEST_F(TypedTest, AFormerNameIsFoundAndRead) {
  Append({Fact("CourseCreated", {"course:c1"}, R"({"course":"c1","capacity":1})")});
  EXPECT_EQ(Subscribe("c1", "s1").error().code, ErrorCode::kRefused);
  types_.Formerly<CourseDefined>("CourseCreated");
  EXPECT_TRUE(Subscribe("c1", "s1").has_value());
  EXPECT_EQ(Subscribe("c1", "s2").error().code, ErrorCode::kRefused);
}

TEST_F(TypedTest, DecidesOnModelsAndAgainWhenTheyChanged) {
  AppendFacts({CourseDefined{.course = "c1", .capacity = 2}});
  bool interfere = true;
  const auto decided = Decide(*store_, types_, std::tuple(Ask<Course>("course:c1")),
                              [&](const Course& course) -> Types::Decision {
                                ++rounds_;
                                if (std::exchange(interfere, false)) {
                                  AppendFacts({Subscribed{"c1", "faster"}});
                                }
                                EXPECT_EQ(course.taken, rounds_ - 1);
                                return std::vector<Types::Fact>{Subscribed{"c1", "s1"}};
                              });
  ASSERT_TRUE(decided.has_value()) << decided.error().message;
  EXPECT_EQ(rounds_, 2);
  EXPECT_EQ(Subscribe("c1", "s2").error().code, ErrorCode::kRefused);
  EXPECT_EQ(Read().size(), 3U);
}

TEST_F(TypedTest, AModelIsNotDisturbedByWhatItDoesNotApply) {
  AppendFacts({CourseDefined{.course = "c1", .capacity = 2}});
  const auto decided = Decide(*store_, types_, std::tuple(Ask<Student>("course:c1")),
                              [&](const Student&) -> Types::Decision {
                                ++rounds_;
                                AppendFacts({CourseDefined{.course = "c1", .capacity = 1}});
                                return std::vector<Types::Fact>{Subscribed{"c1", "s1"}};
                              });
  EXPECT_TRUE(decided.has_value());
  EXPECT_EQ(rounds_, 1);
}

TEST_F(TypedTest, AModelThatCannotApplyAndADecisionThatSaysNoAreTheAnswer) {
  AppendFacts({CourseDefined{.course = "broken", .capacity = 2}, Subscribed{"broken", "s1"}});
  const auto broken = Subscribe("c1", "s1");
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().message, "this course breaks students");
  EXPECT_EQ(rounds_, 0);
  EXPECT_EQ(Subscribe("nowhere", "s2").error().code, ErrorCode::kRefused);
}

TEST_F(TypedTest, AModelCanBeReadAsOfAnEvent) {
  AppendFacts({CourseDefined{.course = "c1", .capacity = 3}, Subscribed{"c1", "s1"},
               Subscribed{"c1", "s2"}});
  const SortableId then = Read()[1].sortable_id;
  EXPECT_EQ(ReadModel(*store_, types_, Ask<Course>("course:c1"), then)->taken, 1);
  EXPECT_EQ(ReadModel(*store_, types_, Ask<Course>("course:c1"))->taken, 2);
}

TEST_F(TypedTest, AModelIsAProjectionThatIsSavedAndLoaded) {
  AppendFacts({CourseDefined{.course = "c1", .capacity = 3}, Subscribed{"c1", "s1"}});
  CheckpointStore checkpoints(*store_);
  const Projector projector = MakeProjector<Course>("course", "1", types_, Ask<Course>());
  for (const int taken : {1, 2}) {
    const auto runner = ProjectionRunner::Open(*store_, checkpoints, projector);
    ASSERT_TRUE(runner.has_value()) << runner.error().message;
    ASSERT_TRUE((*runner)->CatchUp().has_value());
    ASSERT_TRUE((*runner)->Save().has_value());
    ASSERT_TRUE((*runner)
                    ->Read([&](const Projection& state, bool) {
                      EXPECT_EQ(ModelOf<Course>(state).taken, taken);
                      EXPECT_EQ(ModelOf<Course>(state).capacity, 3);
                    })
                    .has_value());
    EXPECT_EQ(checkpoints.Find("course", "1").value()->state,
              R"({"capacity":3,"taken":)" + std::to_string(taken) + "}");
    AppendFacts({Subscribed{"c1", "s2"}});
  }
}

}  // namespace
}  // namespace stator::events

// The course subscriptions of dcb.events, examples/courses: its scenarios, and its rules when many
// subscribe at the same time.

#include "courses.h"

#include <map>
#include <thread>

#include "events/events_test.h"

namespace stator::events {
namespace {

using courses::Courses;

class CoursesTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    courses_ = std::make_unique<Courses>(*store_);
  }

  static void ExpectRefusal(const Result<void>& result, const std::string& why) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message, why);
  }

  std::unique_ptr<Courses> courses_;
};

TEST_F(CoursesTest, ACourseIsDefinedOnce) {
  EXPECT_TRUE(courses_->Define("c1", 10).has_value());
  ExpectRefusal(courses_->Define("c1", 15), "Course c1 already exists");
  EXPECT_TRUE(courses_->Define("c2", 15).has_value());
}

TEST_F(CoursesTest, TheCapacityOfAnExistingCourseChanges) {
  ExpectRefusal(courses_->ChangeCapacity("c0", 15), "Course c0 does not exist");
  ASSERT_TRUE(courses_->Define("c1", 12).has_value());
  ExpectRefusal(courses_->ChangeCapacity("c1", 12), "Course c1 has this capacity already");
  EXPECT_TRUE(courses_->ChangeCapacity("c1", 15).has_value());
  ExpectRefusal(courses_->ChangeCapacity("c1", 15), "Course c1 has this capacity already");
}

TEST_F(CoursesTest, AStudentSubscribesToACourseThatExistsOnce) {
  ExpectRefusal(courses_->Subscribe("s1", "c0"), "Course c0 does not exist");
  ASSERT_TRUE(courses_->Define("c1", 10).has_value());
  EXPECT_TRUE(courses_->Subscribe("s1", "c1").has_value());
  ExpectRefusal(courses_->Subscribe("s1", "c1"), "Student s1 attends course c1 already");
}

TEST_F(CoursesTest, AFullCourseTakesNobody) {
  ASSERT_TRUE(courses_->Define("c1", 3).has_value());
  for (const char* student : {"s1", "s2", "s3"}) {
    EXPECT_TRUE(courses_->Subscribe(student, "c1").has_value());
  }
  ExpectRefusal(courses_->Subscribe("s4", "c1"), "Course c1 is fully booked");
  ASSERT_TRUE(courses_->ChangeCapacity("c1", 4).has_value());
  EXPECT_TRUE(courses_->Subscribe("s4", "c1").has_value());
}

TEST_F(CoursesTest, AStudentAttendsFiveCoursesAtMost) {
  for (int number = 1; number <= 6; ++number) {
    ASSERT_TRUE(courses_->Define("c" + std::to_string(number), 10).has_value());
  }
  for (int number = 1; number <= 5; ++number) {
    EXPECT_TRUE(courses_->Subscribe("s1", "c" + std::to_string(number)).has_value());
  }
  ExpectRefusal(courses_->Subscribe("s1", "c6"), "Student s1 attends 5 courses already");
  EXPECT_TRUE(courses_->Subscribe("s2", "c6").has_value());
}

TEST_F(CoursesTest, BothRulesHoldWhenManySubscribeAtOnce) {
  constexpr int kCourses = 8;
  constexpr int kCapacity = 2;
  const EventStoreOptions options{.service_id = "school"};
  {
    auto store = Open(home_->database(), options);
    for (int number = 0; number < kCourses; ++number) {
      ASSERT_TRUE(Courses(*store).Define("c" + std::to_string(number), kCapacity).has_value());
    }
  }
  {
    // Two hosts serve each student.
    std::vector<std::jthread> hosts;
    for (int host = 0; host < 8; ++host) {
      hosts.emplace_back([&, host] {
        auto store = EventStore::Open(home_->database(), Quiet(options), environment_);
        ASSERT_TRUE(store.has_value()) << store.error().message;
        for (int number = 0; number < kCourses; ++number) {
          static_cast<void>(Courses(*store).Subscribe(
              "s" + std::to_string(host % 4), "c" + std::to_string((number + host) % kCourses)));
        }
      });
    }
  }
  auto store = Open(home_->database(), options);
  std::map<std::string, int> by_tag;
  const EventQuery subscriptions{{.types = {"StudentSubscribedToCourse"}}};
  for (const Event& event : ReadFrom(*store, {.query = subscriptions})) {
    for (const std::string& tag : event.tags) {
      ++by_tag[tag];
    }
  }
  int full_courses = 0;
  for (const auto& [tag, count] : by_tag) {
    const bool is_course = tag.starts_with("course:");
    EXPECT_LE(count, is_course ? kCapacity : 5) << tag;
    full_courses += is_course && count == kCapacity ? 1 : 0;
  }
  // Four students want twenty seats, there are sixteen: hardly one stays empty.
  EXPECT_GE(full_courses, 4);
}

}  // namespace
}  // namespace stator::events

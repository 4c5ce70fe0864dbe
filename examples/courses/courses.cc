#include "courses.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "stator/stores/events/decide.h"

namespace courses {
namespace {

using stator::ErrorCode;
using stator::Fail;
using stator::Result;
using stator::events::Decision;
using stator::events::Event;
using stator::events::EventQuery;
using stator::events::EventStore;
using stator::events::NewEvent;
using stator::events::Seen;

constexpr const char* kDefined = "CourseDefined";
constexpr const char* kCapacityChanged = "CourseCapacityChanged";
constexpr const char* kSubscribed = "StudentSubscribedToCourse";
constexpr std::size_t kCoursesPerStudentMax = 5;

std::string CourseTag(const std::string& course) {
  return "course:" + course;
}
std::string StudentTag(const std::string& student) {
  return "student:" + student;
}

std::unexpected<stator::Error> Refuse(std::string why) {
  return Fail(ErrorCode::kConditionFailed, std::move(why));
}

bool Has(const Event& event, const char* type, const std::string& tag) {
  return event.type == type &&
         std::find(event.tags.begin(), event.tags.end(), tag) != event.tags.end();
}

// The capacity as of the last event that sets it; nothing for a course that is not defined.
std::optional<int> CapacityOf(const std::string& course, const std::vector<Event>& events) {
  std::optional<int> capacity;
  for (const Event& event : events) {
    if (Has(event, kDefined, CourseTag(course)) ||
        Has(event, kCapacityChanged, CourseTag(course))) {
      int number = 0;
      std::from_chars(event.payload.data(), event.payload.data() + event.payload.size(), number);
      capacity = number;
    }
  }
  return capacity;
}

std::size_t CountSubscriptions(const std::string& tag, const std::vector<Event>& events) {
  return static_cast<std::size_t>(
      std::count_if(events.begin(), events.end(),
                    [&](const Event& event) { return Has(event, kSubscribed, tag); }));
}

// One event, if the rules allow it. Each query is about one tag and gets a condition of its own, so
// that this also works in a store without a global head.
Result<void> DecideOne(EventStore& store, const std::vector<EventQuery>& queries,
                       const std::function<Result<NewEvent>(const std::vector<Event>&)>& decide) {
  const auto appended = stator::events::Decide(store, queries, [&](const Seen& seen) -> Decision {
    std::vector<Event> all;
    for (const std::vector<Event>& events : seen) {
      all.insert(all.end(), events.begin(), events.end());
    }
    Result<NewEvent> event = decide(all);
    if (!event) {
      return std::unexpected(std::move(event).error());
    }
    return std::vector<NewEvent>{*std::move(event)};
  });
  return appended ? Result<void>() : std::unexpected(appended.error());
}

}  // namespace

Result<void> Courses::Define(const std::string& course, int capacity) {
  const EventQuery query{{.types = {kDefined}, .tags = {CourseTag(course)}}};
  return DecideOne(*store_, {query}, [&](const std::vector<Event>& events) -> Result<NewEvent> {
    if (!events.empty()) {
      return Refuse("Course " + course + " already exists");
    }
    return NewEvent{
        .type = kDefined, .payload = std::to_string(capacity), .tags = {CourseTag(course)}};
  });
}

Result<void> Courses::ChangeCapacity(const std::string& course, int capacity) {
  const EventQuery query{{.types = {kDefined, kCapacityChanged}, .tags = {CourseTag(course)}}};
  return DecideOne(*store_, {query}, [&](const std::vector<Event>& events) -> Result<NewEvent> {
    const std::optional<int> current = CapacityOf(course, events);
    if (!current) {
      return Refuse("Course " + course + " does not exist");
    }
    if (*current == capacity) {
      return Refuse("Course " + course + " has this capacity already");
    }
    return NewEvent{
        .type = kCapacityChanged, .payload = std::to_string(capacity), .tags = {CourseTag(course)}};
  });
}

Result<void> Courses::Subscribe(const std::string& student, const std::string& course) {
  const EventQuery of_course{
      {.types = {kDefined, kCapacityChanged, kSubscribed}, .tags = {CourseTag(course)}}};
  const EventQuery of_student{{.types = {kSubscribed}, .tags = {StudentTag(student)}}};
  return DecideOne(
      *store_, {of_course, of_student}, [&](const std::vector<Event>& events) -> Result<NewEvent> {
        const std::optional<int> capacity = CapacityOf(course, events);
        if (!capacity) {
          return Refuse("Course " + course + " does not exist");
        }
        const bool subscribed = std::any_of(events.begin(), events.end(), [&](const Event& event) {
          return Has(event, kSubscribed, CourseTag(course)) &&
                 Has(event, kSubscribed, StudentTag(student));
        });
        if (subscribed) {
          return Refuse("Student " + student + " attends course " + course + " already");
        }
        if (CountSubscriptions(CourseTag(course), events) >= static_cast<std::size_t>(*capacity)) {
          return Refuse("Course " + course + " is fully booked");
        }
        if (CountSubscriptions(StudentTag(student), events) >= kCoursesPerStudentMax) {
          return Refuse("Student " + student + " attends 5 courses already");
        }
        return NewEvent{.type = kSubscribed, .tags = {CourseTag(course), StudentTag(student)}};
      });
}

}  // namespace courses

// Course subscriptions, the example of dcb.events: a course has a capacity, a student attends at
// most five courses, and both rules hold at the same time although neither a course nor a student
// "owns" a subscription.
//
//   Courses courses(store);
//   courses.Define("c1", 10);
//   courses.Subscribe("s1", "c1");
//
// Each command reads the events that its rules are about, decides, and appends under the condition
// that none of these events has been joined by another. When one has, it reads and decides again.

#pragma once

#include <string>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace courses {

class Courses {
 public:
  // The store must outlive this object.
  explicit Courses(stator::events::EventStore& store) : store_(&store) {}

  // All fail with kConditionFailed and say why when a rule is in the way.
  stator::Result<void> Define(const std::string& course, int capacity);
  stator::Result<void> ChangeCapacity(const std::string& course, int capacity);
  stator::Result<void> Subscribe(const std::string& student, const std::string& course);

 private:
  stator::events::EventStore* store_;
};

}  // namespace courses

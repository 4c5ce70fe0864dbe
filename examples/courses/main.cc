// courses [LOCATION]: defines a course for two and lets three students try, in a database at
// LOCATION (memory: by default; a directory, http://HOST or aws:REGION work as well).

#include <cstdio>
#include <string>

#include "courses.h"
#include "stator/home/open.h"

namespace {

void Report(const std::string& what, const stator::Result<void>& result) {
  std::printf("%s: %s\n", what.c_str(), result ? "done" : result.error().message.c_str());
}

}  // namespace

int main(int count, char** values) {
  const std::string location = count > 1 ? values[1] : "memory:";
  const auto database = stator::Open(location);
  if (!database) {
    std::fprintf(stderr, "courses: %s\n", database.error().message.c_str());
    return 1;
  }
  auto store = stator::events::EventStore::Open(**database, {.service_id = "courses"});
  if (!store) {
    std::fprintf(stderr, "courses: %s\n", store.error().message.c_str());
    return 1;
  }
  courses::Courses courses(*store);
  Report("define c1 for two", courses.Define("c1", 2));
  Report("define c1 again", courses.Define("c1", 3));
  for (const std::string student : {"ada", "bob", "eve"}) {
    Report("subscribe " + student, courses.Subscribe(student, "c1"));
  }
  Report("make room for one more", courses.ChangeCapacity("c1", 3));
  Report("subscribe eve", courses.Subscribe("eve", "c1"));
  return 0;
}

// What every StorageBackend has to keep, as cases that need no test framework: run them on your own
// backend from whichever one you use.
//
//   for (const ConformanceCase& test : BackendConformanceCases()) {
//     MyBackend backend = …;                                 // any content; owners are made up
//     if (auto failure = test.run(backend, random)) { std::puts(failure->c_str()); }
//   }

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/random.h"
#include "stator/stores/tasks/storage_backend.h"

namespace stator::tasks {

struct ConformanceCase {
  std::string name;  // a sentence in CamelCase
  // Nothing when the backend conforms, else what it did. Takes its owners from `random`, so one
  // backend can serve all cases.
  std::function<std::optional<std::string>(StorageBackend& backend, Random& random)> run;
};

const std::vector<ConformanceCase>& BackendConformanceCases();

}  // namespace stator::tasks

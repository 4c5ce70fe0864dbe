// How much of many changes of items is written together. Tests make it little, so that few items take
// several steps.

#pragma once

#include <cstddef>

namespace stator::engine {

struct StepLimits {
  std::size_t items;
  std::size_t bytes;  // of what they were and of what they are; the last one may be beyond
};

struct GoingBackLimits {
  // What fits is one batch. More becomes a job, or is written behind a mark.
  StepLimits at_once{.items = 10'000, .bytes = std::size_t{16} << 20};
  StepLimits per_step{.items = 500, .bytes = std::size_t{1} << 20};
};

// Of jobs that go over all items of a table.
struct WalkLimits {
  std::size_t items = 200;                          // that are changed together
  std::size_t removed_rows = 2000;                  // that are removed together
  std::size_t copied_bytes = std::size_t{1} << 20;  // of a restore or an import
};

}  // namespace stator::engine

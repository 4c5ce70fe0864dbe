// How much of many changes of items is written together.

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

}  // namespace stator::engine

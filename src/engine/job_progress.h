// Tells people how far a long job over the items of a table is: when it begins, or goes on after a
// restart, and then every few seconds.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine_core.h"

namespace stator::engine {

class JobProgress {
 public:
  // `state` is what the table is meanwhile: "being restored".
  explicit JobProgress(std::string_view state) : state_(state) {}

  void Tell(const EngineCore& core, const Table& table, std::int64_t items) {
    constexpr std::chrono::seconds kInterval{10};
    const Duration now = core.clock.Elapsed();
    if (told_ && now < *told_ + kInterval) {
      return;
    }
    told_ = now;
    core.Say("table " + table.name + " is " + std::string(state_) + ": " + std::to_string(items) +
             " items so far");
  }

 private:
  std::string_view state_;
  std::optional<Duration> told_;
};

}  // namespace stator::engine

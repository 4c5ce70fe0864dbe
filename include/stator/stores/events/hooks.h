// What a store tells those who operate it: sentences for a log, figures for metrics.
//
//   EventHooks hooks;
//   hooks.log = [](std::string_view text) { std::fprintf(stderr, "%.*s\n", ...); };
//   hooks.on_append = [](const AppendMeasure& append) { latency.Observe(append.took); };
//
// THREADS: they are called by whatever thread does the work, several at once, which waits for them, and
// others for it. They must not use the store.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::events {

// An Append or ClaimKey, whatever came of it.
struct AppendMeasure {
  std::uint64_t events = 0;
  std::optional<ErrorCode> error = std::nullopt;  // kConditionFailed: its condition did not hold
  bool repeated = false;                          // it had happened before
  Duration took = {};
};

enum class SlotOutcome : std::uint8_t {
  kStored,
  kLost,     // another process was faster; decided again
  kFailed,   // not stored
  kUnknown,  // may be stored or not; settled before anything else is appended
};

// One write of the log, with all appends that share it.
struct SlotMeasure {
  std::uint64_t slot = 0;
  std::uint64_t appends = 0;
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
  SlotOutcome outcome = SlotOutcome::kStored;
  Duration took = {};
};

// A chunk of the index that this process has written.
struct IndexMeasure {
  std::uint64_t chunk = 0;
  std::uint64_t events = 0;
  std::uint64_t rows = 0;
  Duration took = {};
};

struct EventHooks {
  // What went wrong and will be tried again without anybody being told otherwise.
  std::function<void(std::string_view text)> log = {};
  std::function<void(const AppendMeasure&)> on_append = {};
  std::function<void(const SlotMeasure&)> on_slot = {};
  std::function<void(const IndexMeasure&)> on_index = {};
};

}  // namespace stator::events

// How far a copy has come, and the text in which it is kept between two runs.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::copy {

struct SegmentState {
  std::optional<Item> behind = std::nullopt;  // everything up to this key is copied
  bool is_done = false;
  std::uint64_t items = 0;
};

struct CopyState {
  // What is copied to where; a state is of use for the same copy only.
  std::string subject;
  // Changes since then have to be followed: the items were read later.
  TimePoint begun = {};
  std::vector<SegmentState> segments;

  [[nodiscard]] bool is_done() const;
  [[nodiscard]] std::uint64_t items() const;
};

std::string ToJson(const CopyState& state);
// Fails with kValidation for a text that is none of ToJson.
Result<CopyState> ParseCopyState(std::string_view text);

}  // namespace stator::copy

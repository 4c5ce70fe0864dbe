// An event that waits for somebody to look, because nobody could work on it: of a subscription, or of
// a projection.

#pragma once

#include <cstdint>
#include <string>

namespace stator::events {

struct ParkedEvent {
  std::uint64_t position = 0;
  std::string event_id;
  int attempts = 0;
  std::string reason;
  std::string parked_at = {};  // ISO 8601

  friend bool operator==(const ParkedEvent&, const ParkedEvent&) = default;
};

}  // namespace stator::events

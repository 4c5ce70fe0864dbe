// What clients carry for the server and bring back, unread: the state of an unfinished call, a
// position in a list. It is sealed, so that what comes back is what was given out.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/stores/tasks/json.h"

namespace stator::mcp {

class Sealer {
 public:
  // The first key seals, all open. REQUIRES: at least one.
  explicit Sealer(std::vector<std::string> keys) : keys_(std::move(keys)) {}

  [[nodiscard]] std::string Seal(const tasks::Json& content) const;
  // Nothing when none of the keys sealed it.
  [[nodiscard]] std::optional<tasks::Json> Open(std::string_view sealed) const;

 private:
  const std::vector<std::string> keys_;
};

}  // namespace stator::mcp

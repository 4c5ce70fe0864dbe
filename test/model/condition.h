// For tests: conditions of the model. Up to two comparisons, joined and negated; it knows its text
// and what it means.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/values.h"

namespace stator::model {

struct Comparison {
  enum class Kind : std::uint8_t {
    kExists,
    kMissing,
    kEqual,
    kUnequal,
    kLess,
    kAtLeast,
    kBeginsWith,  // of text
    kContains,    // of sets and text
  };

  Kind kind = Kind::kExists;
  std::string attribute;
  Value value;
  bool negated = false;

  [[nodiscard]] bool Holds(const Attributes* item) const;
};

struct Condition {
  std::vector<Comparison> comparisons;  // none: always holds
  bool any = false;                     // joined by OR instead of AND

  [[nodiscard]] bool empty() const { return comparisons.empty(); }
  // `item` is null when there is none.
  [[nodiscard]] bool Holds(const Attributes* item) const;
};

// The text, and the values that it needs under placeholders that begin with `prefix`.
std::string TextOf(const Condition& condition, const std::string& prefix, Map& values);

}  // namespace stator::model

// When an item ceases to be. DynamoDB removes expired items some time later, perhaps days, and
// returns them until then, so every reader has to check: LiveItems and BatchReader do, others use
// IsExpired or NotExpired.
//
//   item["expires_at"] = Expiry::After(clock, 24h).ToValue();
//   if (IsExpired(item, "expires_at", clock.Now())) { return NotFound(); }
//
// Time to live is counted in seconds. A value in milliseconds lies in the year 50,000, and nobody
// notices until the bill comes; a value of 0, or any five years old, is never swept at all. Expiry
// cannot hold either.

#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

// A moment in whole seconds, after 1970 and before the year 5138. Any count of milliseconds since
// spring 1973 lies beyond, so the two cannot be confused.
class Expiry {
 public:
  // Takes whole seconds only: milliseconds do not convert, they have to be floored by the caller.
  static Result<Expiry> At(std::chrono::sys_seconds moment);
  // A number from outside. Fails with kValidation for what is not a plausible count of seconds.
  static Result<Expiry> FromSeconds(std::int64_t seconds);

  // The first whole second that is at least `span` from now.
  static Expiry After(const Clock& clock, Duration span);
  // Expired already: what a logical delete writes.
  static Expiry Now(const Clock& clock);

  // What the item says; nothing when it says nothing, or not in the way that DynamoDB understands.
  static std::optional<Expiry> Of(const Item& item, std::string_view attribute);

  [[nodiscard]] std::int64_t seconds() const { return seconds_; }
  [[nodiscard]] TimePoint moment() const { return TimePoint(std::chrono::seconds(seconds_)); }
  [[nodiscard]] AttributeValue ToValue() const { return seconds_; }

  friend auto operator<=>(const Expiry&, const Expiry&) = default;

 private:
  explicit Expiry(std::int64_t seconds) : seconds_(seconds) {}

  std::int64_t seconds_;
};

// Expired from the very second on that the item names (the sweeper begins one second later), and
// for every earlier one, 0 included. An attribute that is missing or no number never expires.
bool IsExpired(const Item& item, std::string_view attribute, TimePoint now);
// Never, when the layout names no expiry attribute.
bool IsExpired(const Item& item, const TableLayout& layout, TimePoint now);

// The same, decided by the database: for filters and for conditions.
Condition Expired(const Attribute& attribute, TimePoint now);
Condition NotExpired(const Attribute& attribute, TimePoint now);
// Always, when the layout names no expiry attribute.
Condition NotExpired(const TableLayout& layout, TimePoint now);

// There is no such item, or one that has expired and only waits to be swept.
Condition Absent(const TableLayout& layout, TimePoint now);
// There is one, and it lives.
Condition Present(const TableLayout& layout, TimePoint now);

// Ends the life of an item now, for all readers that check; the database removes it in its own
// time. Writes the current second, never 0. Whether there was such an item, alive; none is made.
// REQUIRES: the layout has an expiry attribute.
Result<bool> ExpireNow(Database& database, const TableLayout& layout, const Item& key,
                       const Environment& environment = {});

}  // namespace stator::patterns

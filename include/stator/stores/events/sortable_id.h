// SortableId: when and in which order events happened, as 30 decimal digits whose byte order is
// their order.
//
//   SortableId::Parse("063902822400000000000437125638")->Time();
//
// FORMAT (on disk): 19 digits of ticks, 11 digits that tell ids of one tick apart. A tick is 100 ns
// since 0001-01-01T00:00:00Z. The ids that are made here have a second part below 2^31, as those of
// the system whose tables these are.

#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::events {

class SortableId {
 public:
  static constexpr std::size_t kTextBytes = 30;
  static constexpr std::uint64_t kTicksMax = 9'999'999'999'999'999'999U;
  static constexpr std::uint64_t kPartMax = 99'999'999'999U;

  // 30 zeros, which no event has: before everything.
  constexpr SortableId() = default;

  // Nothing sorts behind it.
  static constexpr SortableId Max() { return {kTicksMax, kPartMax}; }

  // Exactly 30 digits; fails with kValidation otherwise.
  static Result<SortableId> Parse(std::string_view text);

  // REQUIRES: not beyond kTicksMax and kPartMax.
  static constexpr SortableId FromParts(std::uint64_t ticks, std::uint64_t part) {
    return {ticks, part};
  }

  // The id of a moment and a UUID (36 characters); fails with kValidation for another text.
  static Result<SortableId> FromUuid(TimePoint time, std::string_view uuid);

  // The second part of the ids of a UUID.
  static std::uint64_t PartOf(const std::array<std::uint8_t, 16>& uuid);

  // The first id of a moment. Everything below it is older than the moment.
  static SortableId At(TimePoint time);

  [[nodiscard]] std::string ToText() const;
  [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
  [[nodiscard]] std::uint64_t part() const { return part_; }
  // Down to the microsecond.
  [[nodiscard]] TimePoint Time() const;

  friend constexpr auto operator<=>(const SortableId&, const SortableId&) = default;

 private:
  constexpr SortableId(std::uint64_t ticks, std::uint64_t part) : ticks_(ticks), part_(part) {}

  std::uint64_t ticks_ = 0;
  std::uint64_t part_ = 0;
};

// The ticks of a moment.
std::uint64_t TicksAt(TimePoint time);

}  // namespace stator::events

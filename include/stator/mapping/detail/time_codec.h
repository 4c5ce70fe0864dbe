// Times and durations of <chrono>. A time is a number, counted in the unit of its type unless the
// options say otherwise, or ISO 8601 text; a date is text. A duration is a number in its own unit.
//
// Text is written in UTC with as many digits behind the second as the type has, so that it sorts as
// the times do. Reading takes any offset, and fewer or more digits if nothing is lost. Years go
// from 0000 to 9999.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ratio>

#include "stator/mapping/detail/codec.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/value/attribute_value.h"

namespace stator::mapping {

// What the functions below need to know of a time's type: how many of its units are a second, or,
// if they are days, 0.
using UnitsPerSecond = std::int64_t;
inline constexpr UnitsPerSecond kDays = 0;

constexpr bool IsPowerOfTen(std::int64_t number) {
  while (number % 10 == 0) {
    number /= 10;
  }
  return number == 1;
}

// The type written: N or S.
constexpr Type TypeOfTime(UnitsPerSecond units, TimeFormat format) {
  return format == TimeFormat::kIso || (format == TimeFormat::kUnit && units == kDays)
             ? Type::kString
             : Type::kNumber;
}
bool EncodeTime(std::int64_t count, UnitsPerSecond units, TimeFormat format, AttributeValue& out,
                Problem& problem);
bool DecodeTime(const AttributeValue& from, UnitsPerSecond units, TimeFormat format,
                std::int64_t& count, Problem& problem);
Map SchemaOfTime(UnitsPerSecond units, TimeFormat format);

template <class Duration>
struct Codec<std::chrono::time_point<std::chrono::system_clock, Duration>> {
  using Time = std::chrono::time_point<std::chrono::system_clock, Duration>;
  using Period = typename Duration::period;
  static constexpr bool kIsDate = std::ratio_equal_v<Period, std::chrono::days::period>;
  static_assert(kIsDate || (Period::num == 1 && IsPowerOfTen(Period::den)),
                "stator: a stored time counts days, or seconds, or decimal parts of them");
  static_assert(std::is_integral_v<typename Duration::rep>,
                "stator: a stored time counts whole units");
  static constexpr UnitsPerSecond kUnits = kIsDate ? kDays : Period::den;

  static constexpr CodecTraits kTraits = {.is_scalar = true, .is_time = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& options) {
    return TypeOfTime(kUnits, options.time);
  }

  static Encoded Encode(const Time& value, const FieldOptions& options, AttributeValue& out,
                        Problem& problem) {
    return EncodedIf(
        EncodeTime(value.time_since_epoch().count(), kUnits, options.time, out, problem));
  }
  static bool Decode(const AttributeValue& from, const FieldOptions& options, Time& out,
                     Problem& problem) {
    std::int64_t count = 0;
    if (!DecodeTime(from, kUnits, options.time, count, problem)) {
      return false;
    }
    if (!std::in_range<typename Duration::rep>(count)) {
      return problem.WrongType("a time that fits", from);
    }
    out = Time(Duration(static_cast<typename Duration::rep>(count)));
    return true;
  }
  static Map Schema(const FieldOptions& options, Schemas& /*schemas*/) {
    return SchemaOfTime(kUnits, options.time);
  }
};

template <class Rep, class Period>
struct Codec<std::chrono::duration<Rep, Period>> {
  using Duration = std::chrono::duration<Rep, Period>;
  static_assert(std::is_integral_v<Rep>, "stator: a stored duration counts whole units");

  static constexpr CodecTraits kTraits = {.is_scalar = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kNumber;
  }

  static Encoded Encode(const Duration& value, const FieldOptions& options, AttributeValue& out,
                        Problem& problem) {
    return Codec<Rep>::Encode(value.count(), options, out, problem);
  }
  static bool Decode(const AttributeValue& from, const FieldOptions& options, Duration& out,
                     Problem& problem) {
    Rep count = 0;
    if (!Codec<Rep>::Decode(from, options, count, problem)) {
      return false;
    }
    out = Duration(count);
    return true;
  }
  static Map Schema(const FieldOptions& options, Schemas& schemas) {
    return Codec<Rep>::Schema(options, schemas);
  }
};

}  // namespace stator::mapping

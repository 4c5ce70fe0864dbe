// Reading and writing the fields of rows that are stored as items: a missing field is absent, one
// of the wrong type is corruption. Of keyspace/ alone: who else needs a field asks a codec for it.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/try.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::keyspace {

inline std::unexpected<Error> DamagedField(std::string_view name) {
  return Fail(ErrorCode::kCorruption,
              "a row lacks the field " + std::string(name) + " or has it in another form");
}

// The field as T (std::string, bool, Map, List, Number), or corruption.
template <class T>
Result<T> Field(const Map& row, std::string_view name) {
  const AttributeValue* value = row.Find(name);
  if (value == nullptr || !value->Is<T>()) {
    return DamagedField(name);
  }
  return *value->If<T>();
}

template <class T>
Result<std::optional<T>> OptionalField(const Map& row, std::string_view name) {
  if (!row.contains(name)) {
    return std::nullopt;
  }
  return TRY(Field<T>(row, name));
}

inline Result<std::int64_t> IntegerField(const Map& row, std::string_view name) {
  const Number number = TRY(Field<Number>(row, name));
  const Result<std::int64_t> integer = number.ToInt64();
  if (!integer) {
    return DamagedField(name);
  }
  return *integer;
}

inline Result<std::optional<std::int64_t>> OptionalIntegerField(const Map& row,
                                                                std::string_view name) {
  if (!row.contains(name)) {
    return std::nullopt;
  }
  return TRY(IntegerField(row, name));
}

// An id, as tables, indexes and streams have them: from 1 on.
inline Result<std::uint32_t> IdField(const Map& row, std::string_view name) {
  const std::int64_t number = TRY(IntegerField(row, name));
  if (number < 1 || number > std::numeric_limits<std::uint32_t>::max()) {
    return DamagedField(name);
  }
  return static_cast<std::uint32_t>(number);
}

// A count or a number that only rises.
inline Result<std::uint64_t> UnsignedField(const Map& row, std::string_view name) {
  const std::int64_t number = TRY(IntegerField(row, name));
  if (number < 0) {
    return DamagedField(name);
  }
  return static_cast<std::uint64_t>(number);
}

// Enumerations are stored as their numbers, which therefore cannot change.
template <class Enum>
Result<Enum> EnumField(const Map& row, std::string_view name, Enum last) {
  const std::int64_t number = TRY(IntegerField(row, name));
  if (number < 0 || number > static_cast<std::int64_t>(last)) {
    return DamagedField(name);
  }
  return static_cast<Enum>(number);
}

template <class Enum>
AttributeValue EnumValue(Enum value) {
  return static_cast<std::int64_t>(value);
}

inline AttributeValue TimeValue(TimePoint time) {
  return static_cast<std::int64_t>(time.time_since_epoch().count());
}

inline TimePoint TimeFrom(std::int64_t microseconds) {
  return TimePoint(Duration(microseconds));
}

// Fields that are absent for nothing.
inline void SetText(Map& fields, const char* name, const std::optional<std::string>& text) {
  if (text) {
    fields.Set(name, *text);
  }
}
inline void SetTime(Map& fields, const char* name, const std::optional<TimePoint>& time) {
  if (time) {
    fields.Set(name, TimeValue(*time));
  }
}
inline Result<std::optional<TimePoint>> OptionalTimeField(const Map& row, std::string_view name) {
  const std::optional<std::int64_t> microseconds = TRY(OptionalIntegerField(row, name));
  return microseconds ? std::optional(TimeFrom(*microseconds)) : std::nullopt;
}

}  // namespace stator::keyspace

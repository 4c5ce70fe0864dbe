// JSON values as the scalars that requests are made of, with AWS's words for those that are
// something else.

#pragma once

#include <cstdint>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

#include "stator/base/clock.h"
#include "wire/decoding.h"

namespace stator::wire {

// Each gives a default when it refuses.
std::string_view TextFrom(simdjson::dom::element json, Decoding& decoding);
// Some texts pass as booleans: true, yes, 1 and their opposites.
bool BooleanFrom(simdjson::dom::element json, Decoding& decoding);
// Fractions are cut off.
std::int32_t IntegerFrom(simdjson::dom::element json, Decoding& decoding);
std::int64_t LongFrom(simdjson::dom::element json, Decoding& decoding);
double DoubleFrom(simdjson::dom::element json, Decoding& decoding);
// A number of seconds since 1970, with or without a fraction.
TimePoint EpochSecondsFrom(simdjson::dom::element json, Decoding& decoding);

// `is_value` tells an element of a list or an entry of a map from a member of a structure.
// `java_type` is what AWS's words call the type that was wanted.
std::optional<simdjson::dom::object> StructureFrom(simdjson::dom::element json, bool is_value,
                                                   std::string_view java_type, Decoding& decoding);
std::optional<simdjson::dom::object> MapFrom(simdjson::dom::element json, bool is_value,
                                             std::string_view java_type, Decoding& decoding);
std::optional<simdjson::dom::array> ListFrom(simdjson::dom::element json, bool is_value,
                                             Decoding& decoding);

}  // namespace stator::wire

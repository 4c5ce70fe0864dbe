#include "wire/json_numbers.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string_view>

#include "base/check.h"

namespace stator::wire {

void AppendInteger(std::int64_t value, std::string& out) {
  std::array<char, 24> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), end);
}

void AppendDouble(double value, std::string& out) {
  CHECK(std::isfinite(value));
  // Room for the longest double without an exponent.
  std::array<char, 400> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const std::string_view written(text.data(), end);
  out += written;
  if (!written.contains('.')) {
    out += ".0";
  }
}

void AppendEpochSeconds(TimePoint time, std::string& out) {
  const std::int64_t milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
  if (milliseconds < 0) {
    out += '-';
  }
  const auto magnitude = milliseconds < 0 ? 0 - static_cast<std::uint64_t>(milliseconds)
                                          : static_cast<std::uint64_t>(milliseconds);
  AppendInteger(static_cast<std::int64_t>(magnitude / 1000), out);
  const std::string fraction = std::to_string(magnitude % 1000 + 1000);
  out += '.';
  out.append(fraction, 1);
}

}  // namespace stator::wire

// Unsigned integers in as few bytes as they need: 7 bits per byte, the lowest first, the highest
// bit set in all bytes but the last. Each number has one form: a last byte of zero after others is
// refused.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "value/number_parts.h"

namespace stator::value {

template <class Unsigned>  // std::uint64_t or value::Uint128
void AppendVarint(Unsigned value, std::string& bytes) {
  while (value >= 0x80U) {
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(value) | 0x80U));
    value >>= 7U;
  }
  bytes.push_back(static_cast<char>(value));
}

// A varint and how many bytes it has; none when there is no varint that fits.
template <class Unsigned>
struct ReadVarint {
  Unsigned value = 0;
  std::size_t bytes = 0;
};

// The general case of TakeVarint, kept apart so that the other one is small enough to be inlined. It
// takes and returns copies, so that those who call it can keep theirs in registers.
template <class Unsigned>
[[gnu::noinline]] ReadVarint<Unsigned> ReadLongVarint(std::string_view bytes) {
  constexpr unsigned kBits = sizeof(Unsigned) * 8;
  Unsigned value = 0;
  std::size_t at = 0;
  for (unsigned shift = 0; shift < kBits && at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    const Unsigned part = byte & 0x7FU;
    value |= part << shift;
    if (byte < 0x80U) {
      // No bit may have been shifted out, and no byte may be superfluous.
      const bool fits = value >> shift == part && (byte != 0 || shift == 0);
      return fits ? ReadVarint<Unsigned>{value, at} : ReadVarint<Unsigned>{};
    }
  }
  return {};
}

// Takes one off the front. False when there is none that fits; then `value` may have been changed.
template <class Unsigned>
[[gnu::always_inline]] inline bool TakeVarint(std::string_view& bytes, Unsigned& value) {
  if (!bytes.empty() && static_cast<unsigned char>(bytes[0]) < 0x80U) [[likely]] {
    value = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    return true;
  }
  const ReadVarint<Unsigned> read = ReadLongVarint<Unsigned>(bytes);
  value = read.value;
  bytes.remove_prefix(read.bytes);
  return read.bytes != 0;
}

// Of any size.
inline bool SkipVarint(std::string_view& bytes) {
  while (!bytes.empty()) {
    const auto byte = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    if (byte < 0x80U) {
      return true;
    }
  }
  return false;
}

// Small magnitudes become small numbers: 0, -1, 1, -2, ...
inline std::uint64_t ZigZag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U);
}
inline std::int64_t UnZigZag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U ^ (~(value & 1U) + 1));
}

}  // namespace stator::value

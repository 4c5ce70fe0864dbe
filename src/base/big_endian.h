// Integers, highest byte first, so that their order is that of their bytes.

#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace stator::base {

template <std::unsigned_integral T>
void AppendBigEndian(T value, std::string& bytes) {
  static_assert(std::endian::native == std::endian::little);
  const T swapped = std::byteswap(value);
  bytes.append(reinterpret_cast<const char*>(&swapped), sizeof(T));
}

// Takes one integer off the front. False, and `bytes` untouched, when there are too few bytes.
template <std::unsigned_integral T>
bool TakeBigEndian(std::string_view& bytes, T& value) {
  if (bytes.size() < sizeof(T)) {
    return false;
  }
  T swapped;
  std::memcpy(&swapped, bytes.data(), sizeof(T));
  value = std::byteswap(swapped);
  bytes.remove_prefix(sizeof(T));
  return true;
}

// Signed integers are shifted, so that the smallest is all zero bits.
inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63U;
inline std::uint64_t Ordered(std::int64_t value) {
  return static_cast<std::uint64_t>(value) ^ kSignBit;
}
inline std::int64_t Unordered(std::uint64_t value) {
  return static_cast<std::int64_t>(value ^ kSignBit);
}

}  // namespace stator::base

#include "storage/crc32c.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace stator::storage {
namespace {

constexpr std::size_t kStep = 8;

// tables[n][b]: what a byte b changes in the checksum when n bytes follow it.
using Tables = std::array<std::array<std::uint32_t, 256>, kStep>;

constexpr Tables MakeTables() {
  constexpr std::uint32_t kReversedPolynomial = 0x82F63B78;
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kReversedPolynomial : 0);
    }
    tables[0][byte] = crc;
  }
  for (std::size_t step = 1; step < kStep; ++step) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[step - 1][byte];
      tables[step][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

}  // namespace

std::uint32_t Crc32c(std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t crc = 0xFFFFFFFF;
  while (bytes.size() >= kStep) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), kStep);
    word ^= crc;
    crc = 0;
    for (std::size_t at = 0; at < kStep; ++at) {
      crc ^= kTables[kStep - 1 - at][(word >> (8 * at)) & 0xFFU];
    }
    bytes.remove_prefix(kStep);
  }
  for (const char byte : bytes) {
    crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<std::uint8_t>(byte)) & 0xFFU];
  }
  return ~crc;
}

std::uint32_t MaskedCrc32c(std::string_view bytes) {
  constexpr std::uint32_t kMask = 0xA282EAD8;
  return std::rotr(Crc32c(bytes), 15) + kMask;
}

}  // namespace stator::storage

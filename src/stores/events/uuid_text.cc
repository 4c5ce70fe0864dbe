#include "stores/events/uuid_text.h"

#include <array>

#include "base/check.h"

namespace stator::events {
namespace {

constexpr std::size_t kUuidBytes = 16;

std::string Format(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr std::array<std::uint8_t, kUuidBytes> kPlaces = {0,  2,  4,  6,  9,  11, 14, 16,
                                                            19, 21, 24, 26, 28, 30, 32, 34};
  std::string text(36, '-');
  for (std::size_t index = 0; index < kUuidBytes; ++index) {
    const auto byte = static_cast<unsigned char>(bytes[index]);
    text[kPlaces[index]] = kDigits[byte >> 4U];
    text[kPlaces[index] + 1U] = kDigits[byte & 0xFU];
  }
  return text;
}

char WithBits(char byte, unsigned keep, unsigned bits) {
  return static_cast<char>((static_cast<unsigned char>(byte) & keep) | bits);
}

}  // namespace

std::string FormatUuid(const UuidBytes& bytes) {
  return Format(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

std::optional<UuidBytes> ParseUuid(std::string_view text) {
  constexpr std::size_t kTextBytes = 36;
  if (text.size() != kTextBytes) {
    return std::nullopt;
  }
  const auto digit = [](char c) -> int {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  UuidBytes bytes{};
  std::size_t at = 0;
  for (std::size_t index = 0; index < text.size();) {
    if (index == 8 || index == 13 || index == 18 || index == 23) {
      if (text[index++] != '-') {
        return std::nullopt;
      }
      continue;
    }
    const int high = digit(text[index]);
    const int low = digit(text[index + 1]);
    if (high < 0 || low < 0) {
      return std::nullopt;
    }
    bytes[at++] = static_cast<std::uint8_t>(high * 16 + low);
    index += 2;
  }
  return bytes;
}

std::string MakeUuidText(std::string_view bytes) {
  CHECK(bytes.size() >= kUuidBytes);
  std::string uuid(bytes.substr(0, kUuidBytes));
  uuid[6] = WithBits(uuid[6], 0x0FU, 0x80U);
  uuid[8] = WithBits(uuid[8], 0x3FU, 0x80U);
  return Format(uuid);
}

std::string MakeUuidTextFromMemory(std::string_view bytes) {
  CHECK(bytes.size() >= kUuidBytes);
  std::string memory(bytes.substr(0, kUuidBytes));
  memory[7] = WithBits(memory[7], 0x0FU, 0x80U);
  memory[8] = WithBits(memory[8], 0x3FU, 0x80U);
  constexpr std::array<std::size_t, kUuidBytes> kOrder = {3, 2, 1,  0,  5,  4,  7,  6,
                                                          8, 9, 10, 11, 12, 13, 14, 15};
  std::string uuid;
  for (const std::size_t from : kOrder) {
    uuid.push_back(memory[from]);
  }
  return Format(uuid);
}

}  // namespace stator::events

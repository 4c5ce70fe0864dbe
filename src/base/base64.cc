#include "base/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace stator::base {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Above all six-bit values, so that one test of four joined lookups finds any foreign character.
constexpr std::uint32_t kForeign = 1U << 6U;

constexpr std::array<std::uint8_t, 256> MakeSextets() {
  std::array<std::uint8_t, 256> sextets{};
  sextets.fill(kForeign);
  for (std::size_t at = 0; at < kAlphabet.size(); ++at) {
    sextets[static_cast<unsigned char>(kAlphabet[at])] = static_cast<std::uint8_t>(at);
  }
  return sextets;
}

constexpr std::array<std::uint8_t, 256> kSextets = MakeSextets();

constexpr std::uint32_t ByteOf(char character) {
  return static_cast<unsigned char>(character);
}

constexpr std::uint32_t SextetOf(char character) {
  return kSextets[ByteOf(character)];
}

// Writes the last one or two bytes of an encoding, behind which stands padding. False when the text
// is not what an encoder writes: foreign characters, or bits set that belong to no byte.
bool DecodeTail(std::string_view tail, char* to) {
  const std::uint32_t first = SextetOf(tail[0]);
  const std::uint32_t second = SextetOf(tail[1]);
  if (tail[2] == '=') {
    to[0] = static_cast<char>(first << 2U | second >> 4U);
    return ((first | second) & kForeign) == 0 && (second & 15U) == 0;
  }
  const std::uint32_t third = SextetOf(tail[2]);
  to[0] = static_cast<char>(first << 2U | second >> 4U);
  to[1] = static_cast<char>(second << 4U | third >> 2U);
  return ((first | second | third) & kForeign) == 0 && (third & 3U) == 0;
}

}  // namespace

char* WriteBase64(std::string_view bytes, char* to) {
  std::size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) {
    const std::uint32_t group =
        ByteOf(bytes[at]) << 16U | ByteOf(bytes[at + 1]) << 8U | ByteOf(bytes[at + 2]);
    *to++ = kAlphabet[group >> 18U];
    *to++ = kAlphabet[group >> 12U & 63U];
    *to++ = kAlphabet[group >> 6U & 63U];
    *to++ = kAlphabet[group & 63U];
  }
  if (at == bytes.size()) {
    return to;
  }
  const bool two_left = at + 2 == bytes.size();
  const std::uint32_t group =
      ByteOf(bytes[at]) << 16U | (two_left ? ByteOf(bytes[at + 1]) << 8U : 0U);
  *to++ = kAlphabet[group >> 18U];
  *to++ = kAlphabet[group >> 12U & 63U];
  *to++ = two_left ? kAlphabet[group >> 6U & 63U] : '=';
  *to++ = '=';
  return to;
}

void AppendBase64(std::string_view bytes, std::string& out) {
  const std::size_t start = out.size();
  out.resize(start + Base64Bytes(bytes.size()));
  WriteBase64(bytes, out.data() + start);
}

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  AppendBase64(bytes, text);
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::size_t whole = padding == 0 ? text.size() : text.size() - 4;
  std::string bytes(text.size() / 4 * 3 - padding, '\0');
  char* to = bytes.data();
  for (std::size_t at = 0; at < whole; at += 4) {
    const std::uint32_t first = SextetOf(text[at]);
    const std::uint32_t second = SextetOf(text[at + 1]);
    const std::uint32_t third = SextetOf(text[at + 2]);
    const std::uint32_t fourth = SextetOf(text[at + 3]);
    if (((first | second | third | fourth) & kForeign) != 0) {
      return std::nullopt;
    }
    *to++ = static_cast<char>(first << 2U | second >> 4U);
    *to++ = static_cast<char>(second << 4U | third >> 2U);
    *to++ = static_cast<char>(third << 6U | fourth);
  }
  if (padding != 0 && !DecodeTail(text.substr(whole), to)) {
    return std::nullopt;
  }
  return bytes;
}

}  // namespace stator::base

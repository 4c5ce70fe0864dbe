#include "shell/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace stator::shell {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Controls, and what is invisible but changes how its neighbours are shown.
constexpr auto kUnprintable = std::to_array<Range>({{0x00, 0x1F},
                                                    {0x7F, 0x9F},
                                                    {0xAD, 0xAD},
                                                    {0x61C, 0x61C},
                                                    {0x180E, 0x180E},
                                                    {0x200B, 0x200F},
                                                    {0x2028, 0x202E},
                                                    {0x2060, 0x206F},
                                                    {0xFEFF, 0xFEFF},
                                                    {0xFFF9, 0xFFFB},
                                                    {0xE0000, 0xE0FFF}});
constexpr auto kCombining = std::to_array<Range>({{0x300, 0x36F},
                                                  {0x483, 0x489},
                                                  {0x591, 0x5BD},
                                                  {0x610, 0x61A},
                                                  {0x64B, 0x65F},
                                                  {0x1AB0, 0x1AFF},
                                                  {0x1DC0, 0x1DFF},
                                                  {0x20D0, 0x20FF},
                                                  {0xFE00, 0xFE0F},
                                                  {0xFE20, 0xFE2F}});
constexpr auto kWide = std::to_array<Range>({{0x1100, 0x115F},
                                             {0x2E80, 0x303E},
                                             {0x3041, 0x4DBF},
                                             {0x4E00, 0xA4CF},
                                             {0xA960, 0xA97F},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE30, 0xFE6F},
                                             {0xFF00, 0xFF60},
                                             {0xFFE0, 0xFFE6},
                                             {0x1F300, 0x1F64F},
                                             {0x1F680, 0x1F6FF},
                                             {0x1F900, 0x1F9FF},
                                             {0x20000, 0x3FFFD}});

template <std::size_t kCount>
bool IsIn(const std::array<Range, kCount>& ranges, std::uint32_t character) {
  return std::ranges::any_of(ranges, [&](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

std::string Hex(std::string_view prefix, std::uint32_t number, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(prefix);
  for (int at = digits - 1; at >= 0; --at) {
    text += kDigits[(number >> (4 * at)) & 15U];
  }
  return text;
}

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0 when the text does not begin with UTF-8
};

Character Decode(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) {
    return {.code = lead, .bytes = 1};
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  std::size_t bytes = 0;
  std::uint32_t code = 0;
  if (lead >= 0xC2 && lead < 0xE0) {
    bytes = 2;
    code = lead & 0x1FU;
  } else if (lead >= 0xE0 && lead < 0xF0) {
    bytes = 3;
    code = lead & 0x0FU;
  } else if (lead >= 0xF0 && lead < 0xF5) {
    bytes = 4;
    code = lead & 0x07U;
  }
  if (bytes == 0 || text.size() < bytes) {
    return {};
  }
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xC0U) != 0x80) {
      return {};
    }
    code = (code << 6) | (byte(at) & 0x3FU);
  }
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool is_character = code >= kLeast[bytes] && code <= 0x10FFFF && !is_surrogate;
  return is_character ? Character{.code = code, .bytes = bytes} : Character{};
}

std::string Escape(std::uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return code > 0xFFFF ? Hex("\\U", code, 8) : Hex("\\u", code, 4);
  }
}

}  // namespace

Glyph TakeGlyph(std::string_view& text) {
  const Character character = Decode(text);
  Glyph glyph;
  if (character.bytes == 0) {
    glyph.text = Hex("\\x", static_cast<unsigned char>(text.front()), 2);
    glyph.columns = glyph.text.size();
    text.remove_prefix(1);
    return glyph;
  }
  if (IsIn(kUnprintable, character.code)) {
    glyph.text = Escape(character.code);
    glyph.columns = glyph.text.size();
  } else {
    glyph.text = text.substr(0, character.bytes);
    glyph.columns = IsIn(kCombining, character.code) ? 0 : IsIn(kWide, character.code) ? 2 : 1;
  }
  text.remove_prefix(character.bytes);
  return glyph;
}

std::string Printable(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    printable += TakeGlyph(text).text;
  }
  return printable;
}

std::string PrintableJson(std::string_view json) {
  std::string printable;
  while (!json.empty()) {
    const Character character = Decode(json);
    const std::size_t bytes = std::max<std::size_t>(1, character.bytes);
    if (character.code > 0xFFFF && IsIn(kUnprintable, character.code)) {
      const std::uint32_t rest = character.code - 0x10000;
      printable += Hex("\\u", 0xD800 + (rest >> 10), 4);
      printable += Hex("\\u", 0xDC00 + (rest & 0x3FFU), 4);
    } else if (character.bytes != 0 && IsIn(kUnprintable, character.code)) {
      printable += Hex("\\u", character.code, 4);
    } else {
      printable += json.substr(0, bytes);
    }
    json.remove_prefix(bytes);
  }
  return printable;
}

}  // namespace stator::shell

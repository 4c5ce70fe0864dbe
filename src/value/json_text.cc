#include "value/json_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stator::value {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

constexpr bool NeedsEscape(char character) {
  return static_cast<unsigned char>(character) < 0x20 || character == '"' || character == '\\';
}

// Sixteen bytes that are compared at once; every 64-bit machine has registers for that.
using Block [[gnu::vector_size(16)]] = unsigned char;

// All ones where a byte needs an escape.
auto EscapesOf(Block block) {
  // Of all bytes, only control characters and the quote are below 0x21 with this bit turned over.
  return ((block ^ 0x02) < 0x21) | (block == '\\');
}

template <class Found>
bool Any(Found found) {
  std::array<std::uint64_t, 2> halves;
  std::memcpy(halves.data(), &found, sizeof(found));
  return (halves[0] | halves[1]) != 0;
}

bool AnyNeedsEscape(Block block) {
  return Any(EscapesOf(block));
}

Block Load(const char* sixteen) {
  Block block;
  std::memcpy(&block, sixteen, sizeof(block));
  return block;
}

// A whole text of kHalf to 2 * kHalf bytes as two halves that may overlap, repeated until they
// fill a block.
template <std::size_t kHalf>
Block LoadHalves(std::string_view text) {
  std::array<char, sizeof(Block)> bytes;
  for (std::size_t at = 0; at < bytes.size(); at += 2 * kHalf) {
    std::memcpy(bytes.data() + at, text.data(), kHalf);
    std::memcpy(bytes.data() + at + kHalf, text.data() + text.size() - kHalf, kHalf);
  }
  return Load(bytes.data());
}

bool ShortTextNeedsEscape(std::string_view text) {
  if (text.size() >= 8) {
    return AnyNeedsEscape(LoadHalves<8>(text));
  }
  if (text.size() >= 4) {
    return AnyNeedsEscape(LoadHalves<4>(text));
  }
  return std::any_of(text.begin(), text.end(), NeedsEscape);
}

std::size_t FindEscapeByteByByte(std::string_view text, std::size_t start) {
  std::size_t at = start;
  while (at < text.size() && !NeedsEscape(text[at])) {
    ++at;
  }
  return at;
}

void AppendEscaped(char character, std::string& out) {
  switch (character) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(character);
  out.append("\\u00");
  out.push_back(kHexDigits[byte >> 4U]);
  out.push_back(kHexDigits[byte & 15U]);
}

}  // namespace

std::size_t FindJsonEscape(std::string_view text, std::size_t start) {
  const std::string_view rest = text.substr(start);
  if (rest.size() < sizeof(Block)) {
    return ShortTextNeedsEscape(rest) ? FindEscapeByteByByte(text, start) : text.size();
  }
  std::size_t at = start;
  constexpr std::size_t kStride = 4 * sizeof(Block);
  for (; at + kStride <= text.size(); at += kStride) {
    const char* const from = text.data() + at;
    if (Any(EscapesOf(Load(from)) | EscapesOf(Load(from + sizeof(Block))) |
            EscapesOf(Load(from + 2 * sizeof(Block))) |
            EscapesOf(Load(from + 3 * sizeof(Block))))) {
      break;
    }
  }
  while (at + sizeof(Block) <= text.size() && !AnyNeedsEscape(Load(text.data() + at))) {
    at += sizeof(Block);
  }
  // The last block may overlap the one before it.
  if (at + sizeof(Block) > text.size() &&
      !AnyNeedsEscape(Load(text.data() + text.size() - sizeof(Block)))) {
    return text.size();
  }
  return FindEscapeByteByByte(text, at);
}

void AppendJsonString(std::string_view text, std::string& out) {
  out.push_back('"');
  std::size_t start = 0;
  for (;;) {
    const std::size_t end = FindJsonEscape(text, start);
    out.append(text, start, end - start);
    if (end == text.size()) {
      break;
    }
    AppendEscaped(text[end], out);
    start = end + 1;
  }
  out.push_back('"');
}

}  // namespace stator::value

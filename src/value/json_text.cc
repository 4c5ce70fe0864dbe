#include "value/json_text.h"

#include <algorithm>

namespace stator::value {
namespace {

using json_text::Any;
using json_text::Block;

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr std::size_t kEscapeBytesMax = 6;  // \u001f

constexpr bool NeedsEscape(char character) {
  return static_cast<unsigned char>(character) < 0x20 || character == '"' || character == '\\';
}

// Copies a block; not zero where a byte needs an escape.
Block CopyBlock(const char* from, char* to) {
  Block block;
  std::memcpy(&block, from, sizeof(block));
  std::memcpy(to, &block, sizeof(block));
  return json_text::EscapesOf(block);
}

// Writes how a character looks behind a backslash, or the character itself; returns the end.
char* WriteCharacter(char character, char* to) {
  if (!NeedsEscape(character)) {
    *to++ = character;
    return to;
  }
  *to++ = '\\';
  switch (character) {
    case '"':
    case '\\':
      *to++ = character;
      return to;
    case '\b':
      *to++ = 'b';
      return to;
    case '\f':
      *to++ = 'f';
      return to;
    case '\n':
      *to++ = 'n';
      return to;
    case '\r':
      *to++ = 'r';
      return to;
    case '\t':
      *to++ = 't';
      return to;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(character);
  to = std::copy_n("u00", 3, to);
  *to++ = kHexDigits[byte >> 4U];
  *to++ = kHexDigits[byte & 15U];
  return to;
}

}  // namespace

bool json_text::CopyLong(std::string_view text, char* to) {
  const char* from = text.data();
  // The last block may overlap the one before it. What is found is only asked for at the end: hardly
  // any text has an escape.
  const char* const last = from + text.size() - sizeof(Block);
  Block found = CopyBlock(last, to + (last - from));
  for (; from < last; from += sizeof(Block), to += sizeof(Block)) {
    found |= CopyBlock(from, to);
  }
  return !Any(found);
}

void JsonAppender::Grow(std::size_t bytes) {
  const std::size_t written = size();
  out_.resize(written);
  out_.reserve(std::max(written + bytes, 2 * written));
  TakeRoomBehind(written);
}

// Block by block, because most of a text that has an escape is plain.
char* JsonAppender::Escape(std::string_view text, std::size_t bytes_behind, char* end) {
  at_ = end - text.size();
  while (!text.empty()) {
    Expect(kEscapeBytesMax * sizeof(Block) + text.size() + 1 + bytes_behind);
    const std::string_view piece = text.substr(0, sizeof(Block));
    text.remove_prefix(piece.size());
    if (piece.size() == sizeof(Block) && !Any(CopyBlock(piece.data(), at_))) {
      at_ += sizeof(Block);
      continue;
    }
    for (const char character : piece) {
      at_ = WriteCharacter(character, at_);
    }
  }
  return at_;
}

void AppendJsonString(std::string_view text, std::string& out) {
  JsonAppender(out).AppendString("", text, "");
}

}  // namespace stator::value

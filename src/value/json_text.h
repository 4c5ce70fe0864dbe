// Writing JSON text: the one place that knows how a string is escaped.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace stator::value {

// Appends `text` in quotes, escaping what JSON demands: quotes, backslashes, control characters.
// REQUIRES: UTF-8.
void AppendJsonString(std::string_view text, std::string& out);

// So many bytes behind a padded text may be read, whatever they are.
inline constexpr std::size_t kPaddingBytes = 16;

namespace json_text {

// Sixteen bytes that are looked at together; every 64-bit machine has registers for that.
using Block [[gnu::vector_size(16)]] = unsigned char;

// Not zero where a byte needs an escape.
inline Block EscapesOf(Block block) {
  // Of all bytes, only control characters and the quote are below 0x21 with this bit turned over.
  return reinterpret_cast<Block>(((block ^ 0x02) < 0x21) | (block == '\\'));
}

inline bool Any(Block found) {
#ifdef __SSE2__
  return _mm_movemask_epi8(reinterpret_cast<__m128i>(found)) != 0;
#else
  std::array<std::uint64_t, 2> halves;
  std::memcpy(halves.data(), &found, sizeof(found));
  return (halves[0] | halves[1]) != 0;
#endif
}

// Copies at most 15 bytes; whether none of them needs an escape.
inline bool CopyShort(std::string_view text, char* to) {
  using Words [[gnu::vector_size(16)]] = std::uint64_t;
  const char* const from = text.data();
  const std::size_t size = text.size();
  const auto is_plain = [](std::uint64_t first, std::uint64_t second) {
    return !Any(EscapesOf(reinterpret_cast<Block>(Words{first, second})));
  };
  // Two words that may overlap cover the text.
  const auto copy_ends = [&]<class Word>(Word& first, Word& second) {
    std::memcpy(&first, from, sizeof(Word));
    std::memcpy(&second, from + size - sizeof(Word), sizeof(Word));
    std::memcpy(to, &first, sizeof(Word));
    std::memcpy(to + size - sizeof(Word), &second, sizeof(Word));
  };
  if (size >= sizeof(std::uint64_t)) {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    copy_ends(first, second);
    return is_plain(first, second);
  }
  if (size >= sizeof(std::uint32_t)) {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    copy_ends(first, second);
    const std::uint64_t both = first | std::uint64_t{second} << 32U;
    return is_plain(both, both);
  }
  if (size == 0) {
    return true;
  }
  std::uint64_t bytes = 0x2020'2020'2020'2020;  // blanks, and three that cover the text
  for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
    to[at] = from[at];
    bytes = bytes << 8U | static_cast<unsigned char>(from[at]);
  }
  return is_plain(bytes, bytes);
}

// The same for longer texts.
bool CopyLong(std::string_view text, char* to);

// The same for a text of any size, and padded (kPaddingBytes). REQUIRES: room for as many bytes more
// than it has.
inline bool CopyPadded(std::string_view text, char* to) {
#ifdef __SSE2__
  const char* from = text.data();
  std::size_t left = text.size();
  Block found = {};
  const auto copy = [&] {
    Block block;
    std::memcpy(&block, from, sizeof(block));
    std::memcpy(to, &block, sizeof(block));
    return EscapesOf(block);
  };
  for (; left > sizeof(Block); left -= sizeof(Block)) {
    found |= copy();
    from += sizeof(Block);
    to += sizeof(Block);
  }
  const auto last = static_cast<unsigned>(_mm_movemask_epi8(reinterpret_cast<__m128i>(copy())));
  return (last & ((1U << left) - 1)) == 0 && !Any(found);
#else
  return text.size() < sizeof(Block) ? CopyShort(text, to) : CopyLong(text, to);
#endif
}

}  // namespace json_text

// Appends piece after piece of JSON. Until it goes the text belongs to it, and asks for memory in
// large steps; then the text ends behind the last piece.
class JsonAppender {
 public:
  explicit JsonAppender(std::string& out) : out_(out) { TakeRoomBehind(out.size()); }
  JsonAppender(const JsonAppender&) = delete;
  JsonAppender& operator=(const JsonAppender&) = delete;
  ~JsonAppender() { out_.resize(size()); }

  // Makes room for so many bytes. Nobody has to; who can tell saves copies.
  void Expect(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]] {
      Grow(bytes);
    }
  }

  // A literal as it is.
  template <std::size_t kSize>
  void Append(const char (&literal)[kSize]) {
    Expect(kSize);
    at_ = Copy(literal, at_);
  }

  // `text` in quotes, between two literals. REQUIRES: UTF-8.
  template <std::size_t kBefore, std::size_t kAfter>
  void AppendString(const char (&before)[kBefore], std::string_view text,
                    const char (&after)[kAfter]) {
    // The sizes of literals count their NUL; quotes take its place.
    Expect(kBefore + text.size() + kAfter);
    // Not at_ itself, which any byte that is written might change for all that the compiler knows.
    char* to = Copy("\"", Copy(before, at_));
    const bool is_plain = text.size() < sizeof(json_text::Block) ? json_text::CopyShort(text, to)
                                                                 : json_text::CopyLong(text, to);
    to += text.size();
    if (!is_plain) [[unlikely]] {
      to = Escape(text, kAfter, to);
    }
    at_ = Copy(after, Copy("\"", to));
  }

  // The same of a padded text.
  template <std::size_t kBefore, std::size_t kAfter>
  void AppendPaddedString(const char (&before)[kBefore], std::string_view text,
                          const char (&after)[kAfter]) {
    Expect(kBefore + text.size() + kPaddingBytes + kAfter);
    char* to = Copy("\"", Copy(before, at_));
    const bool is_plain = json_text::CopyPadded(text, to);
    to += text.size();
    if (!is_plain) [[unlikely]] {
      to = Escape(text, kAfter, to);
    }
    at_ = Copy(after, Copy("\"", to));
  }

  // In quotes, between two literals, what `write` puts at the place that it is given: it returns the
  // end, at most `bytes_max` further on. REQUIRES: nothing there needs an escape.
  template <std::size_t kBefore, class Write, std::size_t kAfter>
  void AppendWritten(const char (&before)[kBefore], std::size_t bytes_max, const Write& write,
                     const char (&after)[kAfter]) {
    Expect(kBefore + bytes_max + kAfter);
    at_ = Copy(after, Copy("\"", write(Copy("\"", Copy(before, at_)))));
  }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - out_.data()); }

  template <std::size_t kSize>
  static char* Copy(const char (&literal)[kSize], char* to) {
    std::memcpy(to, literal, kSize - 1);
    return to + (kSize - 1);
  }

  // Makes the text as long as its memory, and goes on at `size`.
  void TakeRoomBehind(std::size_t size) {
    const std::size_t room = out_.capacity();
    out_.resize_and_overwrite(room, [room](char* /*data*/, std::size_t /*size*/) { return room; });
    at_ = out_.data() + size;
    end_ = out_.data() + room;
  }

  void Grow(std::size_t bytes);
  // Writes the text anew, with escapes: a copy of it ends at `end`. Returns the new end, behind which
  // is room for a quote and so many bytes.
  char* Escape(std::string_view text, std::size_t bytes_behind, char* end);

  std::string& out_;
  char* at_;
  char* end_;
};

}  // namespace stator::value

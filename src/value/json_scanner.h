// Reads JSON text (RFC 8259) piece by piece; whoever uses it makes a tree of the pieces. Unlike
// simdjson it hands the text of a number on as it stands, whatever its size.
//
// Every failure has the code kSerialization and says what was expected at which byte.

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::value {

class JsonScanner {
 public:
  // REQUIRES: UTF-8, which outlives this object.
  explicit JsonScanner(std::string_view text) : text_(text) {}

  // The next character that is no white space, which stays; a NUL at the end, which begins nothing.
  char Peek();

  // Whether the next character is this one; then it is taken. Does not skip white space.
  bool Take(char expected);

  // What begins here: `true` and the like, a number as RFC 8259 writes it, a string in quotes.
  Result<void> TakeWord(std::string_view word);
  Result<std::string_view> ReadNumber();
  Result<std::string> ReadString();

  // A member's name with the colon behind it, white space skipped.
  Result<std::string> ReadName();

  // Fails unless only white space is left.
  Result<void> End();

  [[nodiscard]] std::unexpected<Error> Malformed(std::string_view expected) const;

 private:
  [[nodiscard]] char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool TakeDigits();
  Result<void> ReadEscape(std::string& out);
  Result<std::uint32_t> ReadHex4();

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace stator::value

// Takes the text that people type, or that a script has, apart into statements. A statement ends
// with a semicolon outside of quotes and comments, or with the text; a command begins with a
// backslash, between statements, and ends with its line.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stator::shell {

struct Entry {
  std::string text;      // without the semicolon, without blanks around it
  std::size_t line = 1;  // of the text in which it begins, from 1
  bool is_command = false;

  bool operator==(const Entry&) const = default;
};

class StatementReader {
 public:
  // Text with its line ends, in pieces of any size.
  void Append(std::string_view text);

  // The next entry that is complete; nothing when more text is needed.
  std::optional<Entry> Next();
  // At the end of the text: what is left, if that is anything.
  std::optional<Entry> Last();

  // Whether a statement has begun: what comes next continues it.
  [[nodiscard]] bool is_within();
  void Clear();

 private:
  [[nodiscard]] std::string_view rest() const { return std::string_view(text_).substr(begin_); }
  // Drops blanks, comments and semicolons in front of a statement.
  void SkipBlanks();
  void Drop(std::size_t count);
  // So many bytes are the entry, and one behind them ends it.
  Entry Take(std::size_t count, bool is_command);

  std::string text_;
  std::size_t begin_ = 0;    // of what was not taken yet
  std::size_t scanned_ = 0;  // of it, so far without an end
  std::size_t line_ = 1;     // at begin_
};

}  // namespace stator::shell

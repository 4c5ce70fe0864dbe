#include "shell/statement_reader.h"

#include <algorithm>
#include <utility>

namespace stator::shell {
namespace {

constexpr std::string_view kBlanks = " \t\v\f\r\n";

// Where the quote or comment that begins at `at` ends; npos when it does not.
std::size_t EndOfRun(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string_view::npos ? found : found + end.size();
  };
  if (text.substr(at).starts_with("--")) {
    return behind("\n", at);
  }
  if (text.substr(at).starts_with("/*")) {
    return behind("*/", at + 2);
  }
  if (text[at] == '\'' || text[at] == '"' || text[at] == '`') {
    return behind(text.substr(at, 1), at + 1);
  }
  return at + 1;
}

}  // namespace

void StatementReader::Append(std::string_view text) {
  text_.erase(0, begin_);
  begin_ = 0;
  text_ += text;
}

void StatementReader::Drop(std::size_t count) {
  count = std::min(count, rest().size());
  line_ += static_cast<std::size_t>(std::ranges::count(rest().substr(0, count), '\n'));
  begin_ += count;
  scanned_ = 0;
}

void StatementReader::SkipBlanks() {
  while (!rest().empty()) {
    const char next = rest().front();
    if (rest().starts_with("--") || rest().starts_with("/*")) {
      const std::size_t end = EndOfRun(rest(), 0);
      if (end == std::string_view::npos) {
        return;
      }
      Drop(end);
    } else if (kBlanks.contains(next) || next == ';') {
      Drop(1);
    } else {
      return;
    }
  }
}

Entry StatementReader::Take(std::size_t count, bool is_command) {
  Entry entry{
      .text = std::string(rest().substr(0, count)), .line = line_, .is_command = is_command};
  entry.text.erase(entry.text.find_last_not_of(kBlanks) + 1);
  Drop(count + 1);
  return entry;
}

std::optional<Entry> StatementReader::Next() {
  SkipBlanks();
  if (rest().starts_with('\\')) {
    const std::size_t end = rest().find('\n');
    return end == std::string_view::npos ? std::nullopt : std::optional(Take(end, true));
  }
  while (scanned_ < rest().size()) {
    const char next = rest()[scanned_];
    if (next == ';') {
      return Take(scanned_, false);
    }
    if ((next == '-' || next == '/') && scanned_ + 1 == rest().size()) {
      return std::nullopt;  // perhaps half of what begins a comment
    }
    const std::size_t end = EndOfRun(rest(), scanned_);
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    scanned_ = end;
  }
  return std::nullopt;
}

std::optional<Entry> StatementReader::Last() {
  SkipBlanks();
  if (rest().empty() || rest().starts_with("--")) {
    return std::nullopt;
  }
  return Take(rest().size(), rest().starts_with('\\'));
}

bool StatementReader::is_within() {
  SkipBlanks();
  return !rest().empty();
}

void StatementReader::Clear() {
  *this = StatementReader();
}

}  // namespace stator::shell

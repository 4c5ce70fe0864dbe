// The lines that were typed before, in a file that only its owner can read: statements have values
// in them. Each line is appended by itself, so two shells at once lose nothing of each other.
//
// A file that cannot be read or written costs the history and nothing else.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator::shell {

class HistoryFile {
 public:
  static constexpr std::size_t kLinesMax = 1000;

  // Empty for none.
  explicit HistoryFile(std::string path) : path_(std::move(path)) {}

  // The last kLinesMax lines, oldest first. A file that has grown to twice as many is cut down.
  [[nodiscard]] std::vector<std::string> Load() const;

  // A line without its end.
  void Append(std::string_view line) const;

 private:
  void Replace(const std::vector<std::string>& lines) const;

  std::string path_;
};

}  // namespace stator::shell

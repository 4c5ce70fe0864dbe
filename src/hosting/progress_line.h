// How a program tells how far it is: by lines on standard error of the form
//
//   ::progress DONE[/TOTAL][ MESSAGE]        ::progress 3/12 reading March
//
// with decimal numbers. Every other line is for whoever reads why the program failed.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stator::hosting {

struct ProgressLine {
  double done = 0;
  std::optional<double> total = std::nullopt;
  std::optional<std::string> message = std::nullopt;

  friend bool operator==(const ProgressLine&, const ProgressLine&) = default;
};

// Nothing when the line has another form.
std::optional<ProgressLine> ReadProgressLine(std::string_view line);

// Takes standard error as it comes: finds the lines of progress, keeps the end of the rest.
class ErrorText {
 public:
  static constexpr std::size_t kKept = 4096;

  // The last progress in `bytes`, if there is one.
  std::optional<ProgressLine> Add(std::string_view bytes);
  // Without white space around it. REQUIRES: nothing is added afterwards.
  [[nodiscard]] std::string Take();

 private:
  void Keep(std::string_view text);

  std::string line_;  // what has come of it; of a long one only the beginning
  std::string kept_;
};

}  // namespace stator::hosting

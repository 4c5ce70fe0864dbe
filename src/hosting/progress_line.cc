#include "hosting/progress_line.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace stator::hosting {
namespace {

constexpr std::string_view kPrefix = "::progress ";
constexpr std::string_view kSpace = " \t\r\n";

std::optional<double> TakeNumber(std::string_view& text) {
  double number = 0;
  const auto [end, problem] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (problem != std::errc() || !std::isfinite(number)) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

}  // namespace

std::optional<ProgressLine> ReadProgressLine(std::string_view line) {
  if (!line.starts_with(kPrefix)) {
    return std::nullopt;
  }
  std::string_view rest = Trimmed(line.substr(kPrefix.size()));
  const std::optional<double> done = TakeNumber(rest);
  if (!done) {
    return std::nullopt;
  }
  ProgressLine progress{.done = *done};
  if (rest.starts_with('/')) {
    rest.remove_prefix(1);
    progress.total = TakeNumber(rest);
    if (!progress.total) {
      return std::nullopt;
    }
  }
  if (!rest.empty()) {
    if (!rest.starts_with(' ') && !rest.starts_with('\t')) {
      return std::nullopt;
    }
    progress.message = std::string(Trimmed(rest));
  }
  return progress;
}

std::optional<ProgressLine> ErrorText::Add(std::string_view bytes) {
  std::optional<ProgressLine> last;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    line_.append(part.substr(0, kKept - std::min(kKept, line_.size())));
    if (end == std::string_view::npos) {
      break;
    }
    if (std::optional<ProgressLine> progress = ReadProgressLine(line_)) {
      last = std::move(progress);
    } else {
      Keep(line_ + "\n");
    }
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
  return last;
}

void ErrorText::Keep(std::string_view text) {
  kept_.append(text);
  if (kept_.size() > 2 * kKept) {
    kept_.erase(0, kept_.size() - kKept);
  }
}

std::string ErrorText::Take() {
  Keep(line_);
  std::string_view text = kept_;
  if (text.size() > kKept) {
    text.remove_prefix(text.size() - kKept);
    // Not within a character.
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U) {
      text.remove_prefix(1);
    }
  }
  return std::string(Trimmed(text));
}

}  // namespace stator::hosting

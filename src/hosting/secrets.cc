#include "hosting/secrets.h"

#include <algorithm>
#include <functional>

namespace stator::hosting {
namespace {

constexpr std::size_t kShortest = 4;
constexpr std::string_view kHidden = "***";

}  // namespace

Result<std::string> Secrets::Expand(std::string_view text, const client::Environment& environment) {
  std::string expanded;
  while (!text.empty()) {
    const std::size_t dollar = text.find('$');
    expanded.append(text.substr(0, dollar));
    if (dollar == std::string_view::npos) {
      break;
    }
    text.remove_prefix(dollar + 1);
    if (text.starts_with('$')) {
      expanded.push_back('$');
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = text.find('}');
    if (!text.starts_with('{') || end == std::string_view::npos || end == 1) {
      return Invalid("a dollar must begin ${NAME}, or be written twice");
    }
    const std::string name(text.substr(1, end - 1));
    const std::optional<std::string> value = environment(name);
    if (!value) {
      return Invalid("the environment has no variable " + name + "; set it before the start");
    }
    if (value->size() >= kShortest) {
      values_.push_back(*value);
      std::ranges::sort(values_, std::greater(), &std::string::size);
    }
    expanded.append(*value);
    text.remove_prefix(end + 1);
  }
  return expanded;
}

std::string Secrets::Hide(std::string text) const {
  for (const std::string& value : values_) {
    for (std::size_t at = text.find(value); at != std::string::npos;
         at = text.find(value, at + kHidden.size())) {
      text.replace(at, value.size(), kHidden);
    }
  }
  return text;
}

}  // namespace stator::hosting

// One text for every JSON object that says the same: names sorted at every level, no blanks.
// Numbers and strings stay as they were written, since 1 and 1.0 are different to those who
// compare.

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/try.h"
#include "stator/stores/events/append.h"
#include "value/plain_json.h"

namespace stator::events {
namespace {

constexpr int kDepthMax = 32;

std::unexpected<Error> NotJson() {
  return Invalid("the payload is not a JSON object");
}

// Walks over text that is known to be JSON, so it looks at structure only.
class Canonicalizer {
 public:
  explicit Canonicalizer(std::string_view text) : text_(text) {}

  Result<std::string> Run() {
    SkipBlanks();
    if (Peek() != '{') {
      return NotJson();
    }
    return TakeValue(0);
  }

 private:
  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  Result<std::string> TakeValue(int depth) {
    if (depth > kDepthMax) {
      return Invalid("the payload is nested too deeply");
    }
    SkipBlanks();
    switch (Peek()) {
      case '{':
        return TakeObject(depth);
      case '[':
        return TakeArray(depth);
      case '"':
        return TakeString();
      default:
        return TakeWord();
    }
  }

  Result<std::string> TakeObject(int depth) {
    std::vector<std::pair<std::string, std::string>> members;
    ++at_;
    SkipBlanks();
    while (Peek() != '}') {
      std::string name = TRY(TakeString());
      SkipBlanks();
      ++at_;  // the colon
      members.emplace_back(std::move(name), TRY(TakeValue(depth + 1)));
      SkipBlanks();
      if (Peek() == ',') {
        ++at_;
        SkipBlanks();
      } else if (Peek() != '}') {
        return NotJson();
      }
    }
    ++at_;
    std::sort(members.begin(), members.end());
    TRY_VOID(RefuseDuplicates(members));
    std::string out = "{";
    for (const auto& [name, value] : members) {
      out += out.size() > 1 ? "," : "";
      out += name;
      out += ':';
      out += value;
    }
    return out + "}";
  }

  // Which of the two counts, readers do not agree about.
  static Result<void> RefuseDuplicates(
      const std::vector<std::pair<std::string, std::string>>& members) {
    std::set<std::string> names;
    for (const auto& [name, value] : members) {
      const Result<AttributeValue> text = value::ValueFromPlainJson(name);
      const std::string* decoded = text ? text->If<std::string>() : nullptr;
      if (decoded == nullptr || !names.insert(*decoded).second) {
        return Invalid("the payload has an object with a name twice");
      }
    }
    return {};
  }

  Result<std::string> TakeArray(int depth) {
    std::string out = "[";
    ++at_;
    SkipBlanks();
    while (Peek() != ']') {
      out += out.size() > 1 ? "," : "";
      out += TRY(TakeValue(depth + 1));
      SkipBlanks();
      if (Peek() == ',') {
        ++at_;
      } else if (Peek() != ']') {
        return NotJson();
      }
    }
    ++at_;
    return out + "]";
  }

  Result<std::string> TakeString() {
    const std::size_t start = at_++;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    if (at_ >= text_.size()) {
      return NotJson();
    }
    ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  Result<std::string> TakeWord() {
    const std::size_t start = at_;
    at_ = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
    if (at_ == start) {
      return NotJson();
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::string> MakeCanonicalJson(std::string_view json) {
  if (!value::ValueFromPlainJson(json)) {
    return NotJson();
  }
  return Canonicalizer(json).Run();
}

}  // namespace stator::events

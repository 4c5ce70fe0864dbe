#include "value/json_scanner.h"

#include "base/try.h"

namespace stator::value {
namespace {

constexpr bool IsDigit(char character) {
  return character >= '0' && character <= '9';
}

void AppendUtf8(std::uint32_t code_point, std::string& out) {
  // The leading byte says how many follow, each with six bits.
  const unsigned following = code_point < 0x80      ? 0
                             : code_point < 0x800   ? 1
                             : code_point < 0x10000 ? 2
                                                    : 3;
  constexpr std::uint32_t kLeads[] = {0x00, 0xC0, 0xE0, 0xF0};
  out.push_back(static_cast<char>(kLeads[following] | code_point >> (6 * following)));
  for (unsigned left = following; left > 0; --left) {
    out.push_back(static_cast<char>(0x80U | (code_point >> (6 * (left - 1)) & 0x3FU)));
  }
}

constexpr bool IsHighSurrogate(std::uint32_t code_point) {
  return code_point >= 0xD800 && code_point < 0xDC00;
}
constexpr bool IsLowSurrogate(std::uint32_t code_point) {
  return code_point >= 0xDC00 && code_point < 0xE000;
}

}  // namespace

char JsonScanner::Peek() {
  while (at_ < text_.size() && std::string_view(" \t\n\r").contains(text_[at_])) {
    ++at_;
  }
  return Next();
}

bool JsonScanner::Take(char expected) {
  const bool there = at_ < text_.size() && text_[at_] == expected;
  at_ += there ? 1 : 0;
  return there;
}

bool JsonScanner::TakeDigits() {
  const std::size_t start = at_;
  while (IsDigit(Next())) {
    ++at_;
  }
  return at_ > start;
}

Result<void> JsonScanner::TakeWord(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) {
    return Malformed("a value");
  }
  at_ += word.size();
  return {};
}

Result<std::string_view> JsonScanner::ReadNumber() {
  const std::size_t start = at_;
  Take('-');
  if (!Take('0') && !TakeDigits()) {
    return Malformed("a value");
  }
  if (Take('.') && !TakeDigits()) {
    return Malformed("a digit");
  }
  if (Take('e') || Take('E')) {
    if (!Take('+')) {
      Take('-');
    }
    if (!TakeDigits()) {
      return Malformed("a digit");
    }
  }
  return text_.substr(start, at_ - start);
}

Result<std::string> JsonScanner::ReadString() {
  Take('"');
  std::string out;
  for (;;) {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
           static_cast<unsigned char>(text_[at_]) >= 0x20) {
      ++at_;
    }
    out.append(text_, start, at_ - start);
    if (Take('"')) {
      return out;
    }
    if (!Take('\\')) {
      return Malformed("the end of a string");
    }
    TRY_VOID(ReadEscape(out));
  }
}

Result<std::string> JsonScanner::ReadName() {
  if (Peek() != '"') {
    return Malformed("a name");
  }
  std::string name = TRY(ReadString());
  Peek();
  if (!Take(':')) {
    return Malformed("':'");
  }
  return name;
}

Result<void> JsonScanner::ReadEscape(std::string& out) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (const std::size_t found = kEscapes.find(Next()); found != std::string_view::npos) {
    ++at_;
    out.push_back(kMeanings[found]);
    return {};
  }
  if (!Take('u')) {
    return Malformed("an escape");
  }
  std::uint32_t code_point = TRY(ReadHex4());
  if (IsLowSurrogate(code_point)) {
    return Malformed("a pair of surrogates");
  }
  if (IsHighSurrogate(code_point)) {
    if (!Take('\\') || !Take('u')) {
      return Malformed("a pair of surrogates");
    }
    const std::uint32_t low = TRY(ReadHex4());
    if (!IsLowSurrogate(low)) {
      return Malformed("a pair of surrogates");
    }
    code_point = 0x10000 + ((code_point - 0xD800) << 10U) + (low - 0xDC00);
  }
  AppendUtf8(code_point, out);
  return {};
}

Result<std::uint32_t> JsonScanner::ReadHex4() {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  std::uint32_t value = 0;
  for (int digit = 0; digit < 4; ++digit) {
    const std::size_t found = kDigits.find(Next());
    if (found == std::string_view::npos) {
      return Malformed("four hexadecimal digits");
    }
    value = value << 4U | static_cast<std::uint32_t>(found < 16 ? found : found - 6);
    ++at_;
  }
  return value;
}

Result<void> JsonScanner::End() {
  Peek();
  if (at_ != text_.size()) {
    return Malformed("nothing more");
  }
  return {};
}

std::unexpected<Error> JsonScanner::Malformed(std::string_view expected) const {
  return Fail(ErrorCode::kSerialization,
              "not JSON: expected " + std::string(expected) + " at byte " + std::to_string(at_));
}

}  // namespace stator::value

// A reader of JSON (RFC 8259) that hands the text of a number on as it stands. simdjson turns
// numbers into 64 bits or a double on the way, and refuses longer ones.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/try.h"
#include "value/check_value.h"
#include "value/plain_json.h"
#include "value/refusals.h"

namespace stator::value {
namespace {

constexpr bool IsDigit(char character) {
  return character >= '0' && character <= '9';
}

std::optional<std::uint32_t> HexValue(char character) {
  if (IsDigit(character)) {
    return character - '0';
  }
  if (character >= 'a' && character <= 'f') {
    return character - 'a' + 10;
  }
  if (character >= 'A' && character <= 'F') {
    return character - 'A' + 10;
  }
  return std::nullopt;
}

void AppendUtf8(std::uint32_t code_point, std::string& out) {
  const auto tail = [&](unsigned shift) {
    out.push_back(static_cast<char>(0x80U | (code_point >> shift & 0x3FU)));
  };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xC0U | code_point >> 6U));
    tail(0);
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xE0U | code_point >> 12U));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0U | code_point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

// REQUIRES: UTF-8. Recursion ends where DynamoDB's nesting limit does.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<AttributeValue> ReadDocument() {
    // The root may be an item, whose attributes are on level 1.
    AttributeValue value = TRY(ReadValue(0));
    SkipSpace();
    if (at_ != text_.size()) {
      return Malformed("nothing more");
    }
    return value;
  }

 private:
  Result<AttributeValue> ReadValue(std::size_t level);
  Result<AttributeValue> ReadObject(std::size_t level);
  Result<AttributeValue> ReadArray(std::size_t level);
  Result<AttributeValue> ReadNumber();
  Result<AttributeValue> ReadWord(std::string_view word, AttributeValue value);
  Result<std::string> ReadString();
  Result<std::string> ReadName();
  Result<void> ReadEscape(std::string& out);
  Result<std::uint32_t> ReadHex4();

  void SkipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").contains(text_[at_])) {
      ++at_;
    }
  }
  // A NUL at the end, which no grammar rule below accepts.
  [[nodiscard]] char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char expected) {
    const bool there = Next() == expected;
    at_ += there ? 1 : 0;
    return there;
  }
  bool TakeDigits() {
    const std::size_t start = at_;
    while (IsDigit(Next())) {
      ++at_;
    }
    return at_ > start;
  }
  [[nodiscard]] std::unexpected<Error> Malformed(std::string_view expected) const {
    return Fail(ErrorCode::kSerialization,
                "not JSON: expected " + std::string(expected) + " at byte " + std::to_string(at_));
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

Result<AttributeValue> Reader::ReadValue(std::size_t level) {
  SkipSpace();
  switch (Next()) {
    case '{':
      return ReadObject(level);
    case '[':
      return ReadArray(level);
    case '"':
      return TRY(ReadString());
    case 't':
      return ReadWord("true", true);
    case 'f':
      return ReadWord("false", false);
    case 'n':
      return ReadWord("null", Null{});
    default:
      return ReadNumber();
  }
}

Result<AttributeValue> Reader::ReadWord(std::string_view word, AttributeValue value) {
  if (!text_.substr(at_).starts_with(word)) {
    return Malformed("a value");
  }
  at_ += word.size();
  return value;
}

Result<AttributeValue> Reader::ReadNumber() {
  const std::size_t start = at_;
  Take('-');
  const bool zero = Take('0');
  if (!zero && !TakeDigits()) {
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
  return TRY(Number::Parse(text_.substr(start, at_ - start)));
}

Result<AttributeValue> Reader::ReadArray(std::size_t level) {
  if (!MayHoldEntries(level)) {
    return std::unexpected(TooDeep());
  }
  Take('[');
  List list;
  SkipSpace();
  if (Take(']')) {
    return list;
  }
  do {
    list.push_back(TRY(ReadValue(level + 1)));
    SkipSpace();
  } while (Take(','));
  if (!Take(']')) {
    return Malformed("',' or ']'");
  }
  return list;
}

Result<AttributeValue> Reader::ReadObject(std::size_t level) {
  if (!MayHoldEntries(level)) {
    return std::unexpected(TooDeep());
  }
  Take('{');
  std::vector<Map::value_type> entries;
  SkipSpace();
  if (Take('}')) {
    return Map();
  }
  do {
    std::string name = TRY(ReadName());
    entries.emplace_back(std::move(name), TRY(ReadValue(level + 1)));
    SkipSpace();
  } while (Take(','));
  if (!Take('}')) {
    return Malformed("',' or '}'");
  }
  Map map;
  map.Assign(std::move(entries));
  return map;
}

Result<std::string> Reader::ReadName() {
  SkipSpace();
  if (Next() != '"') {
    return Malformed("a name");
  }
  std::string name = TRY(ReadString());
  if (name.empty()) {
    return std::unexpected(EmptyName());
  }
  if (name.size() > limits::kAttributeNameBytesMax) {
    return std::unexpected(NameTooLong());
  }
  SkipSpace();
  if (!Take(':')) {
    return Malformed("':'");
  }
  return name;
}

Result<std::string> Reader::ReadString() {
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

Result<void> Reader::ReadEscape(std::string& out) {
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
  const bool low_alone = code_point >= 0xDC00 && code_point < 0xE000;
  if (low_alone) {
    return Malformed("a pair of surrogates");
  }
  if (code_point >= 0xD800 && code_point < 0xDC00) {
    if (!Take('\\') || !Take('u')) {
      return Malformed("a pair of surrogates");
    }
    const std::uint32_t low = TRY(ReadHex4());
    if (low < 0xDC00 || low >= 0xE000) {
      return Malformed("a pair of surrogates");
    }
    code_point = 0x10000 + ((code_point - 0xD800) << 10U) + (low - 0xDC00);
  }
  AppendUtf8(code_point, out);
  return {};
}

Result<std::uint32_t> Reader::ReadHex4() {
  std::uint32_t value = 0;
  for (int digit = 0; digit < 4; ++digit) {
    const std::optional<std::uint32_t> hex = HexValue(Next());
    if (!hex) {
      return Malformed("four hexadecimal digits");
    }
    value = value << 4U | *hex;
    ++at_;
  }
  return value;
}

}  // namespace

Result<AttributeValue> ValueFromPlainJson(std::string_view text) {
  if (!IsUtf8(text)) {
    return Fail(ErrorCode::kSerialization, "not JSON: expected UTF-8");
  }
  return Reader(text).ReadDocument();
}

}  // namespace stator::value

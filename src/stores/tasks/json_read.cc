// A reader of JSON (RFC 8259) that keeps the texts of numbers and the order of members, which is
// why it is neither simdjson nor the reader of attribute values.

#include <cstdint>
#include <optional>

#include "base/try.h"
#include "stator/stores/tasks/json.h"
#include "value/check_value.h"

namespace stator::tasks {
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

// REQUIRES: UTF-8.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Result<Json> ReadDocument() {
    Json value = TRY(ReadValue(0));
    SkipSpace();
    if (at_ != text_.size()) {
      return Malformed("nothing more");
    }
    return value;
  }

 private:
  Result<Json> ReadValue(std::size_t depth);
  Result<Json> ReadObject(std::size_t depth);
  Result<Json> ReadArray(std::size_t depth);
  Result<Json> ReadNumber();
  Result<Json> ReadWord(std::string_view word, Json value);
  Result<std::string> ReadString();
  Result<void> ReadEscape(std::string& out);
  Result<std::uint32_t> ReadHex4();

  void SkipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").contains(text_[at_])) {
      ++at_;
    }
  }
  // A NUL at the end, which no rule below accepts.
  [[nodiscard]] char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char expected) {
    const bool there = at_ < text_.size() && text_[at_] == expected;
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

Result<Json> JsonReader::ReadValue(std::size_t depth) {
  if (depth > Json::kDepthMax) {
    return Fail(ErrorCode::kSerialization, "the JSON nests too deep");
  }
  SkipSpace();
  switch (Next()) {
    case '{':
      return ReadObject(depth);
    case '[':
      return ReadArray(depth);
    case '"':
      return TRY(ReadString());
    case 't':
      return ReadWord("true", true);
    case 'f':
      return ReadWord("false", false);
    case 'n':
      return ReadWord("null", nullptr);
    default:
      return ReadNumber();
  }
}

Result<Json> JsonReader::ReadWord(std::string_view word, Json value) {
  if (!text_.substr(at_).starts_with(word)) {
    return Malformed("a value");
  }
  at_ += word.size();
  return value;
}

Result<Json> JsonReader::ReadNumber() {
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
  return JsonNumber{std::string(text_.substr(start, at_ - start))};
}

Result<Json> JsonReader::ReadArray(std::size_t depth) {
  Take('[');
  JsonArray array;
  SkipSpace();
  if (Take(']')) {
    return array;
  }
  do {
    array.push_back(TRY(ReadValue(depth + 1)));
    SkipSpace();
  } while (Take(','));
  if (!Take(']')) {
    return Malformed("',' or ']'");
  }
  return array;
}

Result<Json> JsonReader::ReadObject(std::size_t depth) {
  Take('{');
  std::vector<JsonObject::value_type> members;
  SkipSpace();
  if (Take('}')) {
    return JsonObject();
  }
  do {
    SkipSpace();
    if (Next() != '"') {
      return Malformed("a name");
    }
    std::string name = TRY(ReadString());
    SkipSpace();
    if (!Take(':')) {
      return Malformed("':'");
    }
    members.emplace_back(std::move(name), TRY(ReadValue(depth + 1)));
    SkipSpace();
  } while (Take(','));
  if (!Take('}')) {
    return Malformed("',' or '}'");
  }
  return JsonObject(std::move(members));
}

Result<std::string> JsonReader::ReadString() {
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

Result<void> JsonReader::ReadEscape(std::string& out) {
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
  if (code_point >= 0xD800 && code_point < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    const std::uint32_t low = TRY(ReadHex4());
    if (low < 0xDC00 || low >= 0xE000) {
      return Malformed("a pair of surrogates");
    }
    code_point = 0x10000 + ((code_point - 0xD800) << 10U) + (low - 0xDC00);
  }
  if (code_point >= 0xD800 && code_point < 0xE000) {
    return Malformed("a pair of surrogates");
  }
  AppendUtf8(code_point, out);
  return {};
}

Result<std::uint32_t> JsonReader::ReadHex4() {
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

}  // namespace

Result<Json> Json::Parse(std::string_view text) {
  if (!value::IsUtf8(text)) {
    return Fail(ErrorCode::kSerialization, "not JSON: expected UTF-8");
  }
  return JsonReader(text).ReadDocument();
}

}  // namespace stator::tasks

#include "value/json_reader.h"

#include "base/base64.h"
#include "stator/value/number.h"

namespace stator::value {
namespace {

// The spellings of a boolean that the service takes in quotes.
std::optional<bool> BooleanFromText(std::string_view text) {
  std::string upper(text.substr(0, 8));
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char character) {
    return character >= 'a' && character <= 'z' ? static_cast<char>(character - 'a' + 'A')
                                                : character;
  });
  if (upper == "TRUE" || upper == "1" || upper == "YES") {
    return true;
  }
  if (upper == "FALSE" || upper == "0" || upper == "NO") {
    return false;
  }
  return std::nullopt;
}

}  // namespace

std::size_t JsonReader::CountOf(const Array& json) {
  constexpr std::size_t kEnd = 0xFFFFFF;
  std::size_t count = json.size();
  if (count >= kEnd) [[unlikely]] {
    count = 0;
    for (auto each = json.begin(); each != json.end(); ++each) {
      ++count;
    }
  }
  return count;
}

Number JsonReader::ReadNumber(const Element& json) {
  std::string_view text;
  if (json.get(text) != simdjson::SUCCESS) {
    RefuseType(NotConvertible(json, "String"));
    return {};
  }
  Result<Number> number = Number::Parse(text);
  if (!number) {
    Refuse(NotNumber(text, std::move(number).error(), words_));
    return {};
  }
  return *number;
}

std::string JsonReader::ReadBytes(const Element& json) {
  std::string_view text;
  if (json.get(text) != simdjson::SUCCESS) {
    RefuseType(NotBytes(json));
    return {};
  }
  std::optional<std::string> bytes = base::DecodeBase64(text);
  if (!bytes) {
    RefuseType(NotBase64(text));
    return {};
  }
  return *std::move(bytes);
}

bool JsonReader::ReadBoolean(const Element& json) {
  bool value = true;
  std::string_view text;
  if (json.get(value) == simdjson::SUCCESS) {
    return value;
  }
  if (json.get(text) == simdjson::SUCCESS) {
    if (const std::optional<bool> spelled = BooleanFromText(text)) {
      return *spelled;
    }
  }
  RefuseType(NotConvertible(json, "Boolean"));
  return true;
}

void JsonReader::ReadNull(const Element& json) {
  if (!ReadBoolean(json)) {
    Refuse(FalseNull());
  }
}

std::optional<JsonReader::Array> JsonReader::ReadArray(const Element& json) {
  Array members;
  if (json.get(members) == simdjson::SUCCESS) {
    return members;
  }
  RefuseType(NotArray(json));
  return std::nullopt;
}

}  // namespace stator::value

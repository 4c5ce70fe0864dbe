#include <utility>
#include <vector>

#include "base/try.h"
#include "value/check_value.h"
#include "value/json_scanner.h"
#include "value/plain_json.h"
#include "value/refusals.h"

namespace stator::value {
namespace {

// Recursion ends where DynamoDB's nesting limit does.
class Reader {
 public:
  explicit Reader(std::string_view text) : scanner_(text) {}

  Result<AttributeValue> ReadDocument() {
    // The root may be an item, whose attributes are on level 1.
    AttributeValue value = TRY(ReadValue(0));
    TRY_VOID(scanner_.End());
    return value;
  }

 private:
  Result<AttributeValue> ReadValue(std::size_t level);
  Result<AttributeValue> ReadObject(std::size_t level);
  Result<AttributeValue> ReadArray(std::size_t level);
  Result<AttributeValue> ReadWord(std::string_view word, AttributeValue value);
  Result<std::string> ReadName();

  JsonScanner scanner_;
};

Result<AttributeValue> Reader::ReadValue(std::size_t level) {
  switch (scanner_.Peek()) {
    case '{':
      return ReadObject(level);
    case '[':
      return ReadArray(level);
    case '"':
      return TRY(scanner_.ReadString());
    case 't':
      return ReadWord("true", true);
    case 'f':
      return ReadWord("false", false);
    case 'n':
      return ReadWord("null", Null{});
    default: {
      const std::string_view number = TRY(scanner_.ReadNumber());
      return TRY(Number::Parse(number));
    }
  }
}

Result<AttributeValue> Reader::ReadWord(std::string_view word, AttributeValue value) {
  TRY_VOID(scanner_.TakeWord(word));
  return value;
}

Result<AttributeValue> Reader::ReadArray(std::size_t level) {
  if (!MayHoldEntries(level)) {
    return std::unexpected(TooDeep());
  }
  scanner_.Take('[');
  List list;
  scanner_.Peek();
  if (scanner_.Take(']')) {
    return list;
  }
  do {
    list.push_back(TRY(ReadValue(level + 1)));
    scanner_.Peek();
  } while (scanner_.Take(','));
  if (!scanner_.Take(']')) {
    return scanner_.Malformed("',' or ']'");
  }
  return list;
}

Result<AttributeValue> Reader::ReadObject(std::size_t level) {
  if (!MayHoldEntries(level)) {
    return std::unexpected(TooDeep());
  }
  scanner_.Take('{');
  std::vector<Map::value_type> entries;
  scanner_.Peek();
  if (scanner_.Take('}')) {
    return Map();
  }
  do {
    std::string name = TRY(ReadName());
    entries.emplace_back(std::move(name), TRY(ReadValue(level + 1)));
    scanner_.Peek();
  } while (scanner_.Take(','));
  if (!scanner_.Take('}')) {
    return scanner_.Malformed("',' or '}'");
  }
  Map map;
  map.Assign(std::move(entries));
  return map;
}

Result<std::string> Reader::ReadName() {
  std::string name = TRY(scanner_.ReadName());
  if (name.empty()) {
    return std::unexpected(EmptyName());
  }
  if (name.size() > limits::kAttributeNameBytesMax) {
    return std::unexpected(NameTooLong());
  }
  return name;
}

}  // namespace

Result<AttributeValue> ValueFromPlainJson(std::string_view text) {
  if (!IsUtf8(text)) {
    return Fail(ErrorCode::kSerialization, "not JSON: expected UTF-8");
  }
  return Reader(text).ReadDocument();
}

}  // namespace stator::value

#include <utility>
#include <vector>

#include "base/try.h"
#include "stator/stores/tasks/json.h"
#include "value/check_value.h"
#include "value/json_scanner.h"

namespace stator::tasks {
namespace {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : scanner_(text) {}

  Result<Json> ReadDocument() {
    Json value = TRY(ReadValue(0));
    TRY_VOID(scanner_.End());
    return value;
  }

 private:
  Result<Json> ReadValue(std::size_t depth);
  Result<Json> ReadObject(std::size_t depth);
  Result<Json> ReadArray(std::size_t depth);
  Result<Json> ReadWord(std::string_view word, Json value);

  value::JsonScanner scanner_;
};

Result<Json> JsonReader::ReadValue(std::size_t depth) {
  if (depth > Json::kDepthMax) {
    return Fail(ErrorCode::kSerialization, "the JSON nests too deep");
  }
  switch (scanner_.Peek()) {
    case '{':
      return ReadObject(depth);
    case '[':
      return ReadArray(depth);
    case '"':
      return TRY(scanner_.ReadString());
    case 't':
      return ReadWord("true", true);
    case 'f':
      return ReadWord("false", false);
    case 'n':
      return ReadWord("null", nullptr);
    default:
      return JsonNumber{std::string(TRY(scanner_.ReadNumber()))};
  }
}

Result<Json> JsonReader::ReadWord(std::string_view word, Json value) {
  TRY_VOID(scanner_.TakeWord(word));
  return value;
}

Result<Json> JsonReader::ReadArray(std::size_t depth) {
  scanner_.Take('[');
  JsonArray array;
  scanner_.Peek();
  if (scanner_.Take(']')) {
    return array;
  }
  do {
    array.push_back(TRY(ReadValue(depth + 1)));
    scanner_.Peek();
  } while (scanner_.Take(','));
  if (!scanner_.Take(']')) {
    return scanner_.Malformed("',' or ']'");
  }
  return array;
}

Result<Json> JsonReader::ReadObject(std::size_t depth) {
  scanner_.Take('{');
  std::vector<JsonObject::value_type> members;
  scanner_.Peek();
  if (scanner_.Take('}')) {
    return JsonObject();
  }
  do {
    std::string name = TRY(scanner_.ReadName());
    members.emplace_back(std::move(name), TRY(ReadValue(depth + 1)));
    scanner_.Peek();
  } while (scanner_.Take(','));
  if (!scanner_.Take('}')) {
    return scanner_.Malformed("',' or '}'");
  }
  return JsonObject(std::move(members));
}

}  // namespace

Result<Json> Json::Parse(std::string_view text) {
  if (!value::IsUtf8(text)) {
    return Fail(ErrorCode::kSerialization, "not JSON: expected UTF-8");
  }
  return JsonReader(text).ReadDocument();
}

}  // namespace stator::tasks

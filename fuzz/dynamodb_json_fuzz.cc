// Arbitrary bytes as DynamoDB JSON, as plain JSON and as a number. What a reader accepts must print
// to text that reads back as the same value of the same size, and pass the checks for values that a
// program built. The row that is made of an item straight from its JSON is that of the tree, and what
// is refused is refused alike.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "stator/value/number.h"
#include "value/check_value.h"
#include "value/dynamodb_json.h"
#include "value/item_codec.h"
#include "value/plain_json.h"
#include "value/size.h"
#include "value/stored_map.h"

namespace {

using stator::Number;

void ReadDynamoDbJson(std::string_view text) {
  const auto item = stator::value::ParseDynamoDbItem(text);
  if (!item) {
    return;
  }
  CHECK(stator::value::CheckItem(*item).has_value());
  const std::string printed = stator::value::ToDynamoDbJson(*item);
  const auto again = stator::value::ParseDynamoDbItem(printed);
  CHECK_THAT(again.has_value(), printed);
  CHECK_THAT(*again == *item, printed);
  CHECK_THAT(stator::value::SizeOfItem(*again) == stator::value::SizeOfItem(*item), printed);
  CHECK_THAT(stator::value::ToDynamoDbJson(*again) == printed, printed);
  // Whatever the item holds, its plain form is JSON.
  CHECK_THAT(stator::value::ValueFromPlainJson(stator::value::ToPlainJson(*item)).has_value(),
             printed);
}

void ReadAsRow(std::string_view text, stator::value::Words words) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) {
    return;
  }
  const auto tree = stator::value::MapFromJson(root, words);
  const auto stored = stator::value::StoredItemFromJson(root, words);
  CHECK(stored.has_value() == tree.has_value());
  if (!tree) {
    CHECK_THAT(stored.error().message == tree.error().message, tree.error().message);
    CHECK(stored.error().code == tree.error().code);
    return;
  }
  std::string row;
  stator::value::AppendItem(*tree, row);
  CHECK(stored->stored()->bytes() == row);
  CHECK(stator::value::SizeOfItem(*stored) == stator::value::SizeOfItem(*tree));
  CHECK(stator::value::CheckItem(row).value() == stator::value::SizeOfItem(*tree));
}

void ReadPlainJson(std::string_view text) {
  const auto value = stator::value::ValueFromPlainJson(text);
  if (!value) {
    return;
  }
  const std::string printed = stator::value::ToPlainJson(*value);
  const auto again = stator::value::ValueFromPlainJson(printed);
  CHECK_THAT(again.has_value(), printed);
  CHECK_THAT(*again == *value, printed);
}

void ReadNumber(std::string_view text) {
  const auto number = Number::Parse(text);
  if (!number) {
    return;
  }
  const std::string printed = number->ToString();
  CHECK_THAT(Number::Parse(printed).value() == *number, printed);
  CHECK_THAT(Number::Subtract(*number, *number).value() == Number(), printed);
  CHECK_THAT(Number::FromParts(number->is_negative(), number->coefficient_high(),
                               number->coefficient_low(), number->exponent())
                     .value() == *number,
             printed);
}

}  // namespace

// The name is libFuzzer's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadDynamoDbJson(text);
  ReadAsRow(text, stator::value::Words::kOlder);
  ReadAsRow(text, stator::value::Words::kCurrent);
  ReadPlainJson(text);
  ReadNumber(text);
  return 0;
}

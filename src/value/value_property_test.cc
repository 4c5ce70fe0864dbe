// What must hold for all values: text and back gives the same value and size, the orders of the
// scalar types are orders, and no text, however damaged, does more than fail.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/property.h"
#include "value/check_value.h"
#include "value/dynamodb_json.h"
#include "value/plain_json.h"
#include "value/size.h"
#include "value/value_generators.h"

namespace stator::value {
namespace {

using base::CheckProperty;

TEST(ValueProperty, DynamoDbJsonGivesTheSameItemBack) {
  CheckProperty(600, [] {
    const Item item = *AnyItem();
    const Result<Item> read = ParseDynamoDbItem(ToDynamoDbJson(item));
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == item);
    RC_ASSERT(SizeOfItem(*read) == SizeOfItem(item));
    RC_ASSERT(CheckItem(*read).has_value());
  });
}

TEST(ValueProperty, DynamoDbJsonIgnoresTheOrderOfNames) {
  CheckProperty(200, [] {
    const Item item = *AnyItem();
    std::vector<std::string> members;
    for (const auto& [name, value] : item) {
      const std::string entry = ToDynamoDbJson(Map{{name, value}});
      members.push_back(entry.substr(1, entry.size() - 2));
    }
    std::string text = "{";
    for (auto member = members.rbegin(); member != members.rend(); ++member) {
      text += (text.size() > 1 ? "," : "") + *member;
    }
    RC_ASSERT(ParseDynamoDbItem(text + "}").value() == item);
  });
}

// What plain JSON can say: sets come back as lists, binaries as text.
AttributeValue AsPlain(const AttributeValue& value) {
  if (const List* list = value.If<List>()) {
    List plain;
    for (const AttributeValue& member : *list) {
      plain.push_back(AsPlain(member));
    }
    return plain;
  }
  if (const Map* map = value.If<Map>()) {
    Map plain;
    for (const auto& [name, member] : *map) {
      plain.Append(name, AsPlain(member));
    }
    return plain;
  }
  const bool has_no_plain_form =
      value.Is<Binary>() || value.Is<StringSet>() || value.Is<NumberSet>() || value.Is<BinarySet>();
  return has_no_plain_form ? AttributeValue("replaced") : value;
}

TEST(ValueProperty, PlainJsonGivesTheSameValueBack) {
  CheckProperty(500, [] {
    const AttributeValue value = AsPlain(*AnyValue(3));
    const Result<AttributeValue> read = ValueFromPlainJson(ToPlainJson(value));
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == value);
  });
}

TEST(ValueProperty, PlainJsonOfAnyValueIsJson) {
  CheckProperty(200, [] { RC_ASSERT(ValueFromPlainJson(ToPlainJson(*AnyValue(3))).has_value()); });
}

void CheckOrderOf(const AttributeValue& a, const AttributeValue& b, const AttributeValue& c) {
  const std::partial_ordering order = CompareScalars(a, b);
  RC_ASSERT(CompareScalars(a, a) == std::partial_ordering::equivalent);
  RC_ASSERT(order == (0 <=> CompareScalars(b, a)));
  RC_ASSERT((order == 0) == (a == b));
  RC_ASSERT((!(order < 0 && CompareScalars(b, c) < 0) || CompareScalars(a, c) < 0));
}

template <class Member>
void CheckOrder(const rc::Gen<Member>& any) {
  CheckProperty(1000, [any] { CheckOrderOf(*any, *any, *any); });
}

TEST(ValueProperty, StringsAreOrdered) {
  CheckOrder(AnyText());
}
TEST(ValueProperty, NumbersAreOrdered) {
  CheckOrder(AnyNumber());
}
TEST(ValueProperty, BinariesAreOrdered) {
  CheckOrder(AnyBinary());
}

TEST(ValueProperty, BinariesAreOrderedByUnsignedBytes) {
  CheckProperty(1000, [](const std::string& left, const std::string& right) {
    const std::vector<unsigned char> left_bytes(left.begin(), left.end());
    const std::vector<unsigned char> right_bytes(right.begin(), right.end());
    RC_ASSERT((CompareScalars(Binary{left}, Binary{right}) < 0) == (left_bytes < right_bytes));
  });
}

// One to three random changes: bytes replaced, removed, inserted, or a piece repeated.
std::string Damaged(std::string text) {
  const int changes = *rc::gen::inRange(1, 4);
  for (int change = 0; change < changes && !text.empty(); ++change) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char byte = *rc::gen::oneOf(rc::gen::elementOf(std::string("{}[]\",:\\0-SNBLM")),
                                      rc::gen::arbitrary<char>());
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.erase(at, *rc::gen::inRange<std::size_t>(1, 8));
        break;
      case 2:
        text.insert(at, 1, byte);
        break;
      default:
        text.insert(at, text.substr(at, *rc::gen::inRange<std::size_t>(1, 40)));
        break;
    }
  }
  return text;
}

TEST(ValueProperty, DamagedDynamoDbJsonFailsOrMeansWhatItSays) {
  CheckProperty(500, [] {
    const std::string text = Damaged(ToDynamoDbJson(*AnyItem()));
    const Result<Item> item = ParseDynamoDbItem(text);
    if (item) {
      RC_ASSERT(CheckItem(*item).has_value());
      RC_ASSERT(ParseDynamoDbItem(ToDynamoDbJson(*item)).value() == *item);
    } else {
      RC_ASSERT(!item.error().message.empty());
    }
  });
}

TEST(ValueProperty, DamagedPlainJsonFailsOrMeansWhatItSays) {
  CheckProperty(500, [] {
    const std::string text = Damaged(ToPlainJson(*AnyValue(3)));
    const Result<AttributeValue> value = ValueFromPlainJson(text);
    // The two readers agree on what is JSON, apart from numbers and DynamoDB's own limits.
    simdjson::dom::parser parser;
    if (parser.parse(text).error() == simdjson::SUCCESS) {
      RC_ASSERT((value.has_value() || value.error().code == ErrorCode::kValidation));
    }
    if (value) {
      RC_ASSERT(ValueFromPlainJson(ToPlainJson(*value)).value() == *value);
    } else {
      RC_ASSERT(!value.error().message.empty());
    }
  });
}

}  // namespace
}  // namespace stator::value

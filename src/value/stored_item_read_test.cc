// What StoredItemFromJson (dynamodb_json.h) promises: the bytes and the size of the tree that
// MapFromJson makes, from every spelling of it, and the same refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/property.h"
#include "value/dynamodb_json.h"
#include "value/item_codec.h"
#include "value/json_text.h"
#include "value/size.h"
#include "value/stored_map.h"
#include "value/value_generators.h"

namespace stator::value {
namespace {

using base::CheckProperty;

std::string Encoded(const Item& item) {
  std::string row;
  AppendItem(item, row);
  return row;
}

// Why both forms of the item in `text` are not the same; empty when they are.
std::string Difference(std::string_view text, Words words = Words::kCurrent) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) {
    return "";
  }
  const Result<Item> tree = MapFromJson(root, words);
  const Result<Item> stored = StoredItemFromJson(root, words);
  if (tree.has_value() != stored.has_value()) {
    return tree ? "only the tree is accepted" : "only the row is accepted";
  }
  if (!tree) {
    const bool same =
        tree.error().code == stored.error().code && tree.error().message == stored.error().message;
    return same ? "" : "refused as " + tree.error().message + " and as " + stored.error().message;
  }
  if (stored->stored() == nullptr || stored->stored()->bytes() != Encoded(*tree)) {
    return "other bytes";
  }
  if (SizeOfItem(*stored) != SizeOfItem(*tree)) {
    return "another size";
  }
  // The row is one that reading accepts, and its size is what reading counts.
  const Result<std::size_t> checked = CheckItem(stored->stored()->bytes());
  return checked && *checked == SizeOfItem(*tree) ? "" : "a row that is refused";
}

Item Stored(std::string_view text) {
  simdjson::dom::parser parser;
  return StoredItemFromJson(parser.parse(text.data(), text.size()).value()).value();
}

TEST(StoredItemFromJson, MakesTheRowOfEveryType) {
  const Item item = {{"text", "a"},
                     {"empty", ""},
                     {"number", Number::Parse("-12.50").value()},
                     {"long", Number::Parse("12345678901234567890123456789012345678").value()},
                     {"bytes", Binary{std::string("\0\xff", 2)}},
                     {"yes", true},
                     {"no", false},
                     {"nothing", Null{}},
                     {"texts", StringSet{"b", "a", ""}},
                     {"numbers", NumberSet{10, 2, -1}},
                     {"binaries", BinarySet{Binary{"b"}, Binary{""}}},
                     {"list", List{1, "two", List{}, Map{{"three", 3}}}},
                     {"map", Map{{"inner", Map{{"deep", List{Null{}}}}}, {"a", "b"}}},
                     {"no entries", Map{}}};
  const std::string text = ToDynamoDbJson(item);
  EXPECT_EQ(Difference(text), "");
  EXPECT_EQ(Stored(text).stored()->bytes(), Encoded(item));
  EXPECT_EQ(Stored(text), item);
  EXPECT_EQ(Difference("{}"), "");
}

TEST(StoredItemFromJson, SortsNamesAndMembersAndSpellsNumbersOnce) {
  const std::string text =
      R"({"b":{"NS":["10","2e0","-1.0"]},"a":{"SS":["z","y"]},"c":{"N":"+001.500"},)"
      R"("d":{"M":{"y":{"BS":["Yg==","YQ=="]},"x":{"N":"1e2"}}}})";
  EXPECT_EQ(Difference(text), "");
  EXPECT_EQ(Stored(text).stored()->bytes(),
            Encoded({{"a", StringSet{"y", "z"}},
                     {"b", NumberSet{-1, 2, 10}},
                     {"c", Number::Parse("1.5").value()},
                     {"d", Map{{"x", 100}, {"y", BinarySet{Binary{"a"}, Binary{"b"}}}}}}));
}

TEST(StoredItemFromJson, LetsTheLastOfEqualNamesWin) {
  const std::string text =
      R"({"a":{"L":[{"S":"long gone"}]},"b":{"M":{"x":{"N":"1"},"x":{"N":"2"}}},)"
      R"("a":{"S":"1","S":"2"},"c":{"X":1,"N":null,"BOOL":"yes"}})";
  EXPECT_EQ(Difference(text), "");
  EXPECT_EQ(Stored(text).stored()->bytes(),
            Encoded({{"a", "2"}, {"b", Map{{"x", 2}}}, {"c", true}}));
}

TEST(StoredItemFromJson, HoldsItemsOfEverySize) {
  // From less than any memory that is kept to more, and back.
  for (const std::size_t bytes : {0U, 1U, 127U, 128U, 1000U, 70'000U, 400'000U, 10U}) {
    Item item = {{"id", "x"}, {"body", std::string(bytes, 'b')}};
    List list;
    for (std::size_t at = 0; at < bytes / 100; ++at) {
      list.emplace_back(Map{{"at", static_cast<std::int64_t>(at)}});
    }
    item.Set("list", std::move(list));
    EXPECT_EQ(Difference(ToDynamoDbJson(item)), "") << bytes;
  }
}

TEST(StoredItemFromJson, RefusesInTheSameWords) {
  const std::string deep = [] {
    std::string text = R"({"S":"x"})";
    for (int level = 0; level < 40; ++level) {
      text = R"({"L":[)" + text + "]}";
    }
    return text;
  }();
  const std::vector<std::string> refused = {
      "[]",
      "3",
      R"({"a":3})",
      R"({"a":null})",
      R"({"a":{}})",
      R"({"a":{"S":"x","N":"1"}})",
      R"({"a":{"S":"x","N":"b"}})",
      R"({"a":{"S":3}})",
      R"({"a":{"N":"x"}})",
      R"({"a":{"N":"1e126"}})",
      R"({"a":{"B":"YQ"}})",
      R"({"a":{"BOOL":"x"}})",
      R"({"a":{"NULL":false}})",
      R"({"a":{"SS":[]}})",
      R"({"a":{"SS":["a",null]}})",
      R"({"a":{"SS":["b","a","b"]}})",
      R"({"a":{"NS":["1","1.0"]}})",
      R"({"a":{"NS":["1",2]}})",
      R"({"a":{"BS":["YQ==","YQ=="]}})",
      R"({"a":{"L":[{"S":"x"},null]}})",
      R"({"a":{"L":{}}})",
      R"({"a":{"M":[]}})",
      R"({"a":{"M":{"":{"S":"x"}}}})",
      R"({"":{"S":"x"}})",
      R"({"b":{"N":"x"},"a":{"N":"y"}})",
      R"({"b":{"N":"x"},"a":{"S":1}})",
      R"({"a":)" + deep + "}",
      R"({"a":)" + deep + R"(,"":{"S":"x"}})",
      R"({")" + std::string(65'536, 'n') + R"(":{"S":"x"}})",
  };
  for (const Words words : {Words::kOlder, Words::kCurrent}) {
    for (const std::string& text : refused) {
      simdjson::dom::parser parser;
      ASSERT_FALSE(StoredItemFromJson(parser.parse(text).value(), words).has_value()) << text;
      EXPECT_EQ(Difference(text, words), "") << text;
    }
  }
}

// One of several texts that mean the same.
std::string SpelledNumber(const Number& number) {
  const std::string text = number.ToString();
  const bool has_point = text.find('.') != std::string::npos;
  return *rc::gen::element(text, text + "e0", text + (has_point ? "0" : ".0"),
                           number.is_negative() ? "-00" + text.substr(1) : "+00" + text);
}

std::string InQuotes(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, quoted);
  return quoted;
}

// Puts pieces of JSON into any order, between brackets.
std::string Shuffled(std::vector<std::string> pieces, const char* brackets) {
  std::string text(1, brackets[0]);
  while (!pieces.empty()) {
    const auto at = *rc::gen::inRange<std::size_t>(0, pieces.size());
    text += (text.size() > 1 ? "," : "") + pieces[at];
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return text + brackets[1];
}

std::string SpelledMap(const Map& map);

std::string Spelled(const AttributeValue& value) {
  if (const auto* number = value.If<Number>()) {
    return R"({"N":)" + InQuotes(SpelledNumber(*number)) + "}";
  }
  if (const auto* list = value.If<List>()) {
    std::string text;
    for (const AttributeValue& element : *list) {
      text += (text.empty() ? "" : ",") + Spelled(element);
    }
    return R"({"L":[)" + text + "]}";
  }
  if (const auto* map = value.If<Map>()) {
    return R"({"M":)" + SpelledMap(*map) + "}";
  }
  std::vector<std::string> members;
  if (const auto* texts = value.If<StringSet>()) {
    std::transform(texts->begin(), texts->end(), std::back_inserter(members), InQuotes);
    return R"({"SS":)" + Shuffled(std::move(members), "[]") + "}";
  }
  if (const auto* numbers = value.If<NumberSet>()) {
    for (const Number& number : *numbers) {
      members.push_back(InQuotes(SpelledNumber(number)));
    }
    return R"({"NS":)" + Shuffled(std::move(members), "[]") + "}";
  }
  return ToDynamoDbJson(value);
}

// In any order, some names twice: the last counts.
std::string SpelledMap(const Map& map) {
  std::vector<std::string> before;
  std::vector<std::string> entries;
  for (const auto& [name, value] : map) {
    if (*rc::gen::weightedElement<bool>({{5, false}, {1, true}})) {
      before.push_back(InQuotes(name) + ":" + ToDynamoDbJson(*AnyValue(0)));
    }
    entries.push_back(InQuotes(name) + ":" + Spelled(value));
  }
  std::string text = Shuffled(std::move(before), "{}");
  text.back() = text.size() > 2 && !entries.empty() ? ',' : ' ';
  return text + Shuffled(std::move(entries), "{}").substr(1);
}

TEST(StoredItemFromJson, IsTheSameRowHoweverTheItemIsSpelled) {
  CheckProperty(500, [] {
    const Item item = *AnyItem();
    const std::string text = SpelledMap(item);
    RC_LOG() << text << '\n';
    RC_ASSERT(Difference(text) == "");
    RC_ASSERT(Stored(text).stored()->bytes() == Encoded(item));
  });
}

TEST(StoredItemFromJson, AcceptsAndRefusesDamagedTextsLikeTheTree) {
  CheckProperty(1000, [] {
    std::string text = SpelledMap(*AnyItem());
    const int changes = *rc::gen::inRange(1, 4);
    for (int change = 0; change < changes; ++change) {
      const std::string piece = *rc::gen::element<std::string>(
          R"("S")", R"("N")", R"("SS")", R"("M")", R"("L")", R"("NULL")", "null", "true", "1",
          "\"\"", "{}", "[]", R"({"S":"a"})", ",", ":");
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      text.replace(at, *rc::gen::inRange<std::size_t>(0, 6), piece);
    }
    RC_LOG() << text << '\n';
    RC_ASSERT(Difference(text, *rc::gen::element(Words::kOlder, Words::kCurrent)) == "");
  });
}

}  // namespace
}  // namespace stator::value

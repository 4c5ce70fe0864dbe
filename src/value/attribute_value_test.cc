// Values, sets and maps as a C++ program writes and asks them: literals, what must not convert,
// order and equality.

#include "stator/value/attribute_value.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace stator {
namespace {

using Type = AttributeValue::Type;

TEST(AttributeValue, TakesItsTypeFromTheLiteral) {
  EXPECT_EQ(AttributeValue().type(), Type::kNull);
  EXPECT_EQ(AttributeValue(Null{}).type(), Type::kNull);
  EXPECT_EQ(AttributeValue(true).type(), Type::kBool);
  EXPECT_EQ(AttributeValue("x").type(), Type::kString);
  EXPECT_EQ(AttributeValue(std::string("x")).type(), Type::kString);
  EXPECT_EQ(AttributeValue(std::string_view("x")).type(), Type::kString);
  EXPECT_EQ(AttributeValue(3).type(), Type::kNumber);
  EXPECT_EQ(AttributeValue(std::uint64_t{3}).type(), Type::kNumber);
  EXPECT_EQ(AttributeValue(Number(3)).type(), Type::kNumber);
  EXPECT_EQ(AttributeValue(Binary{"x"}).type(), Type::kBinary);
  EXPECT_EQ(AttributeValue(StringSet{"x"}).type(), Type::kStringSet);
  EXPECT_EQ(AttributeValue(NumberSet{3}).type(), Type::kNumberSet);
  EXPECT_EQ(AttributeValue(BinarySet{Binary{"x"}}).type(), Type::kBinarySet);
  EXPECT_EQ(AttributeValue(List{}).type(), Type::kList);
  EXPECT_EQ(AttributeValue(Map{}).type(), Type::kMap);
}

// What would become something else than the reader of the code thinks does not compile.
static_assert(!std::is_constructible_v<AttributeValue, char>);
static_assert(!std::is_constructible_v<AttributeValue, wchar_t>);
static_assert(!std::is_constructible_v<AttributeValue, char32_t>);
static_assert(!std::is_constructible_v<AttributeValue, double>);
static_assert(!std::is_constructible_v<AttributeValue, void*>);
static_assert(!std::is_constructible_v<AttributeValue, const int*>);
static_assert(!std::is_constructible_v<AttributeValue, std::nullptr_t>);
static_assert(!std::is_constructible_v<AttributeValue, Type>);
static_assert(std::is_nothrow_move_constructible_v<AttributeValue>);

TEST(AttributeValue, TextNeverBecomesABool) {
  const AttributeValue value = "x";
  EXPECT_FALSE(value.Is<bool>());
  ASSERT_NE(value.If<std::string>(), nullptr);
  EXPECT_EQ(*value.If<std::string>(), "x");
}

TEST(AttributeValue, GivesItselfOnlyAsItsOwnType) {
  AttributeValue value = 3;
  EXPECT_EQ(value.If<std::string>(), nullptr);
  EXPECT_FALSE(value.Is<Map>());
  ASSERT_NE(value.If<Number>(), nullptr);
  *value.If<Number>() = Number(4);
  EXPECT_EQ(value, AttributeValue(4));
  EXPECT_EQ(value.Visit([](const auto& typed) { return sizeof(typed); }), sizeof(Number));
}

TEST(AttributeValue, LiteralsOfItemsReadAsTheyAreWritten) {
  const Item item = {{"pk", "task#1"},
                     {"attempts", 3},
                     {"urgent", true},
                     {"tags", StringSet{"a", "b"}},
                     {"steps", List{1, "two", Map{{"three", 3}}}}};
  EXPECT_EQ(item.size(), 5U);
  EXPECT_EQ(item.at("attempts"), AttributeValue(3));
  EXPECT_EQ(item.at("urgent"), AttributeValue(true));
  const List& steps = *item.at("steps").If<List>();
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(*steps[1].If<std::string>(), "two");
  EXPECT_EQ(steps[2].If<Map>()->at("three"), AttributeValue(3));

  EXPECT_EQ((Item{{"pk", "a"}, {"n", 3}}).size(), 2U);
  EXPECT_EQ((Item{{"pk", "a"}}).size(), 1U);
}

TEST(AttributeValue, EqualityNeedsTheSameTypeAndContent) {
  EXPECT_EQ(AttributeValue("3"), AttributeValue("3"));
  EXPECT_NE(AttributeValue("3"), AttributeValue(3));
  EXPECT_NE(AttributeValue("3"), AttributeValue(Binary{"3"}));
  EXPECT_NE(AttributeValue(false), AttributeValue(Null{}));
  EXPECT_NE(AttributeValue(List{}), AttributeValue(Map{}));
  EXPECT_NE(AttributeValue(List{1, 2}), AttributeValue(List{2, 1}));
  EXPECT_EQ(AttributeValue(Number::Parse("1.0").value()), AttributeValue(1));
}

TEST(AttributeValue, EqualityOfSetsIgnoresOrderAlsoDeepInside) {
  const auto nested = [](StringSet strings, NumberSet numbers) {
    return AttributeValue(List{Map{{"s", std::move(strings)}, {"n", std::move(numbers)}}});
  };
  EXPECT_EQ(nested({"a", "b"}, {1, 2, 3}), nested({"b", "a"}, {3, 1, 2}));
  EXPECT_NE(nested({"a", "b"}, {1, 2, 3}), nested({"a", "c"}, {1, 2, 3}));
}

TEST(CompareScalars, OrdersWithinOneTypeOnly) {
  EXPECT_EQ(CompareScalars("a", "b"), std::partial_ordering::less);
  EXPECT_EQ(CompareScalars("a", "a"), std::partial_ordering::equivalent);
  EXPECT_EQ(CompareScalars("a", "A"), std::partial_ordering::greater);
  EXPECT_EQ(CompareScalars("a", ""), std::partial_ordering::greater);
  EXPECT_EQ(CompareScalars(9, 10), std::partial_ordering::less);
  EXPECT_EQ(CompareScalars(Binary{"a"}, Binary{"ab"}), std::partial_ordering::less);

  EXPECT_EQ(CompareScalars("9", 10), std::partial_ordering::unordered);
  EXPECT_EQ(CompareScalars("a", Binary{"a"}), std::partial_ordering::unordered);
  EXPECT_EQ(CompareScalars(true, true), std::partial_ordering::unordered);
  EXPECT_EQ(CompareScalars(Null{}, Null{}), std::partial_ordering::unordered);
  EXPECT_EQ(CompareScalars(List{}, List{}), std::partial_ordering::unordered);
  EXPECT_EQ(CompareScalars(StringSet{"a"}, StringSet{"a"}), std::partial_ordering::unordered);
}

TEST(CompareScalars, OrdersBytesAsUnsigned) {
  EXPECT_EQ(CompareScalars(Binary{"\x7f"}, Binary{"\x80"}), std::partial_ordering::less);
  EXPECT_EQ(CompareScalars("\x7f", "\xc3\xa9"), std::partial_ordering::less);
  EXPECT_LT(Binary{"\x7f"}, Binary{"\xff"});
}

TEST(TypeName, IsTheTagOfDynamoDbJson) {
  const std::vector<std::pair<AttributeValue, std::string>> names = {
      {Null{}, "NULL"},     {true, "BOOL"},
      {"x", "S"},           {1, "N"},
      {Binary{}, "B"},      {StringSet{"x"}, "SS"},
      {NumberSet{1}, "NS"}, {BinarySet{Binary{}}, "BS"},
      {List{}, "L"},        {Map{}, "M"}};
  for (const auto& [value, name] : names) {
    EXPECT_EQ(TypeName(value.type()), name);
  }
}

TEST(AttributeSet, KeepsMembersSortedAndOnce) {
  const StringSet set = {"b", "a", "b", "c", "a"};
  EXPECT_EQ(std::vector<std::string>(set.begin(), set.end()),
            (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(set.size(), 3U);
  EXPECT_TRUE(set.contains("b"));
  EXPECT_FALSE(set.contains("d"));
  EXPECT_FALSE(set.empty());
  EXPECT_TRUE(StringSet().empty());
}

TEST(AttributeSet, SortsNumbersByValue) {
  const NumberSet set = {10, 9, -1, 10};
  EXPECT_EQ(std::vector<Number>(set.begin(), set.end()), (std::vector<Number>{-1, 9, 10}));
}

TEST(AttributeSet, AddsAndRemovesMembers) {
  NumberSet set = {1, 3};
  set.Add({2, 3, 4});
  EXPECT_EQ(set, (NumberSet{1, 2, 3, 4}));
  set.Remove({1, 4, 5});
  EXPECT_EQ(set, (NumberSet{2, 3}));
  set.Remove(set);
  EXPECT_TRUE(set.empty());
  set.Add(NumberSet{7});
  EXPECT_EQ(set, NumberSet{7});
}

TEST(Map, FindsSetsAndErasesByName) {
  Map map;
  EXPECT_TRUE(map.empty());
  map.Set("b", 2);
  map.Set("a", 1);
  map.Set("c", 3);
  EXPECT_EQ(map, (Map{{"a", 1}, {"b", 2}, {"c", 3}}));
  map.Set("b", "two");
  EXPECT_EQ(map.size(), 3U);
  EXPECT_EQ(map.at("b"), AttributeValue("two"));
  EXPECT_EQ(map.Find("d"), nullptr);
  EXPECT_TRUE(map.contains("a"));
  EXPECT_FALSE(map.contains("aa"));

  *map.Find("a") = true;
  EXPECT_EQ(std::as_const(map).at("a"), AttributeValue(true));
  EXPECT_TRUE(map.Erase("a"));
  EXPECT_FALSE(map.Erase("a"));
  EXPECT_EQ(map.size(), 2U);
}

TEST(Map, FindsEveryNameInMapsOfAnySize) {
  Map map;
  EXPECT_EQ(map.Find(""), nullptr);
  map.Set("", 0);
  for (int count = 1; count <= 40; ++count) {
    const std::string name = "name " + std::to_string(count);
    EXPECT_EQ(map.Find(name), nullptr) << count;
    map.Set(name, count);
    for (int number = 1; number <= count; ++number) {
      const AttributeValue* const found = map.Find("name " + std::to_string(number));
      ASSERT_NE(found, nullptr) << number << " of " << count;
      EXPECT_EQ(*found, AttributeValue(number));
    }
    EXPECT_EQ(map.at(""), AttributeValue(0));
    EXPECT_EQ(map.Find("name"), nullptr);
    EXPECT_EQ(map.Find("none 1"), nullptr);
  }
}

TEST(Map, IndexingMakesNullEntries) {
  Map map;
  EXPECT_EQ(map["n"], AttributeValue(Null{}));
  map["n"] = 1;
  map["n"] = 2;
  map["a"] = 0;
  EXPECT_EQ(map, (Map{{"a", 0}, {"n", 2}}));
}

TEST(Map, IteratesInTheOrderOfNames) {
  Map map = {{"b", 1}, {"a", 2}, {"ab", 3}, {"B", 4}};
  std::string names;
  for (auto& [name, value] : map) {
    names += name + " ";
    value = Null{};
  }
  EXPECT_EQ(names, "B a ab b ");
  EXPECT_EQ(map.at("ab"), AttributeValue(Null{}));
}

TEST(Map, AppendsBehindTheLastName) {
  Map map;
  map.reserve(2);
  map.Append("a", 1);
  map.Append("b", 2);
  EXPECT_EQ(map, (Map{{"b", 2}, {"a", 1}}));
}

TEST(MapDeathTest, RefusesToAppendOutOfOrderAndToGiveWhatIsNotThere) {
  Map map = {{"b", 1}};
  EXPECT_DEATH(map.Append("a", 1), "CHECK failed.*a");
  EXPECT_DEATH(map.Append("b", 1), "CHECK failed.*b");
  EXPECT_DEATH((void)map.at("missing"), "CHECK failed.*missing");
}

// By bytes, not by what a compiler takes a char for, and the empty name first.
TEST(Map, NamesAreInTheOrderOfTheirBytes) {
  const std::vector<std::string> order = {"",  "A",    "a",        "aa",  "ab",
                                          "b", "\x7F", "\xC3\xA9", "\xF0"};
  Map map;
  for (auto name = order.rbegin(); name != order.rend(); ++name) {
    map.Set(*name, Null{});
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : map) {
    names.push_back(name);
    EXPECT_TRUE(map.contains(name)) << name;
  }
  EXPECT_EQ(names, order);
}

TEST(Map, AssignSortsAndTellsWhetherNamesDiffer) {
  Map map;
  EXPECT_TRUE(map.Assign({{"c", 3}, {"a", 1}, {"b", 2}}));
  EXPECT_EQ(map, (Map{{"a", 1}, {"b", 2}, {"c", 3}}));
  EXPECT_TRUE(map.Assign({{"x", 1}}));
  EXPECT_EQ(map, (Map{{"x", 1}}));
  EXPECT_TRUE(map.Assign({}));
  EXPECT_TRUE(map.empty());
}

TEST(Map, TheLastOfEqualNamesWins) {
  Map map;
  EXPECT_FALSE(map.Assign({{"b", 1}, {"a", 1}, {"b", 2}, {"a", 2}, {"c", 1}, {"b", 3}}));
  EXPECT_EQ(map, (Map{{"a", 2}, {"b", 3}, {"c", 1}}));
  EXPECT_FALSE(map.Assign({{"a", 1}, {"a", 2}, {"b", 1}}));
  EXPECT_EQ(map, (Map{{"a", 2}, {"b", 1}}));
  EXPECT_FALSE(map.Assign({{"a", 1}, {"b", 1}, {"b", 2}}));
  EXPECT_EQ(map, (Map{{"a", 1}, {"b", 2}}));
  EXPECT_FALSE(map.Assign({{"a", 1}, {"a", 2}, {"a", 3}}));
  EXPECT_EQ(map, (Map{{"a", 3}}));
  EXPECT_EQ((Map{{"n", 1}, {"n", 2}}).at("n"), AttributeValue(2));
}

TEST(Map, TheLastOfEqualNamesWinsAmongMany) {
  // Long enough that the order of equal names is not kept by accident.
  std::vector<Map::value_type> entries;
  entries.reserve(500);
  for (int number = 0; number < 500; ++number) {
    entries.emplace_back("name" + std::to_string(number % 50), number);
  }
  Map map;
  EXPECT_FALSE(map.Assign(std::move(entries)));
  ASSERT_EQ(map.size(), 50U);
  for (int name = 0; name < 50; ++name) {
    EXPECT_EQ(map.at("name" + std::to_string(name)), AttributeValue(450 + name));
  }
}

}  // namespace
}  // namespace stator

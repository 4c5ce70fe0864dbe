// What container_codec.h and set_codec.h promise: containers are stored as L, M, SS, NS and BS,
// what is empty is left out or NULL, and a failure says where inside of them it is.

#include "stator/mapping/detail/container_codec.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "stator/mapping/mapping.h"
#include "value/dynamodb_json.h"

namespace stator::mapping {
namespace {

using Strings = std::set<std::string>;
using OptionalInt = std::optional<int>;

struct Holder {
  OptionalInt plain;
  OptionalInt null;
  Strings tags = {"default"};
  std::unordered_set<std::uint16_t> numbers;
  StringSet own;
};
BOOST_DESCRIBE_STRUCT(Holder, (), (plain, null, tags, numbers, own))

}  // namespace
}  // namespace stator::mapping

template <>
struct stator::Mapping<stator::mapping::Holder> {
  static constexpr std::tuple kFields = {
      Field<&stator::mapping::Holder::null>({.null_when_empty = true})};
};

namespace stator::mapping {
namespace {

template <class T>
std::string Stored(const T& value) {
  return value::ToDynamoDbJson(ToAttribute(value).value());
}

// The value after being stored and read.
template <class T>
T Back(const T& value) {
  return FromAttribute<T>(ToAttribute(value).value()).value();
}

template <class T>
std::string Refusal(const AttributeValue& attribute) {
  const Result<T> value = FromAttribute<T>(attribute);
  return value ? "accepted" : value.error().message;
}

TEST(ContainerCodec, VectorsAreLists) {
  EXPECT_EQ(Stored(std::vector<int>{2, 1}), R"({"L":[{"N":"2"},{"N":"1"}]})");
  EXPECT_EQ(Stored(std::vector<int>{}), R"({"L":[]})");
  EXPECT_EQ(Stored(std::vector<bool>{true}), R"({"L":[{"BOOL":true}]})");
  const std::vector<std::vector<std::string>> nested = {{"a"}, {}};
  EXPECT_EQ(Back(nested), nested);
  EXPECT_EQ(Back(std::vector<bool>{true, false}), (std::vector<bool>{true, false}));
}

TEST(ContainerCodec, MapsAreMaps) {
  const std::map<std::string, int> ordered = {{"b", 2}, {"a", 1}};
  const std::unordered_map<std::string, std::vector<int>> unordered = {{"x", {1}}, {"y", {}}};
  EXPECT_EQ(Stored(ordered), R"({"M":{"a":{"N":"1"},"b":{"N":"2"}}})");
  EXPECT_EQ(Stored(unordered), R"({"M":{"x":{"L":[{"N":"1"}]},"y":{"L":[]}}})");
  EXPECT_EQ(Back(ordered), ordered);
  EXPECT_EQ(Back(unordered), unordered);
}

TEST(ContainerCodec, SetsAreSetsOfTheirMembersType) {
  EXPECT_EQ(Stored(Strings{"b", "a"}), R"({"SS":["a","b"]})");
  EXPECT_EQ(Stored(std::set<int>{10, 9}), R"({"NS":["9","10"]})");
  EXPECT_EQ(Stored(std::unordered_set<int>{}), R"({"NULL":true})");
  const std::set<std::vector<std::byte>> bytes = {{std::byte{1}}, {}};
  EXPECT_EQ(Stored(bytes), R"({"BS":["","AQ=="]})");
  EXPECT_EQ(Back(bytes), bytes);
  EXPECT_EQ(Back(std::set<Number>{1, 2}), (std::set<Number>{1, 2}));
  EXPECT_EQ(Back(BinarySet{Binary{"x"}}), BinarySet{Binary{"x"}});
  EXPECT_EQ(Back(NumberSet{1}), NumberSet{1});
}

TEST(ContainerCodec, EmptyOptionalsAndSetsHaveNoAttribute) {
  Holder holder;
  holder.tags.clear();
  const Item item = ToItem(holder).value();
  EXPECT_EQ(value::ToDynamoDbJson(item), R"({"null":{"NULL":true}})");
  const Holder back = FromItem<Holder>(item).value();
  EXPECT_EQ(back.plain, std::nullopt);
  EXPECT_EQ(back.null, std::nullopt);
  EXPECT_TRUE(back.tags.empty());  // not the default: an empty set was stored
  EXPECT_TRUE(back.own.empty());
}

TEST(ContainerCodec, FullOptionalsAndSetsComeBack) {
  const Holder holder = {
      .plain = 1, .null = 2, .tags = {"a"}, .numbers = {7, 65535}, .own = {"x", "y"}};
  const Holder back = FromItem<Holder>(ToItem(holder).value()).value();
  EXPECT_EQ(back.plain, 1);
  EXPECT_EQ(back.null, 2);
  EXPECT_EQ(back.tags, holder.tags);
  EXPECT_EQ(back.numbers, holder.numbers);
  EXPECT_EQ(back.own, holder.own);
}

TEST(ContainerCodec, NullIsReadAsEmptyWherePossible) {
  const Holder holder =
      FromItem<Holder>(Item{{"plain", Null{}}, {"tags", Null{}}, {"own", Null{}}}).value();
  EXPECT_EQ(holder.plain, std::nullopt);
  EXPECT_TRUE(holder.tags.empty());
  EXPECT_TRUE(holder.own.empty());
}

TEST(ContainerCodec, WhatIsEmptyInsideOfAListOrMapIsNull) {
  const std::vector<OptionalInt> list = {1, std::nullopt};
  const std::map<std::string, Strings> map = {{"empty", {}}, {"full", {"a"}}};
  EXPECT_EQ(Stored(list), R"({"L":[{"N":"1"},{"NULL":true}]})");
  EXPECT_EQ(Stored(map), R"({"M":{"empty":{"NULL":true},"full":{"SS":["a"]}}})");
  EXPECT_EQ(Back(list), list);
  EXPECT_EQ(Back(map), map);
}

TEST(ContainerCodec, AFailureSaysWhere) {
  using Lists = std::map<std::string, std::vector<int>>;
  EXPECT_EQ(Refusal<Lists>(Map{{"a", List{1, 2}}, {"b", List{1, "x"}}}),
            "value.b[1]: expected N, an integer from -2147483648 to 2147483647, found S");
  EXPECT_EQ(Refusal<Lists>(Map{{"a.b", List{"x"}}}),
            "value[\"a.b\"][0]: expected N, an integer from -2147483648 to 2147483647, found S");
  EXPECT_EQ(Refusal<Lists>(List{}), "value: expected M, found L");
  EXPECT_EQ(Refusal<std::vector<int>>(Map{}), "value: expected L, found M");
  EXPECT_EQ(Refusal<Strings>(List{"a"}), "value: expected SS, found L");
  EXPECT_EQ(Refusal<StringSet>(NumberSet{1}), "value: expected SS, found NS");
  EXPECT_EQ(Refusal<std::set<std::vector<std::byte>>>("a"), "value: expected BS, found S");
  EXPECT_EQ(Refusal<std::set<std::uint8_t>>(NumberSet{1, 256}),
            "value: expected N, an integer from 0 to 255, found 256");
  EXPECT_EQ(Refusal<OptionalInt>("x"),
            "value: expected N, an integer from -2147483648 to 2147483647, found S");
}

}  // namespace
}  // namespace stator::mapping

// What key_condition.h promises beyond acceptance and refusal, which were recorded from the
// service: the values and ranges that come out.

#include "expression/key_condition.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"

namespace stator::expression {
namespace {

using Kind = KeyComparison::Kind;
using Type = AttributeValue::Type;

const Map& Values() {
  static const Map values = {{":p", "part"}, {":s", "sort"}, {":t", "top"}, {":n", 3}, {":m", 4}};
  return values;
}

Result<MatchedKeyCondition> RangeOf(std::string_view text, std::span<const KeyAttribute> partition,
                                    std::span<const KeyAttribute> sort) {
  Substitutions substitutions(nullptr, &Values());
  auto tree = TRY(ParseCondition(ExpressionKind::kKeyCondition, text));
  const Condition condition =
      TRY(Condition::Bind(ExpressionKind::kKeyCondition, std::move(tree), substitutions));
  const std::vector<KeyComparison> comparisons = TRY(CompareKeys(condition));
  return MatchKeySchema(comparisons, {.partition = partition, .sort = sort});
}

constexpr std::array kPartition = {KeyAttribute{"pk", Type::kString}};
constexpr std::array kSort = {KeyAttribute{"sk", Type::kString}};
constexpr std::array kTwoPartitions = {KeyAttribute{"h1", Type::kString},
                                       KeyAttribute{"h2", Type::kNumber}};
constexpr std::array kThreeSorts = {KeyAttribute{"r1", Type::kString},
                                    KeyAttribute{"r2", Type::kNumber},
                                    KeyAttribute{"r3", Type::kString}};

TEST(KeyCondition, GivesAWholePartition) {
  const MatchedKeyCondition range = RangeOf("pk = :p", kPartition, kSort).value();
  ASSERT_EQ(range.partition.size(), 1);
  EXPECT_EQ(*range.partition[0], AttributeValue("part"));
  EXPECT_TRUE(range.sort_equal.empty());
  EXPECT_FALSE(range.sort_range.has_value());
}

TEST(KeyCondition, GivesOneItemForTwoEqualities) {
  const MatchedKeyCondition range = RangeOf(":s = sk AND pk = :p", kPartition, kSort).value();
  EXPECT_EQ(*range.partition[0], AttributeValue("part"));
  ASSERT_EQ(range.sort_equal.size(), 1);
  EXPECT_EQ(*range.sort_equal[0], AttributeValue("sort"));
  EXPECT_FALSE(range.sort_range.has_value());
}

TEST(KeyCondition, GivesTheRangeOfEveryComparison) {
  constexpr std::array<std::pair<std::string_view, Kind>, 10> kCases = {{
      {"sk < :s", Kind::kLess},
      {"sk <= :s", Kind::kLessOrEqual},
      {"sk > :s", Kind::kGreater},
      {"sk >= :s", Kind::kGreaterOrEqual},
      {":s < sk", Kind::kGreater},
      {":s <= sk", Kind::kGreaterOrEqual},
      {":s > sk", Kind::kLess},
      {":s >= sk", Kind::kLessOrEqual},
      {"begins_with(sk, :s)", Kind::kBeginsWith},
      {"sk BETWEEN :s AND :t", Kind::kBetween},
  }};
  for (const auto& [text, kind] : kCases) {
    const MatchedKeyCondition range =
        RangeOf("pk = :p AND " + std::string(text), kPartition, kSort).value();
    ASSERT_TRUE(range.sort_range.has_value()) << text;
    EXPECT_EQ(range.sort_range->kind, kind) << text;
    EXPECT_EQ(range.sort_range->attribute, "sk") << text;
    EXPECT_EQ(*range.sort_range->value, AttributeValue("sort")) << text;
    EXPECT_EQ(range.sort_range->second != nullptr, kind == Kind::kBetween) << text;
  }
  const MatchedKeyCondition between =
      RangeOf("pk = :p AND sk BETWEEN :s AND :t", kPartition, kSort).value();
  EXPECT_EQ(*between.sort_range->second, AttributeValue("top"));
}

TEST(KeyCondition, OrdersTheValuesOfCompositeKeysAsTheSchemaDoes) {
  const MatchedKeyCondition range =
      RangeOf("r2 > :m AND h2 = :n AND r1 = :s AND h1 = :p", kTwoPartitions, kThreeSorts).value();
  ASSERT_EQ(range.partition.size(), 2);
  EXPECT_EQ(*range.partition[0], AttributeValue("part"));
  EXPECT_EQ(*range.partition[1], AttributeValue(3));
  ASSERT_EQ(range.sort_equal.size(), 1);
  EXPECT_EQ(*range.sort_equal[0], AttributeValue("sort"));
  ASSERT_TRUE(range.sort_range.has_value());
  EXPECT_EQ(range.sort_range->attribute, "r2");
  EXPECT_EQ(range.sort_range->kind, Kind::kGreater);
}

TEST(KeyCondition, TakesAllSortAttributesOfACompositeKey) {
  const MatchedKeyCondition range =
      RangeOf("h1 = :p AND h2 = :n AND r1 = :s AND r2 = :n AND r3 = :t", kTwoPartitions,
              kThreeSorts)
          .value();
  EXPECT_EQ(range.sort_equal.size(), 3);
  EXPECT_FALSE(range.sort_range.has_value());
}

TEST(KeyCondition, TakesSeveralPartitionAttributesWithoutSortKey) {
  EXPECT_TRUE(RangeOf("h1 = :p AND h2 = :n", kTwoPartitions, {}).has_value());
  EXPECT_EQ(RangeOf("h1 = :p AND h2 = :n AND r1 = :s", kTwoPartitions, {}).error().message,
            "Query key condition not supported");
}

}  // namespace
}  // namespace stator::expression

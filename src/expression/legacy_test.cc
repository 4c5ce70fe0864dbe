// What legacy.h promises beyond what was recorded from the service: the words for parameters that
// do not go together, and large parameters.

#include "expression/legacy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace stator::expression {
namespace {

TEST(Legacy, NamesTheParametersThatDoNotMix) {
  constexpr std::array kOld = {Parameter{"AttributesToGet", true}, Parameter{"ScanFilter", false},
                               Parameter{"ConditionalOperator", true}};
  constexpr std::array kNew = {Parameter{"ProjectionExpression", true},
                               Parameter{"FilterExpression", true}};
  EXPECT_EQ(CheckNoMixture(kOld, kNew).error().message,
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributesToGet, ConditionalOperator} Expression "
            "parameters: {ProjectionExpression, FilterExpression}");
  EXPECT_TRUE(CheckNoMixture(kOld, {}).has_value());
  EXPECT_TRUE(CheckNoMixture(std::span(kOld).subspan(1, 1), kNew).has_value());
}

TEST(Legacy, WantsTwoConditionsToJoin) {
  EXPECT_EQ(CheckConditionalOperator(0).error().message,
            "ConditionalOperator cannot be used without Filter or Expected");
  EXPECT_EQ(
      CheckConditionalOperator(1).error().message,
      "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  EXPECT_TRUE(CheckConditionalOperator(2).has_value());
}

TEST(Legacy, TakesMoreUpdatesThanSixteenBitsCount) {
  constexpr std::size_t kCount = 70'000;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kCount; ++i) {
    names.push_back("a" + std::to_string(i));
  }
  const AttributeValue value(1);
  std::vector<AttributeUpdate> updates;
  updates.reserve(names.size());
  for (const std::string& name : names) {
    updates.push_back({.attribute = name, .value = &value});
  }
  updates.back().value = nullptr;
  updates.back().action = AttributeAction::kDelete;
  const Update update = UpdateFromAttributeUpdates(updates).value();
  EXPECT_EQ(update.WrittenAttributes().size(), kCount);
  EXPECT_TRUE(update.CreatesItem());
}

TEST(Legacy, AnEmptyUpdateCreatesTheItem) {
  const Update update = UpdateFromAttributeUpdates({}).value();
  EXPECT_TRUE(update.CreatesItem());
  EXPECT_EQ(update.Apply(nullptr, {{"pk", "k"}}).value(), (Item{{"pk", "k"}}));
}

}  // namespace
}  // namespace stator::expression

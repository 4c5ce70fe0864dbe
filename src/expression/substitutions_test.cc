// What substitutions.h promises: the checks of the two maps, and which placeholders count as used.
// The service's words are those recorded from it, here for what is too large to record.

#include "expression/substitutions.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::expression {
namespace {

std::string ErrorOf(const Result<void>& result) {
  return result ? "" : result.error().message;
}

TEST(Substitutions, WithoutMapsDefineNothingAndLackNothing) {
  Substitutions none(nullptr, nullptr);
  EXPECT_EQ(ErrorOf(none.CheckParameters()), "");
  EXPECT_EQ(none.UseName("#a"), nullptr);
  EXPECT_EQ(none.UseValue(":a"), nullptr);
  EXPECT_EQ(ErrorOf(none.CheckAllUsed()), "");
}

TEST(Substitutions, FindTheEntriesOfSmallAndLargeMaps) {
  for (const int count : {1, 16, 17, 64, 65, 200}) {
    Substitutions::Names names;
    Map values;
    for (int i = 0; i < count; ++i) {
      names.emplace("#n" + std::to_string(i), "name" + std::to_string(i));
      values.Set(":v" + std::to_string(i), i);
    }
    Substitutions substitutions(&names, &values);
    EXPECT_EQ(substitutions.UseName("#n"), nullptr);
    EXPECT_EQ(substitutions.UseName("#zz"), nullptr);
    EXPECT_EQ(substitutions.UseValue(":v"), nullptr);
    for (int i = 0; i < count; ++i) {
      EXPECT_FALSE(substitutions.CheckAllUsed().has_value());
      const std::string* name = substitutions.UseName("#n" + std::to_string(i));
      const AttributeValue* value = substitutions.UseValue(":v" + std::to_string(i));
      ASSERT_NE(name, nullptr);
      ASSERT_NE(value, nullptr);
      EXPECT_EQ(*name, "name" + std::to_string(i));
      EXPECT_EQ(*value, AttributeValue(i));
    }
    EXPECT_TRUE(substitutions.CheckAllUsed().has_value());
  }
}

TEST(Substitutions, NameTheUnusedOnesNamesBeforeValues) {
  const Substitutions::Names names = {{"#a", "a"}, {"#b", "b"}, {"#c", "c"}};
  const Map values = {{":x", 1}, {":y", 2}};
  Substitutions substitutions(&names, &values);
  substitutions.UseName("#b");
  EXPECT_EQ(ErrorOf(substitutions.CheckAllUsed()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #c}");
  substitutions.UseName("#a");
  substitutions.UseName("#c");
  substitutions.UseValue(":y");
  EXPECT_EQ(ErrorOf(substitutions.CheckAllUsed()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}");
}

TEST(Substitutions, RefuseAnEmptyPlaceholder) {
  const Substitutions::Names names = {{"", "a"}};
  const Map values = {{"", "a"}};
  EXPECT_EQ(ErrorOf(Substitutions(&names, nullptr).CheckParameters()),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains "
            "an empty key;");
  EXPECT_EQ(ErrorOf(Substitutions(nullptr, &values).CheckParameters()),
            "ExpressionAttributeValues contains invalid key: The expression attribute map contains "
            "an empty key;");
}

TEST(Substitutions, RefuseNamesOf64KilobytesAndMore) {
  Substitutions::Names names = {{"#a", std::string(65535, 'x')}};
  EXPECT_EQ(ErrorOf(Substitutions(&names, nullptr).CheckParameters()), "");
  names["#a"] += 'x';
  EXPECT_EQ(ErrorOf(Substitutions(&names, nullptr).CheckParameters()),
            "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be "
            "less than 65536 bytes for key #a");
}

TEST(Substitutions, RefuseMoreThanTwoMegabytes) {
  Map values = {{":a", std::string(1024 * 1024 - 2, 'x')},
                {":b", std::string(1024 * 1024 - 2, 'x')}};
  EXPECT_EQ(ErrorOf(Substitutions(nullptr, &values).CheckParameters()), "");
  values.Set(":c", "x");
  EXPECT_EQ(ErrorOf(Substitutions(nullptr, &values).CheckParameters()),
            "ExpressionAttributeValues exceeds max size");
  Substitutions::Names names;
  for (int i = 0; i < 40; ++i) {
    names.emplace("#a" + std::to_string(i), std::string(60'000, 'x'));
  }
  EXPECT_EQ(ErrorOf(Substitutions(&names, nullptr).CheckParameters()),
            "ExpressionAttributeNames exceeds max size");
}

TEST(Substitutions, RefuseValuesThatCannotBeStored) {
  const Map values = {{":good", 1}, {":bad", StringSet{}}};
  const std::string error = ErrorOf(Substitutions(nullptr, &values).CheckValues());
  EXPECT_TRUE(error.starts_with("ExpressionAttributeValues contains invalid value: ")) << error;
  EXPECT_TRUE(error.ends_with(" for key :bad")) << error;
  const Map good = {{":good", List{1, "two", Map{}}}};
  EXPECT_EQ(ErrorOf(Substitutions(nullptr, &good).CheckValues()), "");
}

}  // namespace
}  // namespace stator::expression

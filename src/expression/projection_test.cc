// What projection.h promises beyond what was recorded from the service: projections by attribute
// name, and the attributes a projection needs.

#include "expression/projection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stator::expression {
namespace {

using testing::ElementsAre;

TEST(Projection, OfAttributesTakesWholeAttributesOnce) {
  const std::vector<std::string> names = {"b", "a", "missing", "b", "dotted.name"};
  const Projection projection = Projection::OfAttributes(names);
  const Item item = {{"a", List{1}}, {"b", Map{{"x", 1}}}, {"c", 3}, {"dotted.name", 4}};
  EXPECT_EQ(projection.Apply(item),
            (Item{{"a", List{1}}, {"b", Map{{"x", 1}}}, {"dotted.name", 4}}));
  EXPECT_THAT(projection.TopLevelAttributes(), ElementsAre("a", "b", "dotted.name", "missing"));
  EXPECT_FALSE(projection.LooksInside("b"));
}

TEST(Projection, OfNoAttributesIsEmpty) {
  EXPECT_TRUE(Projection::OfAttributes({}).Apply({{"a", 1}}).empty());
}

TEST(Projection, TakesPartsByPlaceholderInTheirPlaces) {
  const Substitutions::Names names = {{"#l", "list"}, {"#a", "a"}};
  Substitutions substitutions(&names, nullptr);
  const Projection projection =
      Projection::Bind(ParseProjection("z.y, #l[2].#a, #l[0], z.x").value(), substitutions).value();
  const Item item = {{"list", List{"first", "second", Map{{"a", 1}, {"b", 2}}}},
                     {"z", Map{{"x", 1}, {"y", 2}, {"w", 3}}}};
  EXPECT_EQ(projection.Apply(item),
            (Item{{"list", List{"first", Map{{"a", 1}}}}, {"z", Map{{"x", 1}, {"y", 2}}}}));
  EXPECT_THAT(projection.TopLevelAttributes(), ElementsAre("list", "z"));
  EXPECT_TRUE(projection.LooksInside("list"));
  EXPECT_TRUE(substitutions.CheckAllUsed().has_value());
}

}  // namespace
}  // namespace stator::expression

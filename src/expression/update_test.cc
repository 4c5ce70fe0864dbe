// What update.h promises beyond what was recorded from the service: what an update touches, that it
// leaves the old item alone, and lists inside of lists.

#include "expression/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/try.h"

namespace stator::expression {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Update> Bound(std::string_view text, Substitutions& substitutions) {
  std::shared_ptr<const UpdateTree> tree = TRY(ParseUpdate(text));
  return Update::Bind(std::move(tree), substitutions);
}

Result<Item> Applied(std::string_view text, const Item& item, const Map& values = {}) {
  Substitutions substitutions(nullptr, &values);
  const Update update = TRY(Bound(text, substitutions));
  return update.Apply(&item, {});
}

TEST(Update, LeavesTheOldItemAlone) {
  const Item before = {{"n", 1}, {"l", List{1, 2}}};
  const Item copy = before;
  EXPECT_EQ(Applied("SET n = :v, l[0] = :v REMOVE l[1]", before, {{":v", 9}}).value(),
            (Item{{"n", 9}, {"l", List{9}}}));
  EXPECT_EQ(before, copy);
}

TEST(Update, StartsAMissingItemFromItsKey) {
  const Map values = {{":v", 1}};
  Substitutions substitutions(nullptr, &values);
  const Update update = Bound("SET a = :v REMOVE b", substitutions).value();
  EXPECT_TRUE(update.CreatesItem());
  EXPECT_EQ(update.Apply(nullptr, {{"pk", "k"}}).value(), (Item{{"pk", "k"}, {"a", 1}}));
  EXPECT_TRUE(update.UpdatedOld(nullptr).empty());
}

TEST(Update, RemovesElementsOfNestedListsByTheirOldIndexes) {
  const Item item = {{"l", List{"gone", List{1, 2, 3}, List{Map{{"x", List{7, 8}}}}, "last"}}};
  EXPECT_EQ(Applied("REMOVE l[0], l[1][0], l[1][2], l[2][0].x[0], l[3]", item).value(),
            (Item{{"l", List{List{2}, List{Map{{"x", List{8}}}}}}}));
}

TEST(Update, AppendsToSeveralListsByIndex) {
  const Item item = {{"a", List{}}, {"b", List{AttributeValue(List{0})}}};
  const Map values = {{":v", "x"}, {":w", "y"}};
  EXPECT_EQ(Applied("SET a[7] = :v, b[0][5] = :v, a[3] = :w, b[0][4] = :w, b[9] = :w", item, values)
                .value(),
            (Item{{"a", List{"y", "x"}}, {"b", List{List{0, "y", "x"}, "y"}}}));
}

TEST(Update, RemovesASetInsideAListWhenItBecomesEmpty) {
  const Item item = {{"l", List{"a", StringSet{"x"}, "b"}}};
  EXPECT_EQ(Applied("DELETE l[1] :v", item, {{":v", StringSet{"x"}}}).value(),
            (Item{{"l", List{"a", "b"}}}));
}

TEST(Update, TellsWhichAttributesItWrites) {
  const Substitutions::Names names = {{"#k", "pk"}};
  const Map values = {{":v", 1}, {":s", StringSet{"x"}}};
  Substitutions substitutions(&names, &values);
  const Update update =
      Bound("SET b.c = source2.inside, #k = :v REMOVE a[0] ADD d :v DELETE e :s", substitutions)
          .value();
  EXPECT_THAT(update.WrittenAttributes(), ElementsAre("a", "b", "d", "e", "pk"));
  EXPECT_TRUE(update.LooksInside("source2"));
  EXPECT_TRUE(update.LooksInside("a"));
  EXPECT_FALSE(update.LooksInside("pk"));
}

TEST(Update, OfRemovalsOnlyCreatesNothing) {
  const Map values = {{":s", StringSet{"x"}}, {":v", 1}};
  const auto creates = [&](std::string_view text) {
    Substitutions substitutions(nullptr, &values);
    return Bound(text, substitutions).value().CreatesItem();
  };
  EXPECT_FALSE(creates("REMOVE a"));
  EXPECT_FALSE(creates("REMOVE a DELETE b :s"));
  EXPECT_TRUE(creates("REMOVE a ADD b :v"));
  EXPECT_TRUE(creates("SET a = :v"));
}

TEST(Update, ReturnsOldAndNewOfExactlyItsPaths) {
  const Item before = {{"a", Map{{"b", "old"}, {"c", List{1, 2, 3}}}}, {"d", "cat"}};
  const Map values = {{":v", 7}, {":w", "new"}};
  Substitutions substitutions(nullptr, &values);
  const Update update = Bound("SET a.c[1] = :v, a.b = :w", substitutions).value();
  const Item after = update.Apply(&before, {}).value();
  EXPECT_EQ(update.UpdatedOld(&before), (Item{{"a", Map{{"b", "old"}, {"c", List{2}}}}}));
  EXPECT_EQ(update.UpdatedNew(after), (Item{{"a", Map{{"b", "new"}, {"c", List{7}}}}}));
}

TEST(Update, FindsOverlapsAmongManyPaths) {
  std::string text = "REMOVE ";
  for (int i = 0; i < 300; ++i) {
    text += "a" + std::to_string(i) + ".b, ";
  }
  Substitutions none(nullptr, nullptr);
  EXPECT_TRUE(Bound(text + "z", none).has_value());
  EXPECT_THAT(Bound(text + "a7.b.c", none).error().message,
              HasSubstr("overlap with each other; must remove or rewrite one of these paths; path "
                        "one: [a7, b], path two: [a7, b, c]"));
  EXPECT_THAT(Bound(text + "a7[0]", none).error().message,
              HasSubstr("conflict with each other; must remove or rewrite one of these paths; path "
                        "one: [a7, b], path two: [a7, [0]]"));
  EXPECT_THAT(Bound(text + "#zz", none).error().message, HasSubstr("attribute name: #zz"));
}

// Many entries of one map take another way than few.
TEST(Update, ManyEntriesOfAMapComeAndGoAtOnce) {
  Map before;
  Map after;
  std::string text = "SET ";
  for (int i = 10; i < 70; ++i) {
    const std::string name = "a" + std::to_string(i);
    if (i % 3 != 0) {
      before.Set(name, i);
    }
    if (i % 3 != 1) {
      after.Set(name, i % 3 == 0 ? AttributeValue("new") : AttributeValue(i));
    }
    text += i % 3 == 0 ? "m." + name + " = :v, " : "";
  }
  text.resize(text.size() - 2);
  text += " REMOVE m.a99";
  for (int i = 10; i < 70; ++i) {
    text += i % 3 == 1 ? ", m.a" + std::to_string(i) : "";
  }
  EXPECT_EQ(Applied(text, {{"m", before}, {"x", 1}}, {{":v", "new"}}).value(),
            (Item{{"m", after}, {"x", 1}}));
}

TEST(Update, ManyElementsOfAListComeAndGoAtOnce) {
  List before;
  List after;
  std::string text = "SET l[900] = :v, l[800] = :w, l[5] = :w REMOVE l[300]";
  for (int i = 0; i < 200; ++i) {
    before.emplace_back(i);
    if (i % 2 == 0) {
      text += ", l[" + std::to_string(i) + "]";
    } else {
      after.emplace_back(i == 5 ? AttributeValue("w") : AttributeValue(i));
    }
  }
  after.emplace_back("w");
  after.emplace_back("v");
  EXPECT_EQ(Applied(text, {{"l", before}}, {{":v", "v"}, {":w", "w"}}).value(),
            (Item{{"l", after}}));
}

// 400 copies of 400 KB would be 160 MB before anybody could find the item too large.
TEST(Update, RefusesManyCopiesOfALargeValueBeforeItMakesThem) {
  std::string text = "SET ";
  for (int i = 0; i < 400; ++i) {
    text += (i == 0 ? "a" : ",a") + std::to_string(i) + "=:v";
  }
  const auto applied = Applied(text, {{"pk", 1}}, {{":v", std::string(300 << 10, 'x')}});
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message, "Item size to update has exceeded the maximum allowed size");
}

}  // namespace
}  // namespace stator::expression

// What conditions and updates that were built in C++ mean to the database.

#include <string>
#include <vector>

#include "patterns/patterns_test.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {
namespace {

class ExpressionTest : public PatternsTest {
 protected:
  [[nodiscard]] bool Holds(const Condition& condition) {
    const auto done = db().UpdateItem(
        MakeUpdate("things", {{"pk", "x"}}, Update().Set("touched", true), condition));
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::kConditionFailed) << done.error().message;
    }
    return done.has_value();
  }

  [[nodiscard]] Item After(const Update& update) {
    UpdateItemInput input = MakeUpdate("things", {{"pk", "x"}}, update);
    input.return_values = ReturnValues::kAllNew;
    return Must(db().UpdateItem(input)).attributes.value_or(Item());
  }
};

TEST_F(ExpressionTest, ConditionsMeanWhatTheySay) {
  Put(kThings, {{"pk", "x"},
                {"n", 5},
                {"s", "hello"},
                {"list", List{1, Map{{"k", "v"}}}},
                {"set", StringSet{"a", "b"}},
                {"twin", 5}});
  const Attribute n("n");
  const Attribute s("s");
  for (const Condition& condition : {
           n == 5,
           n != 6,
           n < 6,
           n <= 5,
           n > 4,
           n >= 5,
           4 < n,
           n == Attribute("twin"),
           n.Between(5, 7),
           n.In({1, 5, 9}),
           s.BeginsWith("he"),
           s.Contains("ell"),
           s.Size() == 5,
           Attribute("set").Contains("b"),
           Attribute("list")[1]["k"] == "v",
           Attribute("list").Size() > 1,
           n.HasType(AttributeValue::Type::kNumber),
           Attribute("none").NotExists(),
           n.Exists(),
           !(n == 6),
           n == 6 || n == 5,
           (n == 6 || n == 5) && s == "hello",
           !(n == 6 && s == "hello"),
           !!(n == 5),
           n == 5 || (n == 6 && s == "x"),
           Condition() && n == 5,
       }) {
    EXPECT_TRUE(Holds(condition)) << *Placeholders().Compile(condition);
    EXPECT_FALSE(Holds(!condition)) << *Placeholders().Compile(!condition);
  }
}

TEST_F(ExpressionTest, UpdatesDoWhatTheySay) {
  Put(kThings, {{"pk", "x"}, {"n", 5}, {"gone", 1}, {"set", StringSet{"a", "b"}}, {"m", Map{}}});
  EXPECT_EQ(After(Update()
                      .Set("a", "text")
                      .Set("n", Attribute("n") - 1)
                      .Set("copy", Attribute("n"))
                      .Set(Attribute("m")["k"], 1)
                      .SetIfMissing("first", 1)
                      .Append("list", {1, 2})
                      .Add("count", 3)
                      .Remove("gone")
                      .Delete("set", StringSet{"b"})),
            (Item{{"pk", "x"},
                  {"a", "text"},
                  {"n", 4},
                  {"copy", 5},
                  {"m", Map{{"k", 1}}},
                  {"first", 1},
                  {"list", List{1, 2}},
                  {"count", 3},
                  {"set", StringSet{"a"}}}));
  EXPECT_EQ(After(Update()
                      .SetIfMissing("first", 2)
                      .Append("list", {3})
                      .Set("count", Sum(IfNotExists("count", 0), 1))
                      .Set("new_count", Sum(IfNotExists("new_count", 0), 1))
                      .Merge(Update().Remove("m").Remove("set").Remove("a").Remove("copy"))),
            (Item{{"pk", "x"},
                  {"n", 4},
                  {"first", 1},
                  {"list", List{1, 2, 3}},
                  {"count", 4},
                  {"new_count", 1}}));
}

TEST_F(ExpressionTest, ReservedWordsAndStrangeNamesAreOrdinaryNames) {
  const std::vector<std::string> names = {"data", "name",  "status", "ttl", "token", "type", "a.b",
                                          "a b",  "#hash", ":x",     "[0]", "ünï",   "key",  "AND"};
  Update update;
  Condition condition;
  for (const std::string& name : names) {
    Put(kThings, {{"pk", "x"}});
    update.Set(name, 1);
    condition = std::move(condition) && Attribute(name) == 1;
  }
  const Item item = After(update);
  EXPECT_EQ(item.size(), names.size() + 1);
  EXPECT_TRUE(Holds(condition));
}

TEST_F(ExpressionTest, TextFromOutsideStaysAValue) {
  Put(kThings, {{"pk", "x"}, {"owner", "ann"}});
  EXPECT_FALSE(Holds(Attribute("owner") == "bob OR attribute_exists(pk)"));
  EXPECT_FALSE(Holds(Attribute("owner = :v0 OR pk").Exists()));
}

}  // namespace
}  // namespace stator::patterns

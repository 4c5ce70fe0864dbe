// What expression_cache.h promises: the same tree for the same text, a bound on what is kept, and
// use from many threads.

#include "expression/expression_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace stator::expression {
namespace {

TEST(ExpressionCache, GivesTheSameTreeForTheSameText) {
  ExpressionCache cache;
  const auto first = cache.ParseCondition(ExpressionKind::kCondition, "a = :v").value();
  EXPECT_EQ(cache.ParseCondition(ExpressionKind::kFilter, "a = :v").value(), first);
  EXPECT_NE(cache.ParseCondition(ExpressionKind::kCondition, "a = :w").value(), first);
  const auto update = cache.ParseUpdate("SET a = :v").value();
  EXPECT_EQ(cache.ParseUpdate("SET a = :v").value(), update);
  const auto projection = cache.ParseProjection("a, b").value();
  EXPECT_EQ(cache.ParseProjection("a, b").value(), projection);
}

TEST(ExpressionCache, NamesTheParameterOfTheRequestInErrors) {
  ExpressionCache cache;
  EXPECT_EQ(cache.ParseCondition(ExpressionKind::kCondition, "a x").error().message,
            "Invalid ConditionExpression: Syntax error; token: \"x\", near: \"a x\"");
  EXPECT_EQ(cache.ParseCondition(ExpressionKind::kFilter, "a x").error().message,
            "Invalid FilterExpression: Syntax error; token: \"x\", near: \"a x\"");
}

TEST(ExpressionCache, KeepsWhatIsUsedAndForgetsTheRest) {
  ExpressionCache cache(8);
  std::weak_ptr<const ConditionTree> used =
      cache.ParseCondition(ExpressionKind::kCondition, "used = :v").value();
  std::weak_ptr<const ConditionTree> unused =
      cache.ParseCondition(ExpressionKind::kCondition, "unused = :v").value();
  for (int i = 0; i < 100; ++i) {
    cache.ParseCondition(ExpressionKind::kCondition, "a" + std::to_string(i) + " = :v").value();
    cache.ParseCondition(ExpressionKind::kCondition, "used = :v").value();
  }
  EXPECT_FALSE(used.expired());
  EXPECT_TRUE(unused.expired());
}

TEST(ExpressionCache, BindsWhatItParses) {
  ExpressionCache cache;
  const Map values = {{":v", 5}};
  Substitutions substitutions(nullptr, &values);
  const Update update = cache.BindUpdate("SET n = n + :v", substitutions).value();
  const Item item = {{"n", 1}};
  EXPECT_EQ(update.Apply(&item, {}).value(), (Item{{"n", 6}}));
  EXPECT_TRUE(cache.BindCondition(ExpressionKind::kCondition, "n < :v", substitutions)
                  .value()
                  .Matches(item));
  EXPECT_EQ(cache.BindProjection("n", substitutions).value().Apply({{"m", 1}, {"n", 2}}),
            (Item{{"n", 2}}));
}

TEST(ExpressionCache, ServesManyThreads) {
  ExpressionCache cache(16);
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&cache, thread] {
      for (int i = 0; i < 2000; ++i) {
        const int number = (i * (thread + 1)) % 40;
        const Map values = {{":v", number}};
        Substitutions substitutions(nullptr, &values);
        const std::string name = "a" + std::to_string(number);
        const Result<Condition> condition =
            cache.BindCondition(ExpressionKind::kCondition, name + " = :v", substitutions);
        const Item item = {{name, number}};
        ASSERT_TRUE(condition.has_value());
        ASSERT_TRUE(condition->Matches(item));
      }
    });
  }
}

}  // namespace
}  // namespace stator::expression

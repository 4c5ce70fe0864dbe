// Properties of parsing and evaluating: AND, OR and NOT agree with truth tables however they are
// nested, and no text, however damaged, does more than fail with a message.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/expression_cache.h"
#include "expression/key_condition.h"
#include "expression/recorded_cases.h"

namespace stator::expression {
namespace {

// A random condition with its value, and how strongly its outermost operator binds.
struct Sentence {
  enum class Strength { kOr, kAnd, kNot, kAtom };

  std::string text;
  bool value = false;
  Strength strength = Strength::kAtom;
};

// In parentheses where it would not bind strongly enough by itself.
std::string Inside(const Sentence& sentence, Sentence::Strength around) {
  return sentence.strength < around ? '(' + sentence.text + ')' : sentence.text;
}

Sentence RandomSentence(int depth) {
  const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 4);
  if (kind == 0) {
    const bool value = *rc::gen::arbitrary<bool>();
    const std::string name = value ? "here" : "gone";
    const int form = *rc::gen::inRange(0, 3);
    if (form == 0) {
      return {.text = "attribute_exists(" + name + ")", .value = value};
    }
    if (form == 1) {
      return {.text = "attribute_not_exists(" + name + ")", .value = !value};
    }
    return {.text = name + " = :one", .value = value};
  }
  if (kind == 1) {
    const Sentence inner = RandomSentence(depth - 1);
    return {.text = "NOT " + Inside(inner, Sentence::Strength::kNot),
            .value = !inner.value,
            .strength = Sentence::Strength::kNot};
  }
  const auto strength = kind == 2 ? Sentence::Strength::kAnd : Sentence::Strength::kOr;
  const Sentence left = RandomSentence(depth - 1);
  const Sentence right = RandomSentence(depth - 1);
  return {.text = Inside(left, strength) + (kind == 2 ? " AND " : " OR ") + Inside(right, strength),
          .value = kind == 2 ? left.value && right.value : left.value || right.value,
          .strength = strength};
}

RC_GTEST_PROP(Condition, AgreesWithTruthTables, ()) {
  const Sentence sentence = RandomSentence(*rc::gen::inRange(0, 6));
  const Map values = {{":one", 1}, {":two", 2}};
  Substitutions substitutions(nullptr, &values);
  const Result<std::shared_ptr<const ConditionTree>> tree =
      ParseCondition(ExpressionKind::kCondition, sentence.text);
  RC_ASSERT(tree.has_value());
  const Result<Condition> condition =
      Condition::Bind(ExpressionKind::kCondition, *tree, substitutions);
  RC_ASSERT(condition.has_value());
  RC_ASSERT(condition->Matches({{"here", 1}}) == sentence.value);
}

// Damages a text in one to four places: bytes changed, left out, put in, pieces of others put in.
std::string Damaged(std::mt19937_64& random, const std::vector<std::string_view>& corpus) {
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  std::string text(corpus[below(corpus.size())]);
  for (std::size_t change = 0; change <= below(4); ++change) {
    constexpr std::string_view kAlphabet = "()[]{}.,=<>+-#:ab019_ \n\xC3\xA9\xFF\"ANDORTSE";
    const std::size_t at = below(text.size() + 1);
    switch (below(4)) {
      case 0:
        text.insert(at, 1, kAlphabet[below(kAlphabet.size())]);
        break;
      case 1:
        text.erase(at, below(4));
        break;
      case 2: {
        const std::string_view other = corpus[below(corpus.size())];
        const std::size_t from = below(other.size() + 1);
        text.insert(at, other.substr(from, below(40)));
        break;
      }
      default:
        text.insert(at, text.substr(at / 2, below(20)));
        break;
    }
  }
  return text;
}

// A failure must be one of the request, and say whose.
template <class T>
void ExpectPolite(const Result<T>& result, std::string_view prefix, const std::string& text) {
  if (!result) {
    EXPECT_EQ(result.error().code, ErrorCode::kValidation) << text;
    EXPECT_TRUE(result.error().message.starts_with(prefix)) << text << result.error().message;
  }
}

TEST(Expressions, SurviveOneHundredThousandDamagedTexts) {
  std::vector<std::string_view> corpus;
  for (const RecordedCase& recorded : AllRecordedCases().cases) {
    if (!recorded.expression.empty() && recorded.expression.size() < 300) {
      corpus.push_back(recorded.expression);
    }
  }
  const Substitutions::Names names = {{"#a", "a"}, {"#n", "name"}, {"#l", "l"}, {"#m", "m"}};
  const Map values = {{":s", "x"}, {":n", 1}, {":ss", StringSet{"a"}}, {":l", List{}}};
  const Item& item = AllRecordedCases().item;
  constexpr std::uint64_t kSeed = 20260815;
  std::mt19937_64 random(kSeed);
  ExpressionCache cache(64);
  for (int i = 0; i < 100'000; ++i) {
    const std::string text = Damaged(random, corpus);
    Substitutions substitutions(&names, &values);
    const Result<Condition> condition =
        cache.BindCondition(ExpressionKind::kKeyCondition, text, substitutions);
    ExpectPolite(condition, "Invalid KeyConditionExpression: ", text);
    if (condition) {
      (void)condition->Matches(item);
      ExpectPolite(CompareKeys(*condition), "", text);
    }
    const Result<Update> update = cache.BindUpdate(text, substitutions);
    ExpectPolite(update, "Invalid UpdateExpression: ", text);
    if (update) {
      ExpectPolite(update->Apply(&item, {}), "", text);
      ExpectPolite(update->Apply(nullptr, {}), "", text);
    }
    const Result<Projection> projection = cache.BindProjection(text, substitutions);
    ExpectPolite(projection, "Invalid ProjectionExpression: ", text);
    if (projection) {
      (void)projection->Apply(item);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << kSeed << ", text " << i;
  }
}

}  // namespace
}  // namespace stator::expression

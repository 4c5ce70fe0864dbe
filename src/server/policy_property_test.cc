// Policies against a second evaluator, on random policies and questions made of the same few parts,
// so that they meet often.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/property.h"
#include "server/policy.h"
#include "server/reference_policy.h"

namespace stator::server {
namespace {

using Texts = std::vector<std::string>;

// Letters and wildcards, few enough to match by chance, and
// short, because the reference tries every way in which they could match.
rc::Gen<std::string> PatternGenerator() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 7), [](std::size_t size) {
    return rc::gen::container<std::string>(size, rc::gen::element('a', 'b', '*', '?'));
  });
}

rc::Gen<std::string> TextGenerator() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 7), [](std::size_t size) {
    return rc::gen::container<std::string>(size, rc::gen::element('a', 'b', 'A', '/'));
  });
}

rc::Gen<Texts> PatternsGenerator() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 4), [](std::size_t count) {
    return rc::gen::container<Texts>(count, PatternGenerator());
  });
}

std::optional<bool> AnyScan() {
  const int choice = *rc::gen::inRange(0, 4);
  return choice < 2 ? std::nullopt : std::optional(choice == 2);
}

ReferenceStatement AnyStatement() {
  ReferenceStatement statement = {.allows = *rc::gen::arbitrary<bool>(),
                                  .is_not_action = *rc::gen::arbitrary<bool>(),
                                  .actions = *PatternsGenerator(),
                                  .is_not_resource = *rc::gen::arbitrary<bool>(),
                                  .resources = *PatternsGenerator()};
  for (const bool is_like : {false, true}) {
    if (*rc::gen::arbitrary<bool>()) {
      statement.conditions.push_back({.is_like = is_like, .leading_keys = *PatternsGenerator()});
    }
  }
  statement.full_table_scan = AnyScan();
  return statement;
}

TEST(PolicyProperty, AgreesWithTheReference) {
  base::CheckProperty(1000, [] {
    ReferencePolicy reference;
    for (int left = *rc::gen::inRange(0, 5); left > 0; --left) {
      reference.push_back(AnyStatement());
    }
    const std::string json = ToJson(reference);
    const Result<Policy> policy = Policy::Parse(json);
    RC_ASSERT(policy.has_value());
    for (int left = 10; left > 0; --left) {
      const ReferenceQuestion question = {
          .action = *TextGenerator(),
          .resource = *TextGenerator(),
          .leading_keys =
              *rc::gen::container<Texts>(*rc::gen::inRange<std::size_t>(0, 3), TextGenerator()),
          .full_table_scan = AnyScan()};
      const auto decision = policy->Evaluate({.action = question.action,
                                              .resource = question.resource,
                                              .leading_keys = question.leading_keys,
                                              .full_table_scan = question.full_table_scan});
      RC_LOG() << json << " " << question.action << " " << question.resource << "\n";
      RC_ASSERT(decision == Evaluate(reference, question));
    }
  });
}

TEST(PolicyProperty, WildcardsMeanTheSameHoweverManyThereAre) {
  // What a matcher that tries everything cannot do.
  const std::string pattern = std::string(30, '*') + "a" + std::string(30, '*') + "b";
  EXPECT_FALSE(MatchesWildcards(pattern, std::string(100'000, 'a')));
  EXPECT_TRUE(MatchesWildcards(pattern, std::string(100'000, 'a') + "b"));
}

}  // namespace
}  // namespace stator::server

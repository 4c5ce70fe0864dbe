// Policies against a second evaluator, on random policies and questions made of the same few parts,
// so that they meet often.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/property.h"
#include "policy/policy.h"
#include "policy/reference_policy.h"

namespace stator::policy {
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

constexpr char kAccount[] = "000000000000";

ReferenceCaller AnyUser() {
  return {.account = *rc::gen::element<std::string>(kAccount, "111122223333"),
          .user = *rc::gen::element<std::string>("ann", "ben")};
}

// A statement about few actions, so that both policies meet.
ReferenceStatement AnyShortStatement() {
  ReferenceStatement statement = AnyStatement();
  statement.actions = *rc::gen::container<Texts>(
      1 + *rc::gen::inRange<std::size_t>(0, 2),
      rc::gen::element<std::string>("dynamodb:GetItem", "dynamodb:*", "DynamoDB:get*",
                                    "dynamodb:?utItem"));
  return statement;
}

ReferenceStatement AnyAttachedStatement() {
  ReferenceStatement statement = AnyShortStatement();
  ReferencePrincipal principal = {.is_anybody = *rc::gen::inRange(0, 3) == 0};
  if (*rc::gen::arbitrary<bool>()) {
    principal.accounts.push_back(AnyUser().account);
  }
  if (principal.accounts.empty() || *rc::gen::arbitrary<bool>()) {
    principal.users.push_back(AnyUser());
  }
  statement.principal = principal;
  if (*rc::gen::inRange(0, 3) == 0) {
    statement.caller = {
        .is_like = *rc::gen::arbitrary<bool>(),
        .is_negated = *rc::gen::arbitrary<bool>(),
        .arns = {*rc::gen::element<std::string>(AnyUser().Arn(), "arn:aws:iam::*:user/ann", "*")}};
  }
  return statement;
}

ReferencePolicy AnyPolicyOf(int count, ReferenceStatement (*make)()) {
  ReferencePolicy policy;
  for (; count > 0; --count) {
    policy.push_back(make());
  }
  return policy;
}

TEST(PolicyProperty, TwoPoliciesDecideTogetherAsTheReferenceSays) {
  base::CheckProperty(1000, [] {
    const ReferencePolicy own = AnyPolicyOf(*rc::gen::inRange(0, 3), AnyShortStatement);
    const ReferencePolicy other = AnyPolicyOf(*rc::gen::inRange(1, 4), AnyAttachedStatement);
    const Result<Policy> identity = Policy::Parse(ToJson(own));
    const Result<Policy> attached = Policy::ParseAttached(ToJson(other));
    RC_ASSERT(identity.has_value());
    RC_LOG() << ToJson(other) << "\n";
    RC_ASSERT(attached.has_value());
    for (int left = 10; left > 0; --left) {
      const ReferenceQuestion question = {
          .action = *rc::gen::element<std::string>("dynamodb:GetItem", "dynamodb:PutItem"),
          .resource = *TextGenerator(),
          .leading_keys =
              *rc::gen::container<Texts>(*rc::gen::inRange<std::size_t>(0, 3), TextGenerator()),
          .full_table_scan = AnyScan()};
      const ReferenceCaller caller = AnyUser();
      const Identity who = {
          .arn = caller.Arn(), .principal_arn = caller.Arn(), .account = caller.account};
      const Verdict verdict = Decide(&*identity, who,
                                     {.action = question.action,
                                      .resource = question.resource,
                                      .leading_keys = question.leading_keys,
                                      .full_table_scan = question.full_table_scan,
                                      .attached = &*attached});
      RC_LOG() << ToJson(own) << ToJson(other) << question.action << " " << question.resource << " "
               << caller.Arn() << "\n";
      RC_ASSERT(verdict.decision == Evaluate(own, other, question, caller));
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
}  // namespace stator::policy

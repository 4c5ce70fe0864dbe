// What an access key may do, in IAM's policy language; the useful part of it:
//
//   {"Version": "2012-10-17",
//    "Statement": [{"Effect": "Allow",
//                   "Action": ["dynamodb:GetItem", "dynamodb:Query"],
//                   "Resource": "arn:aws:dynamodb:*:*:table/orders*"}]}
//
// Effect, Action, NotAction, Resource, NotResource and Sid are understood; '*' and '?' are
// wildcards; letter case counts in resources and not in actions. What would need more (Condition,
// Principal, policy variables) is refused when the policy is read, because a statement that is half
// understood allows too much.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"

namespace stator::server {

class Policy {
 public:
  enum class Verdict : std::uint8_t { kAllow, kExplicitDeny, kImplicitDeny };

  // Fails with kValidation and a message that names the statement and the problem.
  static Result<Policy> Parse(std::string_view json);

  // A Deny that matches wins over every Allow; what nothing matches is denied.
  [[nodiscard]] Verdict Evaluate(std::string_view action, std::string_view resource) const;

 private:
  struct Patterns {
    std::vector<std::string> any_of;
    bool negated = false;  // NotAction, NotResource
  };
  struct Statement {
    bool allows = false;
    Patterns actions;  // in lower case
    Patterns resources;
  };
  friend class StatementReader;

  std::vector<Statement> statements_;
};

// Whether `text` matches `pattern`, where '*' stands for any text and '?' for one character.
bool MatchesWildcards(std::string_view pattern, std::string_view text);

}  // namespace stator::server

// What an access key may do, in IAM's policy language; the useful part of it:
//
//   {"Version": "2012-10-17",
//    "Statement": [{"Effect": "Allow",
//                   "Action": ["dynamodb:GetItem", "dynamodb:Query"],
//                   "Resource": "arn:aws:dynamodb:*:*:table/orders*"}]}
//
// Effect, Action, NotAction, Resource, NotResource and Sid are understood; '*' and '?' are
// wildcards; letter case counts in resources and not in actions. Of conditions there is the one
// that keeps callers in their partitions, with the variables that say who they are:
//
//   "Condition": {"ForAllValues:StringEquals":
//                     {"dynamodb:LeadingKeys": ["OWNER#${aws:PrincipalTag/owner}"]}}
//
// and the same with ForAllValues:StringLike. As IAM has it, a request that names no partition, a
// Scan, satisfies it. And the one that keeps them from reading whole tables with a SELECT, which
// nothing but a SELECT satisfies:
//
//   "Condition": {"Bool": {"dynamodb:FullTableScan": ["true"]}}
//
// What would need more (other conditions, Principal, other variables) is
// refused when the policy is read, because a statement that is half understood allows too much.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "wire/exchange.h"

namespace stator::server {

class Policy {
 public:
  enum class Decision : std::uint8_t { kAllow, kExplicitDeny, kImplicitDeny };

  // What policy variables stand for: "aws:username", "aws:PrincipalTag/owner".
  using Variables = std::map<std::string, std::string, std::less<>>;

  // Fails with kValidation and a message that names the statement and the problem.
  static Result<Policy> Parse(std::string_view json, const Variables& variables = {});

  // A Deny that matches wins over every Allow; what nothing matches is denied.
  [[nodiscard]] Decision Evaluate(const wire::AccessQuestion& question) const;

  // Whether a statement has a condition.
  [[nodiscard]] bool AsksForKeys() const;

 private:
  struct Patterns {
    std::vector<std::string> any_of;
    bool negated = false;  // NotAction, NotResource
  };
  // On every partition key of a request.
  struct KeyCondition {
    std::vector<std::string> any_of;
    bool has_wildcards = false;
  };
  struct Statement {
    bool allows = false;
    Patterns actions;  // in lower case
    Patterns resources;
    std::vector<KeyCondition> conditions;  // all of which must hold
    std::optional<bool> full_table_scan;   // and this
  };
  friend class StatementReader;

  std::vector<Statement> statements_;
};

// Whether `text` matches `pattern`, where '*' stands for any text and '?' for one character.
bool MatchesWildcards(std::string_view pattern, std::string_view text);

}  // namespace stator::server

// Policies in IAM's language, the useful part of it; of two kinds. One says what an access key may
// do (identity-based):
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
// The other kind is attached to a table or a stream and says who may do what with it
// (resource-based). Its statements have a Principal: "*", or {"AWS": ...} with accounts, users and
// roles; and conditions on aws:PrincipalArn and aws:PrincipalAccount, with StringEquals,
// StringLike, ArnEquals, ArnLike and their negations.
//
// What would need more is refused when the policy is read, because a statement that is half
// understood allows too much.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"

namespace stator::policy {

class Policy;

// Whether somebody may do something.
struct Question {
  std::string_view action;    // IAM's name: "dynamodb:GetItem"
  std::string_view resource;  // an ARN of a table, an index, a stream; "*" when there is none
  // Of what is asked only when a policy AsksForKeys:
  std::span<const std::string> leading_keys = {};      // the partition keys that are named, as text
  std::optional<bool> full_table_scan = std::nullopt;  // of a SELECT
  // The policy that is attached to the resource, or to what it is below; null when there is none.
  const Policy* attached = nullptr;
};

enum class Decision : std::uint8_t { kAllow, kExplicitDeny, kImplicitDeny };

// What policy variables stand for: "aws:username", "aws:PrincipalTag/owner".
using Variables = std::map<std::string, std::string, std::less<>>;

// Who asks, as attached policies see them.
struct Identity {
  std::string arn;            // of the user, or of the role's session
  std::string principal_arn;  // what aws:PrincipalArn says: of the user, or of the role
  std::string account;
  Variables variables = {};
};

class Policy {
 public:
  // One that says what an access key may do. Fails with kValidation and a message that names the
  // statement and the problem.
  static Result<Policy> Parse(std::string_view json, const Variables& variables = {});

  // One that is attached to a resource; fails in the same way.
  static Result<Policy> ParseAttached(std::string_view json);

  // Whether an attached policy may be that of this table or stream: its statements are about it, and
  // none allows everybody in the world something.
  [[nodiscard]] Result<void> CheckFor(std::string_view resource_arn) const;

  // A Deny that matches wins over every Allow; what nothing matches is denied. Of an attached
  // policy, `caller` says whom the statements have to name. One that allows the caller's own account
  // something leaves it to the policies of its users, so it allows nothing by itself; one that
  // denies it denies all of them.
  [[nodiscard]] Decision Evaluate(const Question& question, const Identity* caller = nullptr) const;

  // Whether a statement has a condition on what is read or written.
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
  // Whom a statement of an attached policy is about.
  struct Principals {
    bool anybody = false;
    std::vector<std::string> accounts;
    std::vector<std::string> arns;
  };
  struct CallerCondition {
    bool on_account = false;  // aws:PrincipalAccount, else aws:PrincipalArn
    std::vector<std::string> any_of;
    bool has_wildcards = false;
    bool negated = false;
  };
  struct Statement {
    bool allows = false;
    Patterns actions;  // in lower case
    Patterns resources;
    std::optional<Principals> principals;            // of an attached policy
    std::vector<KeyCondition> conditions;            // all of which must hold
    std::vector<CallerCondition> caller_conditions;  // and these
    std::optional<bool> full_table_scan;             // and this
  };
  friend class StatementReader;

  static Result<Policy> Read(std::string_view json, const Variables* variables);
  static bool IsAbout(const Statement& statement, const Identity& caller);
  static bool Matches(const Statement& statement, const Question& question,
                      std::string_view lower_action, const Identity* caller);

  std::vector<Statement> statements_;
};

// What an identity-based policy, or none, which allows everything, and the one that is attached to
// the resource, if any, say together, within one account: an explicit Deny of either wins, and an
// Allow of either is enough.
struct Verdict {
  Decision decision = Decision::kImplicitDeny;
  bool is_of_resource = false;  // an explicit deny: of the attached policy
};
Verdict Decide(const Policy* own, const Identity& caller, const Question& question);

// Whether `text` matches `pattern`, where '*' stands for any text and '?' for one character.
bool MatchesWildcards(std::string_view pattern, std::string_view text);

}  // namespace stator::policy

// For tests: IAM's logic of policies, written down a second time from its documentation and as plainly
// as possible, so that the evaluator that serves can be compared with it.
//
//   1. Whatever is not allowed is denied (implicit deny).
//   2. An explicit Allow that applies overrides that.
//   3. An explicit Deny that applies overrides any Allow, wherever it stands.
//   A statement applies when its action element, its resource element and every condition do, and one
//   of a resource-based policy when its principal does. An account as a principal of an Allow applies
//   to nobody by itself, that of a Deny to all of the account.
//   4. Within an account the statements of both policies count as if they were in one.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"

namespace stator::policy {

struct ReferenceCondition {
  bool is_like = false;  // ForAllValues:StringLike, else ForAllValues:StringEquals
  std::vector<std::string> leading_keys = {};
};

// Who asks: a user of an account.
struct ReferenceCaller {
  std::string account;
  std::string user;

  [[nodiscard]] std::string Arn() const { return "arn:aws:iam::" + account + ":user/" + user; }
};

struct ReferencePrincipal {
  bool is_anybody = false;
  std::vector<std::string> accounts = {};
  std::vector<ReferenceCaller> users = {};
};

// A condition on aws:PrincipalArn.
struct ReferenceCallerCondition {
  bool is_like = false;
  bool is_negated = false;
  std::vector<std::string> arns = {};
};

struct ReferenceStatement {
  bool allows = true;
  bool is_not_action = false;
  std::vector<std::string> actions = {};
  bool is_not_resource = false;
  std::vector<std::string> resources = {};
  std::vector<ReferenceCondition> conditions = {};  // at most one of each kind
  std::optional<bool> full_table_scan = std::nullopt;
  // Of resource-based policies:
  std::optional<ReferencePrincipal> principal = std::nullopt;
  std::optional<ReferenceCallerCondition> caller = std::nullopt;
};

using ReferencePolicy = std::vector<ReferenceStatement>;

// One question to a policy.
struct ReferenceQuestion {
  std::string action;
  std::string resource;
  std::vector<std::string> leading_keys = {};
  std::optional<bool> full_table_scan = std::nullopt;  // of a SELECT
};

Decision Evaluate(const ReferencePolicy& policy, const ReferenceQuestion& question,
                  const ReferenceCaller& caller = {});

// What both policies say together.
Decision Evaluate(const ReferencePolicy& of_identity, const ReferencePolicy& of_resource,
                  const ReferenceQuestion& question, const ReferenceCaller& caller);

// The policy as a document, as somebody would write it.
std::string ToJson(const ReferencePolicy& policy);

}  // namespace stator::policy

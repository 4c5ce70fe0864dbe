// For tests: IAM's logic of one identity-based policy, written down a second time from its
// documentation and as plainly as possible, so that the evaluator that serves can be compared with
// it.
//
//   1. Whatever is not allowed is denied (implicit deny).
//   2. An explicit Allow that applies overrides that.
//   3. An explicit Deny that applies overrides any Allow, wherever it stands.
//   A statement applies when its action element, its resource element and every condition do.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/policy.h"

namespace stator::server {

struct ReferenceCondition {
  bool is_like = false;  // ForAllValues:StringLike, else ForAllValues:StringEquals
  std::vector<std::string> leading_keys = {};
};

struct ReferenceStatement {
  bool allows = true;
  bool is_not_action = false;
  std::vector<std::string> actions = {};
  bool is_not_resource = false;
  std::vector<std::string> resources = {};
  std::vector<ReferenceCondition> conditions = {};  // at most one of each kind
  std::optional<bool> full_table_scan = std::nullopt;
};

using ReferencePolicy = std::vector<ReferenceStatement>;

// One question to a policy.
struct ReferenceQuestion {
  std::string action;
  std::string resource;
  std::vector<std::string> leading_keys = {};
  std::optional<bool> full_table_scan = std::nullopt;  // of a SELECT
};

Policy::Decision Evaluate(const ReferencePolicy& policy, const ReferenceQuestion& question);

// The policy as a document, as somebody would write it.
std::string ToJson(const ReferencePolicy& policy);

}  // namespace stator::server

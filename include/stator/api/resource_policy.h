// PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy: who may do what with a table and its
// indexes, or with a stream, as a document in IAM's language that is attached to it. A server that
// knows its callers evaluates it together with theirs.

#pragma once

#include <optional>
#include <string>

namespace stator {

struct PutResourcePolicyInput {
  std::string resource_arn;  // of a table or of a stream
  std::string policy;        // JSON, at most 20 KB
  // The policy that is to be replaced; "NO_POLICY": none. kPolicyNotFound when there is another.
  std::optional<std::string> expected_revision_id = std::nullopt;
  // A policy that keeps the caller from changing it again is refused otherwise.
  bool confirm_remove_self_resource_access = false;
};

// The same policy keeps its revision.
struct PutResourcePolicyOutput {
  std::string revision_id;
};

struct GetResourcePolicyInput {
  std::string resource_arn;
};

struct GetResourcePolicyOutput {
  std::string policy;  // as it was put
  std::string revision_id;
};

struct DeleteResourcePolicyInput {
  std::string resource_arn;
  std::optional<std::string> expected_revision_id = std::nullopt;
};

struct DeleteResourcePolicyOutput {
  std::string revision_id;  // of the policy that is gone; empty when there was none
};

}  // namespace stator

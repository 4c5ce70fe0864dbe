#include "stator/api/resource_policy.h"

#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<PutResourcePolicyInput> {
  static constexpr std::string_view kName = "PutResourcePolicyInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ResourceArn", input.resource_arn);
    visit.Required("Policy", input.policy);
    visit.Optional("ExpectedRevisionId", input.expected_revision_id);
    visit.Defaulted("ConfirmRemoveSelfResourceAccess", input.confirm_remove_self_resource_access,
                    false);
  }
};

template <>
struct Shape<PutResourcePolicyOutput> {
  static constexpr std::string_view kName = "PutResourcePolicyOutput";
  static void Visit(auto& visit, auto& output) { visit.Required("RevisionId", output.revision_id); }
};

template <>
struct Shape<GetResourcePolicyInput> {
  static constexpr std::string_view kName = "GetResourcePolicyInput";
  static void Visit(auto& visit, auto& input) { visit.Required("ResourceArn", input.resource_arn); }
};

template <>
struct Shape<GetResourcePolicyOutput> {
  static constexpr std::string_view kName = "GetResourcePolicyOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("Policy", output.policy);
    visit.Required("RevisionId", output.revision_id);
  }
};

template <>
struct Shape<DeleteResourcePolicyInput> {
  static constexpr std::string_view kName = "DeleteResourcePolicyInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ResourceArn", input.resource_arn);
    visit.Optional("ExpectedRevisionId", input.expected_revision_id);
  }
};

template <>
struct Shape<DeleteResourcePolicyOutput> {
  static constexpr std::string_view kName = "DeleteResourcePolicyOutput";
  static void Visit(auto& visit, auto& output) { visit.Required("RevisionId", output.revision_id); }
};

template struct Body<PutResourcePolicyInput>;
template struct Body<PutResourcePolicyOutput>;
template struct Body<GetResourcePolicyInput>;
template struct Body<GetResourcePolicyOutput>;
template struct Body<DeleteResourcePolicyInput>;
template struct Body<DeleteResourcePolicyOutput>;

}  // namespace stator::wire

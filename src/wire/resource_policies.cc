#include "wire/resource_policies.h"

#include <cstddef>
#include <utility>

#include "base/try.h"
#include "expression/text_cache.h"

namespace stator::wire {
namespace {

constexpr std::size_t kPoliciesMax = 256;

// The table or the stream whose policy counts; empty when nothing can have one.
std::string_view OwnerOf(std::string_view arn) {
  constexpr std::string_view kTable = ":table/";
  const std::size_t table = arn.find(kTable);
  if (table == std::string_view::npos) {
    return {};
  }
  const std::size_t below = arn.find('/', table + kTable.size());
  if (below == std::string_view::npos) {
    return arn;
  }
  const std::string_view rest = arn.substr(below);
  if (rest.starts_with("/index/")) {
    return arn.substr(0, below);
  }
  return rest.starts_with("/stream/") && !rest.ends_with('*') ? arn : std::string_view();
}

// What a policy that is attached to a resource means.
Result<std::shared_ptr<const policy::Policy>> AttachedPolicy(const std::string& text) {
  static expression::TextCache<policy::Policy> cache(kPoliciesMax);
  if (auto known = cache.Find(text)) {
    return known;
  }
  auto parsed = std::make_shared<const policy::Policy>(TRY(policy::Policy::ParseAttached(text)));
  cache.Add(text, parsed);
  return parsed;
}

}  // namespace

Result<const policy::Policy*> ResourcePolicies::Find(std::string_view arn) {
  const std::string_view owner = OwnerOf(arn);
  if (owner.empty()) {
    return nullptr;
  }
  auto known = known_.find(owner);
  if (known == known_.end()) {
    std::string name(owner);
    Pointer policy = TRY(Read(name));
    known = known_.emplace(std::move(name), std::move(policy)).first;
  }
  return known->second.get();
}

Result<ResourcePolicies::Pointer> ResourcePolicies::Read(const std::string& arn) const {
  const Result<GetResourcePolicyOutput> found = database_->GetResourcePolicy({.resource_arn = arn});
  if (found) {
    return AttachedPolicy(found->policy);
  }
  switch (found.error().code) {
    case ErrorCode::kPolicyNotFound:
    case ErrorCode::kTableNotFound:
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kUnknownOperation:
    case ErrorCode::kValidation:  // No resource has such a name; the operation says so.
      return nullptr;
    default:
      return std::unexpected(found.error());
  }
}

}  // namespace stator::wire

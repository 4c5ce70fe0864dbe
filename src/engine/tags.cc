// TagResource, UntagResource, ListTagsOfResource.

#include <algorithm>
#include <utility>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/resource_arn.h"
#include "engine/table_checks.h"

namespace stator::engine {
namespace {

constexpr std::size_t kTagsPerPage = 10;

Result<TablePtr> FindTagged(const EngineCore& core, const std::string& arn) {
  Result<TablePtr> table = core.catalog.Find(arn);
  if (!table) {
    return Fail(ErrorCode::kResourceNotFound,
                "Requested resource not found: ResourcArn: " + arn + " not found");
  }
  return table;
}

}  // namespace

Result<TagResourceOutput> TagResource(EngineCore& core, const TagResourceInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckResourceArn(core, input.resource_arn, "TagResource"));
  if (input.tags.empty()) {
    return Invalid("Atleast one Tag needs to be provided as Input.");
  }
  TRY_VOID(CheckTags(input.tags));
  const auto lock = core.catalog.ChangeLock();
  Table next = *TRY(FindTagged(core, input.resource_arn));
  for (const Tag& tag : input.tags) {
    const auto known = std::find_if(next.tags.begin(), next.tags.end(),
                                    [&](const Tag& each) { return each.key == tag.key; });
    if (known != next.tags.end()) {
      known->value = tag.value;
    } else {
      next.tags.push_back(tag);
    }
  }
  if (next.tags.size() > limits::kTagsMax) {
    return Fail(ErrorCode::kLimitExceeded, "The number of tags exceeds the limit of " +
                                               std::to_string(limits::kTagsMax) + " for " +
                                               input.resource_arn);
  }
  TRY_VOID(core.catalog.Publish(std::move(next)));
  return TagResourceOutput{};
}

Result<UntagResourceOutput> UntagResource(EngineCore& core, const UntagResourceInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckResourceArn(core, input.resource_arn, "UntagResource"));
  if (input.tag_keys.empty()) {
    return Invalid("Atleast one Tag Key needs to be provided as Input.");
  }
  const auto lock = core.catalog.ChangeLock();
  const Result<TablePtr> tagged = FindTagged(core, input.resource_arn);
  if (!tagged) {
    return Fail(ErrorCode::kResourceNotFound, "Requested resource not found");
  }
  Table next = **tagged;
  std::erase_if(next.tags, [&](const Tag& tag) {
    return std::find(input.tag_keys.begin(), input.tag_keys.end(), tag.key) != input.tag_keys.end();
  });
  TRY_VOID(core.catalog.Publish(std::move(next)));
  return UntagResourceOutput{};
}

Result<ListTagsOfResourceOutput> ListTagsOfResource(EngineCore& core,
                                                    const ListTagsOfResourceInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckResourceArn(core, input.resource_arn, "ListTagsOfResource"));
  const TablePtr table = TRY(FindTagged(core, input.resource_arn));
  ListTagsOfResourceOutput output;
  // The token is the key of the last tag shown.
  auto at = table->tags.begin();
  if (input.next_token) {
    at = std::find_if(table->tags.begin(), table->tags.end(),
                      [&](const Tag& tag) { return tag.key == *input.next_token; });
    if (at == table->tags.end()) {
      return Invalid("Invalid NextToken");
    }
    ++at;
  }
  for (; at != table->tags.end() && output.tags.size() < kTagsPerPage; ++at) {
    output.tags.push_back(*at);
  }
  if (at != table->tags.end()) {
    output.next_token = output.tags.back().key;
  }
  return output;
}

}  // namespace stator::engine

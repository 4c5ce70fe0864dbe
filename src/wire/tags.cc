#include "stator/api/tags.h"

#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_shapes.h"

namespace stator::wire {

template <>
struct Shape<TagResourceInput> {
  static constexpr std::string_view kName = "TagResourceInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ResourceArn", input.resource_arn);
    visit.Required("Tags", input.tags);
  }
};

template <>
struct Shape<UntagResourceInput> {
  static constexpr std::string_view kName = "UntagResourceInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ResourceArn", input.resource_arn);
    visit.Required("TagKeys", input.tag_keys);
  }
};

template <>
struct Shape<ListTagsOfResourceInput> {
  static constexpr std::string_view kName = "ListTagsOfResourceInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ResourceArn", input.resource_arn);
    visit.Optional("NextToken", input.next_token);
  }
};

template <>
struct Shape<ListTagsOfResourceOutput> {
  static constexpr std::string_view kName = "ListTagsOfResourceOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("Tags", output.tags);
    visit.Optional("NextToken", output.next_token);
  }
};

// Where others answer {}, these two answer nothing at all.
template <>
struct Shape<TagResourceOutput> : NoBody {};
template <>
struct Shape<UntagResourceOutput> : NoBody {};

template struct Body<TagResourceInput>;
template struct Body<TagResourceOutput>;
template struct Body<UntagResourceInput>;
template struct Body<UntagResourceOutput>;
template struct Body<ListTagsOfResourceInput>;
template struct Body<ListTagsOfResourceOutput>;

}  // namespace stator::wire

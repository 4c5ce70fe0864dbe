// TagResource, UntagResource, ListTagsOfResource: labels of a table, by its ARN.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/api/table_types.h"

namespace stator {

struct TagResourceInput {
  std::string resource_arn;
  std::vector<Tag> tags;
};

struct TagResourceOutput {};

struct UntagResourceInput {
  std::string resource_arn;
  std::vector<std::string> tag_keys;
};

struct UntagResourceOutput {};

struct ListTagsOfResourceInput {
  std::string resource_arn;
  std::optional<std::string> next_token = std::nullopt;
};

struct ListTagsOfResourceOutput {
  std::vector<Tag> tags;
  std::optional<std::string> next_token = std::nullopt;
};

}  // namespace stator

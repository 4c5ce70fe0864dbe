#include "stator/stores/entities/fields.h"

namespace stator::entities::detail {

patterns::Attribute AttributeAt(const std::vector<std::string_view>& names) {
  patterns::Attribute attribute(names.front());
  for (std::size_t n = 1; n < names.size(); ++n) {
    attribute = attribute[names[n]];
  }
  return attribute;
}

Error NoRoomFor(const std::vector<std::string_view>& names) {
  std::string path;
  for (const std::string_view name : names) {
    path += path.empty() ? "" : ".";
    path += name;
  }
  return {ErrorCode::kValidation, "field " + path + " cannot hold this value"};
}

void KeepFirst(std::optional<Error>& first, const std::optional<Error>& second) {
  if (!first) {
    first = second;
  }
}

}  // namespace stator::entities::detail

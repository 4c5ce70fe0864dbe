#include "provision/names.h"

#include <algorithm>
#include <utility>

namespace stator::provision {
namespace {

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

std::vector<std::string> IncludedIn(const Projection& projection) {
  std::vector<std::string> names =
      projection.non_key_attributes.value_or(std::vector<std::string>());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string_view NameOf(ScalarAttributeType type) {
  switch (type) {
    case ScalarAttributeType::kString:
      return "S";
    case ScalarAttributeType::kNumber:
      return "N";
    case ScalarAttributeType::kBinary:
      return "B";
  }
  std::unreachable();
}

std::string_view NameOf(KeyType type) {
  return type == KeyType::kHash ? "HASH" : "RANGE";
}

std::string_view NameOf(ProjectionType type) {
  switch (type) {
    case ProjectionType::kAll:
      return "ALL";
    case ProjectionType::kKeysOnly:
      return "KEYS_ONLY";
    case ProjectionType::kInclude:
      return "INCLUDE";
  }
  std::unreachable();
}

std::string_view NameOf(StreamViewType type) {
  switch (type) {
    case StreamViewType::kNewImage:
      return "NEW_IMAGE";
    case StreamViewType::kOldImage:
      return "OLD_IMAGE";
    case StreamViewType::kNewAndOldImages:
      return "NEW_AND_OLD_IMAGES";
    case StreamViewType::kKeysOnly:
      return "KEYS_ONLY";
  }
  std::unreachable();
}

std::string Describe(const std::vector<KeySchemaElement>& keys) {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const KeySchemaElement& key : keys) {
    names.push_back(key.attribute_name);
  }
  return Join(names);
}

std::string Describe(const Projection& projection) {
  const std::string text(NameOf(projection.projection_type.value_or(ProjectionType::kAll)));
  const std::string included = Join(IncludedIn(projection));
  return included.empty() ? text : text + " " + included;
}

std::string Describe(const std::optional<StreamViewType>& stream) {
  return stream ? std::string(NameOf(*stream)) : "off";
}

std::string Describe(const ProvisionedThroughput& throughput) {
  return std::to_string(throughput.read_capacity_units) + " reads, " +
         std::to_string(throughput.write_capacity_units) + " writes";
}

bool IsSame(const Projection& left, const Projection& right) {
  return left.projection_type == right.projection_type && IncludedIn(left) == IncludedIn(right);
}

}  // namespace stator::provision

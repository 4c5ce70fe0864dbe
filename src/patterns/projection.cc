#include "patterns/projection.h"

#include <algorithm>

namespace stator::patterns {

std::vector<Attribute> ProjectionOf(const TableLayout& table,
                                    const std::vector<std::string>& attributes) {
  if (attributes.empty()) {
    return {};
  }
  std::vector<std::string> names = attributes;
  names.insert(names.end(), table.key_attributes.begin(), table.key_attributes.end());
  if (table.expiry_attribute) {
    names.push_back(*table.expiry_attribute);
  }
  // DynamoDB refuses a path that occurs twice.
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return {names.begin(), names.end()};
}

}  // namespace stator::patterns

// How a codec says why it failed.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::mapping {

// Filled where mapping fails; the path grows from its end while the failure is passed up, so that
// nothing is spent on it otherwise.
class Problem {
 public:
  // Always false, to be returned.
  bool Expected(std::string expected, std::string found);
  bool WrongType(std::string expected, const AttributeValue& found);  // says the type only
  bool Missing(std::string_view expected);

  // Puts a step in front of the path; false again.
  bool At(std::string_view name);
  bool At(std::size_t index);

  [[nodiscard]] Error ToError(std::string_view type_name) const;

 private:
  std::string path_;
  std::string expected_;
  std::string found_;
};

}  // namespace stator::mapping

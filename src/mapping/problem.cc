#include "stator/mapping/detail/problem.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "stator/mapping/mapping_error.h"

namespace stator::mapping {
namespace {

bool IsPlain(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '_' || character == '-';
}

// A name as a step of a path: as it is, or in ["..."] when its characters could be mistaken for the
// path's own.
std::string StepOf(std::string_view name) {
  if (!name.empty() && std::all_of(name.begin(), name.end(), IsPlain)) {
    return std::string(name);
  }
  return "[\"" + std::string(name) + "\"]";
}

}  // namespace

bool Problem::Expected(std::string expected, std::string found) {
  path_.clear();
  expected_ = std::move(expected);
  found_ = std::move(found);
  return false;
}

bool Problem::WrongType(std::string expected, const AttributeValue& found) {
  return Expected(std::move(expected), std::string(TypeName(found.type())));
}

bool Problem::Missing(std::string_view expected) {
  return Expected(std::string(expected), std::string("nothing"));
}

bool Problem::At(std::string_view name) {
  const bool needs_dot = !path_.empty() && path_.front() != '[';
  path_ = StepOf(name) + (needs_dot ? "." : "") + path_;
  return false;
}

bool Problem::At(std::size_t index) {
  const bool needs_dot = !path_.empty() && path_.front() != '[';
  path_ = "[" + std::to_string(index) + "]" + (needs_dot ? "." : "") + path_;
  return false;
}

Error Problem::ToError(std::string_view type_name) const {
  auto detail = std::make_shared<MappingErrorDetail>();
  detail->path = path_;
  detail->expected = expected_;
  detail->found = found_;
  std::string message(type_name);
  if (!path_.empty() && path_.front() != '[') {
    message.push_back('.');
  }
  message.append(path_).append(": expected ").append(expected_).append(", found ").append(found_);
  return Error{
      .code = ErrorCode::kValidation, .message = std::move(message), .detail = std::move(detail)};
}

}  // namespace stator::mapping

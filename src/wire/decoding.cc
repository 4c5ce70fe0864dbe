#include "wire/decoding.h"

#include "api/constraint_checker.h"

namespace stator::wire {

void Decoding::RefuseType(std::string message) {
  Refuse({.code = ErrorCode::kSerialization, .message = std::move(message)});
}

void Decoding::Refuse(Error error) {
  std::optional<Error>& place =
      error.code == ErrorCode::kSerialization ? wrong_type_ : bad_content_;
  if (!place) {
    place = std::move(error);
  }
}

void Decoding::RefusePlaceholder(Error error) {
  if (!bad_placeholder_) {
    bad_placeholder_ = std::move(error);
  }
}

void Decoding::NoteMissing(const api::MemberPath& path) {
  violations_.NoteUnreadable(path.ToString(), "null", "Member must not be null");
}

void Decoding::NoteUnknown(const api::MemberPath& path, std::string_view text,
                           std::string_view set) {
  if (!unknown_) {
    unknown_ = path.ToString() + " " + api::Quoted(text);
  }
  std::string constraint = "Member must satisfy enum value set: [";
  constraint.append(set).append("]");
  violations_.NoteUnreadable(path.ToString(), api::Quoted(text), std::move(constraint));
}

void Decoding::NoteUnchecked(const api::MemberPath& path) {
  violations_.NoteUnchecked(path.ToString());
}

Result<void> Decoding::FinishAnswer() {
  if (wrong_type_) {
    return std::unexpected(*std::move(wrong_type_));
  }
  if (bad_content_) {
    return std::unexpected(*std::move(bad_content_));
  }
  if (unknown_) {
    return Fail(ErrorCode::kSerialization, "unknown to this version: " + *unknown_);
  }
  return {};
}

}  // namespace stator::wire

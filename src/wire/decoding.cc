#include "wire/decoding.h"

#include "api/constraint_checker.h"
#include "base/try.h"

namespace stator::wire {
namespace {

// So many lists and maps inside each other are too many for the service's newer checks.
constexpr int kAbyssLevels = 63;

// Whether `json`, a value or a map of values, holds that many. Recursion is bounded by the parser.
bool IsAbyss(simdjson::dom::element json, int levels_left = kAbyssLevels) {
  if (levels_left == 0) {
    return true;
  }
  simdjson::dom::object members;
  if (json.get(members) == simdjson::SUCCESS) {
    for (const auto [key, member] : members) {
      const bool is_level = key == "M" || key == "L";
      if (IsAbyss(member, levels_left - (is_level ? 1 : 0))) {
        return true;
      }
    }
  }
  simdjson::dom::array elements;
  if (json.get(elements) == simdjson::SUCCESS) {
    for (const simdjson::dom::element element : elements) {
      if (IsAbyss(element, levels_left)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

void Decoding::RefuseType(std::string message) {
  if (!wrong_type_) {
    wrong_type_ = {.code = ErrorCode::kSerialization, .message = std::move(message)};
  }
}

void Decoding::Refuse(const api::MemberPath& path, Error error) {
  if (error.code == ErrorCode::kSerialization) {
    RefuseType(std::move(error.message));
  } else {
    violations_.NoteFault(path.ToString(), std::move(error));
  }
}

void Decoding::RefuseValue(const api::MemberPath& path, simdjson::dom::element json, Error error) {
  if (IsAbyss(json)) {
    violations_.NoteAbyss();
  }
  Refuse(path, std::move(error));
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
  TRY_VOID(violations_.FirstFault());
  if (unknown_) {
    return Fail(ErrorCode::kSerialization, "unknown to this version: " + *unknown_);
  }
  return {};
}

}  // namespace stator::wire

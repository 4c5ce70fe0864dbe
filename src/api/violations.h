// Collects every constraint that a request breaks, because DynamoDB names them all in one message:
//
//   2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member
//   must not be null; Value '0' at 'limit' failed to satisfy constraint: Member must have value
//   greater than or equal to 1
//
// THREADS: one object belongs to one request.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/member_path.h"
#include "stator/base/result.h"

namespace stator::api {

class Violations {
 public:
  // A member that a decoder could not put into the input struct: a required one that is missing, an
  // enumerator of another name. CheckConstraints reports it when it comes to `path`, so the message
  // keeps the service's order, and skips what it would have said about the default value there.
  // `value` is what stands behind "Value": null, or the text in quotes.
  void NoteUnreadable(std::string path, std::string value, std::string constraint);

  // The same for a structure about which there is something else to say, after the constraints.
  void NoteUnchecked(std::string path) { unchecked_.push_back(std::move(path)); }

  [[nodiscard]] bool HasUnreadable() const { return !unreadable_.empty() || !unchecked_.empty(); }

  // Reports what was noted for `path`; false when nothing was.
  bool ReportUnreadable(const MemberPath& path) {
    return HasUnreadable() && ReportUnreadable(path.ToString());
  }

  void Add(std::string_view path, std::string_view value, std::string_view constraint);

  // A message of its own that says nothing of the rest; the first of them counts.
  void AddAlone(std::string message);

  [[nodiscard]] bool empty() const {
    return messages_.empty() && unreadable_.empty() && !alone_.has_value();
  }

  // kValidation with the message over all violations, if there is one.
  [[nodiscard]] Result<void> ToResult() const;

 private:
  bool ReportUnreadable(std::string_view path);

  struct Unreadable {
    std::string path;
    std::string value;
    std::string constraint;
  };

  std::vector<std::string> messages_;
  std::vector<Unreadable> unreadable_;
  std::vector<std::string> unchecked_;
  std::optional<std::string> alone_;
};

}  // namespace stator::api

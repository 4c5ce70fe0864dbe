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

  // A value that could not be read, with what there is to say about it; see FaultIn.
  void NoteFault(std::string path, Error error) {
    faults_.push_back({std::move(path), std::move(error)});
  }

  // The first fault noted at `path` or inside what stands there. Whoever goes through a request asks
  // when it comes to that place, so the service's order of checks is the asker's.
  [[nodiscard]] Result<void> FaultIn(const MemberPath& path) const {
    return faults_.empty() ? Result<void>() : FaultIn(path.ToString());
  }
  // The same of what stands there itself, not inside.
  [[nodiscard]] Result<void> FaultAt(const MemberPath& path) const;
  [[nodiscard]] Result<void> FirstFault() const;
  [[nodiscard]] bool HasFaults() const { return !faults_.empty(); }

  // A value nested so deep that the service's newer checks leave the request to the older ones.
  void NoteAbyss() { has_abyss_ = true; }

  // Whether the older checks are in charge whatever the operation: they are when a member is missing
  // that every request of its kind has.
  [[nodiscard]] bool FallsBack() const;

  [[nodiscard]] bool HasUnreadable() const { return !unreadable_.empty() || !unchecked_.empty(); }

  // Reports what was noted for `path`; false when nothing was.
  bool ReportUnreadable(const MemberPath& path) {
    return HasUnreadable() && ReportUnreadable(path.ToString());
  }

  void Add(std::string_view path, std::string_view value, std::string_view constraint);
  // In words that name no place, with what was noted for `path`; false when nothing was.
  bool ReportAs(const MemberPath& path, std::string_view message);

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
  struct Fault {
    std::string path;
    Error error;
  };
  [[nodiscard]] Result<void> FaultIn(std::string_view path) const;

  std::vector<std::string> messages_;
  std::vector<Unreadable> unreadable_;
  std::vector<std::string> unchecked_;
  std::vector<Fault> faults_;
  bool has_abyss_ = false;
  std::optional<std::string> alone_;
};

}  // namespace stator::api

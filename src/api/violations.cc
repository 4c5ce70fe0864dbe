#include "api/violations.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace stator::api {
namespace {

// The service stops counting there.
constexpr std::size_t kViolationsMax = 10;

std::string Describe(std::string_view path, std::string_view value, std::string_view constraint) {
  std::string message = "Value ";
  if (!value.empty()) {
    message.append(value).append(" ");
  }
  message.append("at '").append(path);
  message.append("' failed to satisfy constraint: ").append(constraint);
  return message;
}

}  // namespace

void Violations::NoteUnreadable(std::string path, std::string value, std::string constraint) {
  unreadable_.push_back({std::move(path), std::move(value), std::move(constraint)});
}

bool Violations::ReportUnreadable(std::string_view path) {
  bool reported = std::find(unchecked_.begin(), unchecked_.end(), path) != unchecked_.end();
  for (auto noted = unreadable_.begin(); noted != unreadable_.end();) {
    if (noted->path != path) {
      ++noted;
      continue;
    }
    Add(noted->path, noted->value, noted->constraint);
    noted = unreadable_.erase(noted);
    reported = true;
  }
  return reported;
}

bool Violations::ReportAs(const MemberPath& path, std::string_view message) {
  const std::string at = unreadable_.empty() ? "" : path.ToString();
  const auto noted = std::ranges::find(unreadable_, at, &Unreadable::path);
  if (noted == unreadable_.end()) {
    return false;
  }
  unreadable_.erase(noted);
  messages_.emplace_back(message);
  return true;
}

Result<void> Violations::FaultIn(std::string_view path) const {
  for (const Fault& fault : faults_) {
    const std::string_view at = fault.path;
    if (at.starts_with(path) && (at.size() == path.size() || at[path.size()] == '.')) {
      return std::unexpected(fault.error);
    }
  }
  return {};
}

Result<void> Violations::FaultAt(const MemberPath& path) const {
  const std::string at = faults_.empty() ? "" : path.ToString();
  const auto fault = std::ranges::find(faults_, at, &Fault::path);
  return fault == faults_.end() ? Result<void>() : std::unexpected(fault->error);
}

Result<void> Violations::FirstFault() const {
  return faults_.empty() ? Result<void>() : std::unexpected(faults_.front().error);
}

bool Violations::FallsBack() const {
  constexpr std::string_view kAlwaysThere[] = {"tableName", "key", "item"};
  return has_abyss_ || std::ranges::any_of(kAlwaysThere, [&](std::string_view member) {
           return std::ranges::find(unreadable_, member, &Unreadable::path) != unreadable_.end();
         });
}

void Violations::Add(std::string_view path, std::string_view value, std::string_view constraint) {
  messages_.push_back(Describe(path, value, constraint));
}

void Violations::AddAlone(std::string message) {
  if (!alone_) {
    alone_ = std::move(message);
  }
}

Result<void> Violations::ToResult() const {
  if (alone_) {
    return Invalid(*alone_);
  }
  // What nobody came to report, such as members of a structure that another one excludes.
  std::vector<std::string> all = messages_;
  for (const Unreadable& noted : unreadable_) {
    all.push_back(Describe(noted.path, noted.value, noted.constraint));
  }
  if (all.empty()) {
    return {};
  }
  if (all.size() > kViolationsMax) {
    all.resize(kViolationsMax);
  }
  std::string message = std::to_string(all.size());
  message += all.size() == 1 ? " validation error detected: " : " validation errors detected: ";
  message += all.front();
  for (const std::string& violation : std::span(all).subspan(1)) {
    message.append("; ").append(violation);
  }
  return Invalid(std::move(message));
}

}  // namespace stator::api

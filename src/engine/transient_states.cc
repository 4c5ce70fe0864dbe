#include "engine/transient_states.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace stator::engine {
namespace {

std::string_view Verb(TableStatus status) {
  switch (status) {
    case TableStatus::kCreating:
      return "created";
    case TableStatus::kDeleting:
      return "deleted";
    default:
      return "updated";
  }
}

}  // namespace

void TransientStates::Begin(const TableDescription& description) {
  CHECK(description.table_status != TableStatus::kActive);
  if (!enabled()) {
    return;
  }
  const TimePoint now = clock_.Now();
  const MutexLock lock(mutex_);
  std::erase_if(moments_, [now](const auto& each) { return each.second.until <= now; });
  moments_.insert_or_assign(description.table_name,
                            Moment{.description = description, .until = now + duration_});
}

const TransientStates::Moment* TransientStates::FindMoment(std::string_view table_name) const {
  const auto found = moments_.find(table_name);
  return found == moments_.end() || found->second.until <= clock_.Now() ? nullptr : &found->second;
}

std::optional<TableDescription> TransientStates::Find(std::string_view table_name) const {
  if (!enabled()) {
    return std::nullopt;
  }
  const MutexLock lock(mutex_);
  const Moment* const moment = FindMoment(table_name);
  return moment == nullptr ? std::nullopt : std::optional(moment->description);
}

bool TransientStates::HasItems(std::string_view table_name) const {
  if (!enabled()) {
    return true;
  }
  const MutexLock lock(mutex_);
  const Moment* const moment = FindMoment(table_name);
  return moment == nullptr || moment->description.table_status == TableStatus::kUpdating;
}

Result<void> TransientStates::CheckArrived(std::string_view table_name) const {
  const std::optional<TableDescription> description = Find(table_name);
  if (!description) {
    return {};
  }
  return Fail(ErrorCode::kResourceInUse,
              "Attempt to change a resource which is still in use: Table is being " +
                  std::string(Verb(description->table_status)) + ": " + std::string(table_name));
}

void TransientStates::AddDeleting(std::string_view after, std::size_t limit,
                                  std::vector<std::string>& names) const {
  if (!enabled()) {
    return;
  }
  const TimePoint now = clock_.Now();
  const MutexLock lock(mutex_);
  for (auto each = moments_.upper_bound(after); each != moments_.end(); ++each) {
    if (each->second.until > now &&
        each->second.description.table_status == TableStatus::kDeleting) {
      names.insert(std::ranges::lower_bound(names, each->first), each->first);
    }
  }
  names.resize(std::min(names.size(), limit));
}

}  // namespace stator::engine

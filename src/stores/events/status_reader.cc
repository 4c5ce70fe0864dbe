#include <utility>

#include "base/try.h"
#include "stator/stores/events/projection_status.h"

namespace stator::events {

Result<std::uint64_t> StatusReader::Count(const std::optional<SortableId>& since) {
  const MutexLock lock(mutex_);
  const Duration now = store_->environment().clock->Elapsed();
  if (!counted_at_ || now - *counted_at_ >= options_.count_window) {
    counts_.clear();
    counted_at_ = now;
  }
  if (const auto known = counts_.find(since); known != counts_.end()) {
    return known->second;
  }
  const std::uint64_t count =
      TRY(store_->CountEvents(since ? std::optional<Cursor>(Cursor(*since)) : std::nullopt));
  counts_.emplace(since, count);
  return count;
}

Result<std::vector<ProjectionProgress>> StatusReader::Read(
    const std::string& projector, const std::optional<std::string>& version) {
  std::vector<ProjectionProgress> progress;
  const TimePoint now = store_->environment().clock->Now();
  for (ProjectionStatus& status : TRY(StatusRegistry(*store_).List(projector, version))) {
    ProjectionProgress row;
    row.total = TRY(Count(std::nullopt));
    row.remaining = TRY(Count(status.last_traversed));
    row.fresh = now - status.recorded_time < options_.freshness;
    row.caught_up = row.fresh && row.remaining == 0 && status.phase != ProjectionPhase::kFaulted;
    row.status = std::move(status);
    progress.push_back(std::move(row));
  }
  return progress;
}

}  // namespace stator::events

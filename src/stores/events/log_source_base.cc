#include "stores/events/log_source_base.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/try.h"
#include "stores/events/payload_blobs.h"
#include "stores/events/redaction.h"
#include "stores/events/subject_keys.h"

namespace stator::events {

double UnitsOf(std::uint64_t bytes, bool consistent) {
  constexpr std::uint64_t kBytesPerUnit = 4096;
  const auto units = static_cast<double>(bytes / kBytesPerUnit + 1);
  return consistent ? units : units / 2;
}

Result<void> LogSourceBase::Fill(std::vector<Event>& events) {
  const std::size_t before = events.size();
  while (events.size() == before) {
    if (range_.backwards && !tail_done_) {
      TakeTail(events);
    } else if (!index_done_) {
      TRY_VOID(FillFromIndex(events));
    } else if (!tail_done_) {
      TakeTail(events);
    } else {
      return {};
    }
  }
  given_ += events.size() - before;
  if (core_->options.on_read_progress) {
    core_->options.on_read_progress(given_, units_);
  }
  return PrefetchKeys(events, before);
}

Result<void> LogSourceBase::Load(Event& event) {
  if (options_.load_payloads) {
    return LoadPayload(*core_, event);
  }
  core_->redactions.Hide(event);
  return {};
}

std::uint64_t LogSourceBase::LeftOf(std::uint64_t most) const {
  if (!options_.limit) {
    return most;
  }
  return std::min(most, *options_.limit > given_ ? *options_.limit - given_ : 1);
}

void LogSourceBase::TakeTail(std::vector<Event>& events) {
  const std::uint64_t page = static_cast<std::uint64_t>(core_->options.query_page_size);
  const std::uint64_t count = std::min<std::uint64_t>(LeftOf(page), tail_.size() - taken_);
  events.reserve(events.size() + count);
  for (const std::size_t end = taken_ + count; taken_ < end; ++taken_) {
    events.push_back(tail_[range_.backwards ? tail_.size() - 1 - taken_ : taken_].event());
  }
  tail_done_ = taken_ == tail_.size();
}

Result<void> LogSourceBase::PrefetchKeys(const std::vector<Event>& events, std::size_t from) {
  std::vector<std::string> subjects;
  for (std::size_t index = from; index < events.size(); ++index) {
    if (!events[index].subject.empty() && !events[index].erased) {
      subjects.push_back(events[index].subject);
    }
  }
  return subjects.empty() || !options_.load_payloads
             ? Result<void>()
             : core_->subjects.Prefetch(std::move(subjects));
}

}  // namespace stator::events

#include "stores/entities/segmented_scan.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"

namespace stator::entities::detail {

void UnitRate::Use(double units) {
  if (!rate_ || *rate_ <= 0) {
    return;
  }
  Duration wait = Duration::zero();
  {
    const MutexLock lock(mutex_);
    const Duration now = clock_->Elapsed();
    const Duration begin = std::max(now, free_at_.value_or(now));
    free_at_ =
        begin + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(units / *rate_));
    wait = *free_at_ - now;
  }
  clock_->SleepFor(wait);
}

bool SegmentedScan::Stopped() {
  const MutexLock lock(mutex_);
  return stopped_ || error_ || options_.stop.stop_requested();
}

bool SegmentedScan::complete() const {
  const MutexLock lock(mutex_);
  return !error_ && std::all_of(positions_.begin(), positions_.end(),
                                [](const SegmentPosition& position) { return position.done; });
}

Result<ScanOutput> SegmentedScan::ReadPage(std::size_t segment, const std::optional<Item>& after) {
  patterns::Placeholders placeholders;
  ScanInput input{.table_name = core_->table().table_name};
  input.filter_expression = placeholders.Compile(filter_);
  placeholders.Fill(input);
  input.limit = options_.page_items_max;
  if (segments_ > 1) {
    input.segment = static_cast<std::int32_t>(segment);
    input.total_segments = static_cast<std::int32_t>(segments_);
  }
  input.exclusive_start_key = after;
  input.consistent_read = options_.consistent_read;
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  const patterns::Environment& environment = core_->environment();
  return patterns::RetryTransient(core_->options().retry, environment,
                                  [&] { return core_->database().Scan(input); });
}

std::vector<Item> SegmentedScan::Entities(std::vector<Item> items) const {
  const TimePoint now = core_->environment().clock->Now();
  std::erase_if(items, [&](const Item& item) {
    return !core_->IsOurs(item) || patterns::IsExpired(item, core_->table(), now);
  });
  return items;
}

void SegmentedScan::RunSegment(std::size_t segment, const TakePage& take, const PageDone& done) {
  std::optional<Item> after;
  bool ended = false;
  {
    const MutexLock lock(mutex_);
    after = positions_[segment].next;
    ended = positions_[segment].done;
  }
  while (!ended && !Stopped()) {
    Result<ScanOutput> page = ReadPage(segment, after);
    double units = 0;
    {
      const MutexLock lock(mutex_);
      if (!page) {
        error_ = std::move(page).error();
        return;
      }
      if (stopped_) {
        return;
      }
      units = page->consumed_capacity ? page->consumed_capacity->capacity_units : 0;
      progress_.scanned += static_cast<std::uint64_t>(page->scanned_count);
      std::vector<Item> items = Entities(std::move(page->items).value_or(std::vector<Item>()));
      progress_.taken += items.size();
      const std::optional<double> used = take(std::move(items));
      units += used.value_or(0);
      progress_.units += units;
      if (!used) {
        stopped_ = true;
        return;
      }
      after = std::move(page->last_evaluated_key);
      ended = !after;
      positions_[segment] = {.next = after, .done = ended};
      if (Result<void> kept = done(positions_); !kept) {
        error_ = std::move(kept).error();
        return;
      }
      if (options_.on_progress) {
        options_.on_progress(progress_);
      }
    }
    rate_.Use(units);
  }
}

Result<ScanProgress> SegmentedScan::Run(std::vector<SegmentPosition> positions,
                                        const TakePage& take, const PageDone& done) {
  segments_ = positions.size();
  {
    const MutexLock lock(mutex_);
    positions_ = std::move(positions);
  }
  if (segments_ == 1) {
    RunSegment(0, take, done);
  } else {
    std::vector<std::jthread> threads;
    threads.reserve(segments_);
    for (std::size_t segment = 0; segment < segments_; ++segment) {
      threads.emplace_back([&, segment] { RunSegment(segment, take, done); });
    }
  }
  const MutexLock lock(mutex_);
  if (error_) {
    return std::unexpected(*error_);
  }
  return progress_;
}

}  // namespace stator::entities::detail

// A scan in segments, each by a thread, at a rate that they share.

#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/patterns/expression.h"
#include "stator/stores/entities/maintenance.h"

namespace stator::entities::detail {

// How many units may be used until when.
// THREADS: may be used by many threads at once.
class UnitRate {
 public:
  UnitRate(std::optional<double> units_per_second, Clock& clock)
      : rate_(units_per_second), clock_(&clock) {}

  // Waits as long as it takes to have had the right to these units.
  void Use(double units);

 private:
  std::optional<double> rate_;
  Clock* clock_;
  Mutex mutex_;
  std::optional<Duration> free_at_ STATOR_GUARDED_BY(mutex_);
};

// Where a segment goes on.
struct SegmentPosition {
  std::optional<Item> next = std::nullopt;
  bool done = false;
};

class SegmentedScan {
 public:
  // Items of one page, and what it cost; returns the units that were used on them besides, or
  // nothing to stop.
  using TakePage = std::function<std::optional<double>(std::vector<Item>)>;
  // The positions of all segments, after a page was taken.
  using PageDone = std::function<Result<void>(const std::vector<SegmentPosition>&)>;

  SegmentedScan(const EntityCore& core, const ScanOptions& options, patterns::Condition filter)
      : core_(&core),
        options_(options),
        filter_(std::move(filter)),
        rate_(options.units_per_second, *core.environment().clock) {}

  // From these positions, one per segment, to the end, until a page says stop, or to the first
  // error. Functions are called by one thread at a time.
  Result<ScanProgress> Run(std::vector<SegmentPosition> positions, const TakePage& take,
                           const PageDone& done);

  // Whether all segments came to their end.
  [[nodiscard]] bool complete() const;

 private:
  void RunSegment(std::size_t segment, const TakePage& take, const PageDone& done);
  Result<ScanOutput> ReadPage(std::size_t segment, const std::optional<Item>& after);
  [[nodiscard]] std::vector<Item> Entities(std::vector<Item> items) const;
  [[nodiscard]] bool Stopped();

  const EntityCore* core_;
  ScanOptions options_;
  patterns::Condition filter_;
  UnitRate rate_;

  std::size_t segments_ = 0;  // written before their threads begin
  mutable Mutex mutex_;
  std::vector<SegmentPosition> positions_ STATOR_GUARDED_BY(mutex_);
  ScanProgress progress_ STATOR_GUARDED_BY(mutex_);
  std::optional<Error> error_ STATOR_GUARDED_BY(mutex_);
  bool stopped_ STATOR_GUARDED_BY(mutex_) = false;
};

}  // namespace stator::entities::detail

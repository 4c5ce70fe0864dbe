#include "copy/copy_items.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "stator/api/database.h"
#include "stator/base/mutex.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/retry.h"

namespace stator::copy {
namespace {

class Copying {
 public:
  Copying(const Side& from, const Side& to, CopyState& state, const CopyOptions& options)
      : from_(from), to_(to), segments_(state.segments.size()), state_(state), options_(options) {}

  Result<void> Run() {
    {
      std::vector<std::jthread> threads;
      threads.reserve(segments_);
      for (std::size_t segment = 0; segment < segments_; ++segment) {
        threads.emplace_back([this, segment] { End(CopySegment(segment)); });
      }
    }
    const MutexLock lock(mutex_);
    if (failure_) {
      return std::unexpected(*failure_);
    }
    if (!state_.is_done()) {
      return Fail(ErrorCode::kIncomplete, "the copy was interrupted");
    }
    return {};
  }

 private:
  [[nodiscard]] bool IsOver() {
    const MutexLock lock(mutex_);
    return failure_.has_value() || options_.stop.stop_requested();
  }

  void End(Result<void> outcome) {
    const MutexLock lock(mutex_);
    if (!outcome && !failure_) {
      failure_ = std::move(outcome).error();
    }
  }

  Result<void> CopySegment(std::size_t number) {
    SegmentState segment;
    {
      const MutexLock lock(mutex_);
      segment = state_.segments[number];
    }
    while (!segment.is_done && !IsOver()) {
      const ScanInput input{.table_name = from_.layout.table_name,
                            .segment = static_cast<std::int32_t>(number),
                            .total_segments = static_cast<std::int32_t>(segments_),
                            .exclusive_start_key = segment.behind,
                            .consistent_read = true};
      ScanOutput page = TRY(patterns::RetryTransient(kPatience, options_.environment,
                                                     [&] { return from_.database->Scan(input); }));
      std::vector<Item> items = std::move(page.items).value_or(std::vector<Item>());
      segment.items += items.size();
      TRY_VOID(Write(std::move(items)));
      segment.behind = std::move(page.last_evaluated_key);
      segment.is_done = !segment.behind;
      TRY_VOID(Note(number, segment));
    }
    return {};
  }

  Result<void> Write(std::vector<Item> items) {
    if (items.empty()) {
      return {};
    }
    std::vector<WriteRequest> writes;
    writes.reserve(items.size());
    for (Item& item : items) {
      writes.emplace_back(PutRequest{std::move(item)});
    }
    const patterns::BatchWriter writer(
        *to_.database,
        {.parallelism = 1, .retry = kPatience, .stop = options_.stop, .allow_versioned = true},
        options_.environment);
    const patterns::BatchWriteOutcome outcome =
        writer.Write({{.table = to_.layout, .writes = std::move(writes)}});
    if (outcome.complete()) {
      return {};
    }
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kIncomplete, .message = "the copy was interrupted"}));
  }

  Result<void> Note(std::size_t number, const SegmentState& segment) {
    const MutexLock lock(mutex_);
    state_.segments[number] = segment;
    return options_.on_page ? options_.on_page(state_) : Result<void>();
  }

  const Side& from_;
  const Side& to_;
  const std::size_t segments_;
  CopyState& state_ STATOR_GUARDED_BY(mutex_);
  const CopyOptions& options_;
  Mutex mutex_;
  std::optional<Error> failure_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace

Result<void> CopyItems(const Side& from, const Side& to, CopyState& state,
                       const CopyOptions& options) {
  CHECK(!state.segments.empty());
  return Copying(from, to, state, options).Run();
}

}  // namespace stator::copy

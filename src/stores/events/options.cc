#include "stator/stores/events/options.h"

#include "base/limits.h"

namespace stator::events {
namespace {

Result<void> CheckRange(const char* name, std::int64_t value, std::int64_t least,
                        std::int64_t most) {
  if (value < least || value > most) {
    return Invalid(std::string(name) + " is " + std::to_string(value) + "; " +
                   std::to_string(least) + " to " + std::to_string(most) + " are allowed");
  }
  return {};
}

}  // namespace

Result<void> CheckOptions(const EventStoreOptions& options) {
  struct Range {
    const char* name;
    std::int64_t value;
    std::int64_t least;
    std::int64_t most;
  };
  const Range ranges[] = {
      {"query_page_size", options.query_page_size, 1, 100'000},
      {"concurrent_reads_max", options.concurrent_reads_max, 1, 256},
      {"batch_get_items_max", options.batch_get_items_max, 1, limits::kBatchGetKeysMax},
      {"batch_write_items_max", options.batch_write_items_max, 1, limits::kBatchWriteRequestsMax},
      {"chunk_slots", options.chunk_slots, 1, 100'000},
      {"retry.budget",
       std::chrono::duration_cast<std::chrono::milliseconds>(options.retry.budget).count(), 0,
       3'600'000},
      {"retry.wait_max", options.retry.wait_max.count(), 1, 3'600'000},
      {"subject_keys_kept", options.subject_keys_kept.count(), 0, 86'400},
      {"write_shard_count", options.write_shard_count.value_or(1), 1, 1000},
      {"offload_threshold_bytes", static_cast<std::int64_t>(options.offload_threshold_bytes), 1,
       limits::kItemBytesMax},
  };
  for (const Range& range : ranges) {
    if (auto checked = CheckRange(range.name, range.value, range.least, range.most); !checked) {
      return checked;
    }
  }
  return {};
}

}  // namespace stator::events

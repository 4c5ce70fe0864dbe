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
      {"max_concurrent_reads", options.max_concurrent_reads, 1, 256},
      {"max_batch_get_items", options.max_batch_get_items, 1, limits::kBatchGetKeysMax},
      {"max_batch_write_items", options.max_batch_write_items, 1, limits::kBatchWriteRequestsMax},
      // One event with a few tags must fit.
      {"max_transaction_items", options.max_transaction_items, 10, limits::kTransactionActionsMax},
      {"max_retry_attempts", options.max_retry_attempts, 1, 1000},
      {"max_retry_delay", options.max_retry_delay.count(), 1, 3'600'000},
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

// How an event store works: names, limits, and what is recorded once for a service.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "stator/base/result.h"
#include "stator/stores/events/tag.h"

namespace stator::events {

struct EventStoreOptions {
  std::string service_id = "default";
  std::string events_table_name = "SekibanEvents";
  std::string tags_table_name = "SekibanTags";
  std::string projection_states_table_name = "SekibanProjectionStates";
  bool auto_create_tables = true;
  // Nothing can be appended, and nothing is recorded. So tables can be read whose events another
  // system wrote, without heads; write_shard_count says over how many partitions of the index that
  // system spread them (absent: those that have events are looked for). What heads would tell then
  // costs reads of all rows of a tag, and listing all tags or types reads everything.
  bool read_only = false;
  // Whether the events table gets a stream of keys, which tells followers when to look. A table
  // that has one keeps it.
  bool stream_events = false;

  // Recorded with the first append of a service and the same for all who use it; absent: what is
  // recorded, or the default.
  //
  // The global head numbers all events without a hole and makes conditions on everything possible.
  // It makes the appends of a service wait for each other. Default: yes.
  std::optional<bool> global_head = std::nullopt;
  // Heads of types make conditions on types without a tag possible. Default: yes.
  std::optional<bool> type_heads = std::nullopt;

  // Over how many partitions of the index new events are spread; may be changed at any time, since
  // every count that was ever used is recorded and read. Absent: the last one, 1 at first.
  std::optional<int> write_shard_count = std::nullopt;

  TagRule tag_rule = TagRule::kOpen;

  // Strong reads, except of the index, which DynamoDB does not read strongly. Conditions of appends
  // are evaluated with strong reads in any case.
  bool use_consistent_reads = true;
  int query_page_size = 1000;
  int max_concurrent_reads = 4;
  int max_batch_get_items = 100;    // 1 to 100
  int max_batch_write_items = 25;   // 1 to 25
  int max_transaction_items = 100;  // 10 to 100

  // Of requests that conflict, are throttled, or come back unprocessed.
  int max_retry_attempts = 10;
  std::chrono::milliseconds max_retry_delay{30'000};

  // A projection state whose item would be larger goes into the blob store.
  std::size_t offload_threshold_bytes = 350'000;

  // Called after every page with the events read so far by this read and the capacity that was
  // used.
  std::function<void(std::uint64_t events, double capacity_units)> on_read_progress = {};
};

// Fails with kValidation for numbers that make no sense.
Result<void> CheckOptions(const EventStoreOptions& options);

}  // namespace stator::events

// How an event store works: names, limits, and what is recorded once for a service.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"
#include "stator/patterns/retry.h"
#include "stator/stores/events/hooks.h"
#include "stator/stores/events/tag.h"

namespace stator::events {

struct EventStoreOptions {
  std::string service_id = "default";
  std::string events_table_name = "SekibanEvents";
  std::string tags_table_name = "SekibanTags";
  std::string projection_states_table_name = "SekibanProjectionStates";
  bool auto_create_tables = true;
  // Nothing can be appended, and nothing is recorded. So tables can be read whose events another
  // system wrote, without a log; write_shard_count says over how many partitions of the index that
  // system spread them (absent: those that have events are looked for). What the index would tell
  // then costs reads of all rows of a tag, and listing all tags or types reads everything.
  bool read_only = false;
  // Whether the events table gets a stream of keys, which tells followers when to look. A table
  // that has one keeps it.
  bool stream_events = false;

  // Whether the rows that the original system has are written, too, as a view of the log, when there
  // is time; for its programs, for the console, and for people who look. Recorded; absent: as it
  // was last said, true at first.
  std::optional<bool> seed_rows = std::nullopt;
  // Index and view are written by a thread of the store. Without it the index is written by those
  // who append, and the view by CatchUpView. Appends that are started have threads of their own, made
  // with the first.
  bool background = true;
  // How many slots of the log are indexed together; recorded when a service is first used.
  int chunk_slots = 256;

  // Over how many partitions of their index new rows of the view are spread; may be changed at any
  // time, since every count that was ever used is recorded. Absent: the last one, 1 at first.
  std::optional<int> write_shard_count = std::nullopt;

  TagRule tag_rule = TagRule::kOpen;

  // Strong reads, except of the index, which DynamoDB does not read strongly. Conditions of appends
  // are evaluated with strong reads in any case.
  bool use_consistent_reads = true;
  int query_page_size = 1000;
  int concurrent_reads_max = 4;
  int batch_get_items_max = 100;   // 1 to 100
  int batch_write_items_max = 25;  // 1 to 25

  // Of requests that are throttled, get no answer or come back unprocessed. More than other stores
  // take, since all appends of a service meet at the end of one log.
  patterns::RetryOptions retry = {.budget = std::chrono::seconds(10),
                                  .wait_first = std::chrono::milliseconds(2),
                                  .wait_max = std::chrono::milliseconds(1000)};

  // A projection state whose item would be larger goes into the blob store, and so does the payload
  // of an event.
  std::size_t offload_threshold_bytes = 350'000;
  // For payloads; must outlive the store. Without one an event has at most 400 KB, and payloads that
  // are in one cannot be read.
  BlobStore* blobs = nullptr;

  // How long a key of a subject is used without looking whether it was erased (erasure.h).
  std::chrono::seconds subject_keys_kept = std::chrono::seconds(60);

  // Rows of the view, never the log, say in `ttl` that they expire so long after their event. The
  // table then has to know the attribute: EventStore::Tables says so.
  std::optional<std::chrono::seconds> view_ttl = std::nullopt;

  // Called after every page with the events read so far by this read and the capacity that was
  // used.
  std::function<void(std::uint64_t events, double capacity_units)> on_read_progress = {};
  EventHooks hooks = {};
};

// Fails with kValidation for numbers that make no sense.
Result<void> CheckOptions(const EventStoreOptions& options);

}  // namespace stator::events

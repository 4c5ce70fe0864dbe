// What an event server reads, whatever its messages look like: positions instead of sortable ids.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::event_server {

struct ReadRequest {
  events::EventQuery query = {};
  std::optional<std::uint64_t> from = std::nullopt;  // inclusive in both directions
  std::optional<std::uint64_t> limit = std::nullopt;
  bool backwards = false;
};

struct AppendRequest {
  std::vector<events::NewEvent> events = {};
  bool has_condition = false;
  events::EventQuery fail_if_match = {};
  std::optional<std::uint64_t> after = std::nullopt;
  std::string append_id = {};
};

// Nothing for a request that wants no events. `behind` is the place of the last event that such a read
// has given, if it is to go on there.
Result<std::optional<events::EventStream>> OpenRead(
    events::EventStore& store, const ReadRequest& request,
    const std::optional<events::Cursor>& behind = std::nullopt);

// The id of the last event up to a position; before everything for 0.
Result<events::SortableId> IdUpTo(events::EventStore& store, std::uint64_t position);

// The same in batches, for those who send them on: between two of them it can be put aside, which
// gives back the memory that reading takes.
//
// THREADS: one at a time. The store must outlive it.
class Reading {
 public:
  // Events behind `up_to` are not given, so that a read that was put aside ends where it would have.
  Reading(events::EventStore& store, ReadRequest request,
          std::optional<std::uint64_t> up_to = std::nullopt)
      : store_(&store), request_(std::move(request)), up_to_(up_to), left_(request_.limit) {}

  // At most so many events, and no more when they have so many bytes, which one event may exceed.
  // Fewer, perhaps none, only at the end of what was there when it was opened. It opens itself again
  // then, and so finds what was appended since.
  Result<std::vector<events::Event>> Next(std::size_t events_max, std::size_t bytes_max);

  // Whether it stands in the middle of what was there when it was opened.
  [[nodiscard]] bool is_open() const { return stream_.has_value(); }
  // Whether all that the request wants was given, whatever is appended yet.
  [[nodiscard]] bool is_complete() const { return left_ == 0U; }
  void PutAside() { stream_.reset(); }

 private:
  Result<void> Open();

  events::EventStore* store_;
  ReadRequest request_;
  std::optional<std::uint64_t> up_to_;
  std::optional<std::uint64_t> left_;
  std::optional<events::Cursor> last_;  // of the event that was given last
  std::optional<events::EventStream> stream_;
};

}  // namespace stator::event_server

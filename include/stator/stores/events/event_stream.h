// Reading events one after the other, with memory for a page per partition however many there are.
//
//   Result<EventStream> stream = store.Read({.query = EventQuery::Tagged("course:c1")});
//   while (true) {
//     Result<std::optional<Event>> event = stream->Next();
//     if (!event) { return Report(event.error()); }
//     if (!*event) { break; }
//     Apply(**event);
//   }

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"

namespace stator::events {

// `since` and `until` mean the same in both directions: events behind the one, not behind the
// other.
struct ReadOptions {
  EventQuery query = {};
  std::optional<Cursor> since = std::nullopt;      // exclusive
  std::optional<SortableId> until = std::nullopt;  // inclusive
  std::optional<std::uint64_t> limit = std::nullopt;
  bool backwards = false;
  // Whether payloads that are in the blob store are read and those of subjects opened. If not, events
  // have their key only, and what is sealed stays so.
  bool load_payloads = true;
};

// THREADS: one thread at a time. The store must outlive it.
class EventStream {
 public:
  // What a stream reads from; the kinds are the store's.
  class Source {
   public:
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    virtual ~Source() = default;
    // Puts the next events behind those that are there; none at the end.
    virtual Result<void> Fill(std::vector<Event>& events) = 0;
    // Called for each event when it is given away.
    virtual Result<void> Load(Event& event) = 0;
  };

  EventStream(std::unique_ptr<Source> source, std::optional<std::uint64_t> limit)
      : source_(std::move(source)), left_(limit) {}

  // Nothing at the end. After a failure or the end it must not be called again.
  Result<std::optional<Event>> Next();
  // Puts the next ones, at most so many, behind those that are there; fewer only at the end.
  Result<void> Take(std::uint64_t most, std::vector<Event>& events);

 private:
  Result<bool> FillPage();

  std::unique_ptr<Source> source_;
  std::optional<std::uint64_t> left_;
  std::vector<Event> page_;
  std::size_t next_ = 0;  // of the page
};

}  // namespace stator::events

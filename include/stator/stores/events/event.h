// What is stored: a fact, of a type, with opaque data, about the things that its tags name.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stator/stores/events/sortable_id.h"

namespace stator::events {

// Empty means that there is none.
struct EventMetadata {
  std::string causation_id = {};
  std::string correlation_id = {};
  std::string executed_user = {};

  friend bool operator==(const EventMetadata&, const EventMetadata&) = default;
};

// An event before it is appended. A tag that occurs twice counts once.
struct NewEvent {
  std::string type;
  std::string payload = {};  // any bytes; JSON by custom
  std::vector<std::string> tags = {};
  EventMetadata metadata = {};
  // Whose payload it is, so that it can be erased (erasure.h); empty: nobody's. Not somebody's name or
  // address: it stays when the payload is gone.
  std::string subject = {};
  // A UUID in small letters, not of version 8, which are the store's; empty: the store makes one.
  // Appending the same ids again gives the original answer, whatever became of the conditions since; a part
  // of them, or with others, is kIdempotentParameterMismatch. COST: a read and a row per event.
  std::string id = {};
};

// Where a reader is: behind one event.
struct Cursor {
  SortableId sortable_id;
  // Tells apart events of one sortable id, which only other systems write. Empty: behind all of
  // them.
  std::string event_id = {};
  // Of that event, if the store numbers events; 0 when it is not known.
  std::uint64_t position = 0;

  Cursor() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an id is a place to read from.
  Cursor(SortableId id, std::string event = {}, std::uint64_t number = 0)
      : sortable_id(id), event_id(std::move(event)), position(number) {}

  friend bool operator==(const Cursor&, const Cursor&) = default;
};

struct Event {
  std::string id;  // a UUID
  SortableId sortable_id;
  // 1, 2, 3, ... in the order in which events were committed, without holes; 0 in tables of another
  // system.
  std::uint64_t position = 0;
  std::string type;
  std::string payload;
  std::vector<std::string> tags;  // sorted, each once
  EventMetadata metadata = {};
  std::string recorded_at = {};  // ISO 8601, of the clock of whoever appended
  // Under which the blob store has the payload of a large event; empty when the log has it.
  std::string payload_key = {};
  std::string subject = {};  // whose payload it is (erasure.h); empty: nobody's
  bool erased = false;       // there was a payload; it is gone, and `payload` is empty

  [[nodiscard]] Cursor cursor() const { return {sortable_id, id, position}; }

  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace stator::events

// A record of a session as the store hands it out: what the workflow's kind has, and beside it what
// the store keeps for itself.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/patterns/versioning.h"
#include "stator/value/attribute_value.h"

namespace stator::sessions {

// Who works on a record, and until when nobody else may.
struct Lease {
  std::string worker;
  TimePoint until;

  friend bool operator==(const Lease&, const Lease&) = default;
};

// Of a record with items.
struct Progress {
  std::size_t total = 0;
  std::size_t done = 0;

  friend bool operator==(const Progress&, const Progress&) = default;
};

struct Record {
  std::string kind;
  std::string id;
  Item value = {};              // without keys and bookkeeping; spilled lists are back in it
  std::string state = {};       // empty for kinds without states
  std::int64_t epoch = 0;       // of its step, when it was made
  std::int64_t expires_at = 0;  // in seconds
  std::optional<Lease> lease = std::nullopt;
  std::optional<Progress> progress = std::nullopt;
  patterns::VersionedItem stored = {};  // the item as it was read, for Replace

  [[nodiscard]] std::uint64_t revision() const { return stored.revision.number; }
};

// One item of a record that has items.
struct ItemState {
  std::string id;
  bool done = false;
  Map input = {};   // what it was made with
  Map result = {};  // once it is done

  friend bool operator==(const ItemState&, const ItemState&) = default;
};

// Says of which kind records of T are; specialised beside T.
template <class T>
struct KindOf;

// A record decoded to its struct.
template <class T>
struct Typed {
  T value;
  Record record;
};

}  // namespace stator::sessions

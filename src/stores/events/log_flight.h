// A slot on its way: what is sent, for whom, and what came of it.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"
#include "stores/events/condition_check.h"
#include "stores/events/log_items.h"
#include "stores/events/log_slot.h"
#include "stores/events/payload_blobs.h"

namespace stator::events {

// An append as it goes through the queue.
struct Ticket {
  // What is asked.
  LoggedAppend append = {};
  std::vector<Event> events = {};  // without places, unless they keep theirs
  bool keeps_places = false;
  std::string bytes = {};  // both, encoded
  std::optional<Parts> parts = {};
  std::vector<OffloadedPayload> payloads = {};  // that its events name
  bool has_payloads = false;                    // they were written, perhaps in part
  Conditions conditions = {};
  std::uint64_t facts_slot = 0;        // up to here the caller has looked into the index
  std::optional<Error> conflict = {};  // that it found there
  std::stop_token stop = {};

  // What came of it: a place in the log, an error, that the facts are too old, or that the places
  // which it keeps are not behind everything.
  enum class Outcome : std::uint8_t { kNone, kAppended, kFound, kStale, kBehind, kFailed };
  Outcome outcome = Outcome::kNone;
  SlotPointer slot = {};
  std::size_t append_index = 0;
  Error error = {};
  bool sent = false;  // at least once

  // Who is told of the outcome, on a thread of the log.
  class Owner {
   public:
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    // Whether it is done; when not, it has started the ticket again.
    virtual bool OnOutcome() = 0;

   protected:
    Owner() = default;
    ~Owner() = default;
  };
  Owner* owner = nullptr;

  // Without an owner a thread runs it. Whoever makes a sleeping one something else releases `wake`, once;
  // whoever answers one that does not sleep must not touch it any more.
  enum class State : std::uint8_t { kRunning, kSleeping, kAnswered };
  std::atomic<State> state = State::kRunning;
  // Gives the processor up a few times before it sleeps: many are answered by then, and a semaphore that
  // sleeps at once was measured to be slower.
  std::binary_semaphore wake{0};

  // Whether it was in the one state and is in the other now.
  bool Change(State from, State to) { return state.compare_exchange_strong(from, to); }
};

// What came of sending a slot.
struct Sent {
  enum class Outcome : std::uint8_t { kStored, kLost, kFailed, kUnknown };
  Outcome outcome = Outcome::kUnknown;
  std::optional<Item> other = {};  // kLost: that is there instead
  Error error = {};                // kFailed, kUnknown
};

// Slot, put and members stay as they are from when it is sent; the rest belongs to the log's mutex.
struct Flight {
  std::shared_ptr<Slot> slot = {};
  PutItemInput put = {};
  std::vector<Ticket*> members = {};
  std::optional<Sent> sent = {};  // none while it is on its way
  bool abandoned = false;
};

// Adds the append as the last one, with its places. The ticket's events are the slot's from now on.
void AddMember(Flight& flight, Ticket& ticket);
// Gives the members their events back, without places. REQUIRES: nobody looks at the slot.
void ReturnEvents(Flight& flight);

// What is sent. REQUIRES: it has members.
void MakePut(const EventStoreCore& core, Flight& flight);
// Sends it until it is known what came of it, or patience is over. `maybe_stored`: it was sent before,
// and the answer was lost.
Sent SendFlight(EventStoreCore& core, const Flight& flight, bool maybe_stored);

}  // namespace stator::events

// Session: the operations on one session, for one request or one piece of work.
//
// THE FENCE. A session counts epochs per step. A record belongs to the epoch in which it was made,
// and is not there for readers when its step is in another one. So InvalidateFrom is one small
// write, however many records it takes away, and a worker that comes too late changes nothing that
// anybody sees: its writes are conditional on the record, its epoch and its state, and never make
// one. A Session remembers the epochs of when it was claimed; what it would make for an epoch that
// is over is refused with kStale.
//
// STATES change along the machine of the kind only, whichever operation is used.
//
// LIFE. Every write carries the expiry of the session, which is renewed when too little of it is
// left, and its records with it; no record outlives its session. What has expired is not found.
//
// COST: reads of one record one request, writes of one record one, making one is a transaction of
// two; parts and items of large records more. THREADS: every method may be called from many
// threads.

#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/mapping/mapping.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/sessions/record.h"
#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/summary.h"
#include "stator/value/attribute_value.h"

namespace stator::sessions {

struct SessionStoreCore;
struct SessionState;

struct TransitionInput {
  std::string to;
  std::vector<std::string> from = {};  // empty: wherever the machine allows it
  Item set = {};                       // attributes to write together with the state
  std::vector<std::string> remove = {};
  std::optional<std::string> worker = std::nullopt;  // only while this worker holds the lease
  // Takes the lease together with the state: for that long.
  std::optional<Duration> lease = std::nullopt;
};

enum class ItemsLayout : std::uint8_t {
  kAuto,      // by their number
  kMap,       // in the record: one write per result, of the whole record
  kChildren,  // items of the table: two small writes in a transaction
};

struct NewItem {
  std::string id;  // stable: whoever works on the item knows it
  Map input = {};
};

struct Completion {
  bool already_done = false;  // by an earlier call; its result stays
  bool finished = false;      // it was the last one, and this call ended the record's work
  Progress progress = {};
};

struct Invalidation {
  std::vector<std::string> steps = {};
  std::vector<std::string> deleted = {};  // sort keys
  std::size_t blobs_removed = 0;
};

class Session {
 public:
  [[nodiscard]] const std::string& id() const;
  // Nothing for a worker.
  [[nodiscard]] const std::optional<std::string>& owner() const;
  // As of the last look at it.
  [[nodiscard]] std::int64_t expires_at() const;
  [[nodiscard]] std::int64_t EpochOf(std::string_view kind) const;

  // -- Reading: what the session is now; kNotFound for what is not in it.

  // The session's own attributes.
  [[nodiscard]] Result<Record> Meta() const;
  [[nodiscard]] Result<Record> Get(std::string_view kind, std::string_view id) const;
  // By id. Pages do not matter, neither do parts and items.
  [[nodiscard]] Result<std::vector<Record>> List(std::string_view kind) const;
  [[nodiscard]] Result<std::size_t> Count(std::string_view kind) const;
  // The one that was made last.
  [[nodiscard]] Result<Record> Latest(std::string_view kind) const;
  // Everything, by one query.
  [[nodiscard]] Result<Summary> Load() const;

  // -- Writing.

  // An empty id makes one. Fails with kAlreadyExists, kStale, kTooLarge.
  [[nodiscard]] Result<Record> PutNew(std::string_view kind, std::string_view id, Item value) const;
  // Fails with kConflict when somebody else changed it since.
  [[nodiscard]] Result<Record> Replace(const Record& seen, Item value) const;
  // Reads, changes, writes; again on what others left. The change may run several times.
  [[nodiscard]] Result<Record> Modify(std::string_view kind, std::string_view id,
                                      const patterns::ItemChange& change) const;
  [[nodiscard]] Result<Record> ModifyMeta(const patterns::ItemChange& change) const;
  // One conditional write. Fails with kIllegalTransition and the actual state, kStale when the
  // record is gone, kLeaseLost.
  [[nodiscard]] Result<Record> Transition(std::string_view kind, std::string_view id,
                                          const TransitionInput& input) const;
  // The same of the session itself, without a lease: one conditional write.
  [[nodiscard]] Result<Record> TransitionMeta(const TransitionInput& input) const;
  // To the failed state, keeping everything else.
  [[nodiscard]] Result<Record> FailRecord(std::string_view kind, std::string_view id,
                                          std::string message,
                                          std::optional<std::string> worker = std::nullopt) const;
  // Whether there was one.
  [[nodiscard]] Result<bool> Remove(std::string_view kind, std::string_view id) const;

  // -- Items that are worked on in parallel, each by a stable id.

  [[nodiscard]] Result<Record> PutNewWithItems(std::string_view kind, std::string_view id,
                                               Item value, const std::vector<NewItem>& items,
                                               ItemsLayout layout = ItemsLayout::kAuto) const;
  // Counts once however often it is called. The last one takes the record to its done state.
  [[nodiscard]] Result<Completion> CompleteItem(
      std::string_view kind, std::string_view id, std::string_view item, Map result,
      std::optional<std::string> worker = std::nullopt) const;
  // The same with a result that says so.
  [[nodiscard]] Result<Completion> FailItem(std::string_view kind, std::string_view id,
                                            std::string_view item, std::string message) const;
  [[nodiscard]] Result<std::vector<ItemState>> Items(std::string_view kind,
                                                     std::string_view id) const;
  // Ids of what is not done yet.
  [[nodiscard]] Result<std::vector<std::string>> Pending(std::string_view kind,
                                                         std::string_view id) const;
  // Counts anew and ends what should have ended; for when a worker died between two writes.
  [[nodiscard]] Result<Completion> Heal(std::string_view kind, std::string_view id) const;

  // -- Leases: one worker at a time; whoever finds a lease lapsed may take it.

  // Only in the working state. Fails with kLeaseHeld.
  [[nodiscard]] Result<Record> TakeLease(std::string_view kind, std::string_view id,
                                         std::string_view worker, Duration length) const;
  // Both fail with kLeaseLost.
  [[nodiscard]] Result<Record> RenewLease(std::string_view kind, std::string_view id,
                                          std::string_view worker, Duration length) const;
  [[nodiscard]] Result<Record> ReleaseLease(std::string_view kind, std::string_view id,
                                            std::string_view worker) const;

  // -- The whole.

  // The step and all that depend on it, or only those. From then on nobody sees their records; they
  // and their blobs are then removed as far as that works. Fails with kIncomplete when something is
  // left: it is invisible and expires, and Sweep removes it earlier.
  [[nodiscard]] Result<Invalidation> InvalidateFrom(std::string_view step) const;
  [[nodiscard]] Result<Invalidation> InvalidateAfter(std::string_view step) const;
  // Removes what is left of former epochs. May be repeated.
  [[nodiscard]] Result<Invalidation> Sweep() const;
  // Ends the session; what is left of it is removed as by Sweep.
  [[nodiscard]] Result<Invalidation> Expire() const;
  // Renews the session and its records if they are due.
  [[nodiscard]] Result<void> KeepAlive() const;
  // Accepts the epochs of now: for whoever knows that what it is going to make is not outdated.
  [[nodiscard]] Result<void> Refresh() const;

  // -- The same with structs (mapping/mapping.h) whose kind is KindOf<T>.

  template <class T>
  [[nodiscard]] Result<Typed<T>> Get(std::string_view id) const {
    return Decode<T>(Get(KindOf<T>::kName, id));
  }
  template <class T>
  [[nodiscard]] Result<Typed<T>> Latest() const {
    return Decode<T>(Latest(KindOf<T>::kName));
  }
  template <class T>
  [[nodiscard]] Result<std::vector<Typed<T>>> List() const {
    Result<std::vector<Record>> records = List(KindOf<T>::kName);
    return records ? DecodeAll<T>(*records) : std::unexpected(std::move(records).error());
  }
  template <class T>
    requires mapping::Described<T>
  Result<Typed<T>> PutNew(const T& value, std::string_view id = {}) const {
    Result<Item> item = ToItem(value);
    return item ? Decode<T>(PutNew(KindOf<T>::kName, id, *std::move(item)))
                : std::unexpected(NotStorable(std::move(item).error()));
  }
  template <class T>
  Result<Typed<T>> Replace(const Typed<T>& seen) const {
    Result<Item> item = ToItem(seen.value);
    if (!item) {
      return std::unexpected(NotStorable(std::move(item).error()));
    }
    CarryUnknown<T>(seen.record.value, *item);
    return Decode<T>(Replace(seen.record, *std::move(item)));
  }
  template <class T, class Change>
    requires std::invocable<Change&, T&>
  Result<Typed<T>> Modify(std::string_view id, Change change) const {
    return Decode<T>(
        Modify(KindOf<T>::kName, id, [&change](Item& item) -> Result<patterns::Verdict> {
          Result<T> value = FromItem<T>(item);
          if (!value) {
            return std::unexpected(std::move(value).error());
          }
          change(*value);
          Result<Item> after = ToItem(*value);
          if (!after) {
            return std::unexpected(std::move(after).error());
          }
          CarryUnknown<T>(item, *after);
          item = *std::move(after);
          return patterns::Verdict::kWrite;
        }));
  }

 private:
  friend class SessionStore;
  explicit Session(std::shared_ptr<SessionState> state) : state_(std::move(state)) {}

  static Error NotStorable(Error error);

  std::shared_ptr<SessionState> state_;
};

}  // namespace stator::sessions

// Projections: state that follows from events, and the fold that keeps it.
//
//   class Seats final : public Projection { ... };
//   const Projector seats{.name = "seats", .version = "2", .query = {...},
//                         .make = [] { return std::make_unique<Seats>(); }};
//   auto runner = ProjectionRunner::Open(store, checkpoints, seats);   // projection_runner.h

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"

namespace stator::events {

// State that events change. What it becomes must depend on the events and their order alone.
class Projection {
 public:
  Projection() = default;
  Projection& operator=(const Projection&) = delete;
  virtual ~Projection() = default;

  // A failure ends the projection at this event until it is rebuilt.
  virtual Result<void> Apply(const Event& event) = 0;
  [[nodiscard]] virtual std::unique_ptr<Projection> Clone() const = 0;
  // To bytes and back. Save may fail for state that cannot be written.
  [[nodiscard]] virtual Result<std::string> Save() const = 0;
  virtual Result<void> Load(std::string_view bytes) = 0;

 protected:
  Projection(const Projection&) = default;
};

struct Projector {
  std::string name;
  std::string version;  // state of one version is never given to another
  EventQuery query = {};
  std::function<std::unique_ptr<Projection>()> make;
};

// Two states: `safe`, of events behind which nothing earlier can still come, and `served`, which
// has the later ones too. The caller says up to where events are safe; with a global head that is
// everything that a read gives, and both are the same.
//
// Events may come twice and in any order. While one is not safe yet, an earlier one that comes late
// is put in its place. One that comes after its place became safe makes the state wrong: it is then
// refused until it is rebuilt from the beginning.
// THREADS: one at a time.
class SafeFold {
 public:
  explicit SafeFold(std::unique_ptr<Projection> initial) : safe_(std::move(initial)) {}

  // The initial state has the effect of this many events, up to the cursor.
  void Resume(Cursor cursor, std::uint64_t events);

  // Fails with the projection's own error, now and from then on, and with kUnavailable when the
  // state has to be rebuilt. If everything is safe (SortableId::Max), events come in order, as a log
  // gives them.
  Result<void> Add(std::vector<Event> events, SortableId safe_up_to);
  // Time has passed: more of what was added is safe.
  Result<void> Promote(SortableId safe_up_to);

  // Fail as Add does.
  [[nodiscard]] Result<const Projection*> Served() const;
  [[nodiscard]] Result<const Projection*> Safe() const;

  // Of the safe state.
  [[nodiscard]] const Cursor& cursor() const { return cursor_; }
  [[nodiscard]] std::uint64_t safe_events() const { return events_; }
  [[nodiscard]] std::uint64_t served_events() const { return events_ + waiting_.size(); }
  // The served state is the safe one.
  [[nodiscard]] bool is_safe() const { return waiting_.empty(); }
  [[nodiscard]] bool must_be_rebuilt() const { return must_be_rebuilt_; }
  [[nodiscard]] const std::optional<Error>& fault() const { return fault_; }
  // The event of the fault: its place and id.
  [[nodiscard]] const Cursor& fault_at() const { return fault_at_; }
  // Whether it was added before, as far back as that is remembered.
  [[nodiscard]] bool Knows(const Event& event) const;
  void DemandRebuild() { must_be_rebuilt_ = true; }

 private:
  [[nodiscard]] Result<void> Check() const;
  Result<void> ApplyTo(Projection& projection, const Event& event);
  Result<void> AddFinal(const std::vector<Event>& events);
  Result<void> FoldSafe(const Event& event);
  Result<void> MakeServed();
  void Remember(const std::string& event_id);

  std::unique_ptr<Projection> safe_;
  std::unique_ptr<Projection> served_;  // only while something waits
  Cursor cursor_;
  std::uint64_t events_ = 0;
  std::deque<Event> waiting_;  // sorted; not safe yet
  // The last ids that became safe, to tell repetitions from events that come too late.
  std::deque<std::string> recent_;
  std::unordered_set<std::string> recent_set_;
  bool must_be_rebuilt_ = false;
  std::optional<Error> fault_;
  Cursor fault_at_;
};

}  // namespace stator::events

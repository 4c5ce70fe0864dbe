// Keeps a projection up to date: from its last checkpoint, through everything since, then live.
//
//   auto runner = ProjectionRunner::Open(store, checkpoints, projector, {.instance = "host-1"});
//   (*runner)->CatchUp();                          // or Follow(stop), which does not end
//   (*runner)->Read([](const Projection& state, bool is_safe) { ... });
//
// Every event counts exactly once in the state: state and position are saved in one conditional
// write, and what was applied since the last save is applied again to the state of that save.
//
// THREADS: every method may be called from many threads; those that apply events take turns.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/event_stream.h"
#include "stator/stores/events/projection.h"

namespace stator::events {

class LagWindow;

// What becomes of a projection at an event that it cannot apply.
enum class OnPoison : std::uint8_t {
  kStop,  // it is faulted until it is rebuilt
  kSkip,  // it goes on without the event
  kPark,  // the same, and the event is listed (CheckpointStore::ListParked)
};

struct RunnerOptions {
  std::string instance = "default";  // who runs it, in the registry of projection_status.h
  // How long an event waits before it is safe, in stores without a global head.
  Duration safe_window = std::chrono::seconds(20);
  // It grows by how late events were seen after they were made, by at most this.
  Duration late_window_max = Duration::zero();
  std::uint64_t batch = 500;
  // A checkpoint is saved after this many events or this much time, if there is anything new.
  std::uint64_t save_every_events = 10'000;
  Duration save_every = std::chrono::hours(1);
  // Follow looks at the log this often, or, if the events table has a stream, at that; see
  // event_follower.h.
  Duration poll_interval = std::chrono::seconds(1);
  Duration stream_interval = std::chrono::milliseconds(250);
  bool use_stream = true;
  // Follow gives up after this many failures in a row.
  int failures_max = 120;
  // Follow writes into the registry this often, and when its phase changes; never when it is zero.
  Duration status_interval = std::chrono::seconds(30);
  // Called after every batch with the events applied so far in this run.
  std::function<void(std::uint64_t events)> on_progress = {};
  // In stores with a log. What was applied since the last save is then applied again, since a failed
  // Apply may have left anything behind.
  OnPoison on_poison = OnPoison::kStop;
  // Told of every event that is left out.
  std::function<void(const Cursor& event, const Error& why)> on_left_out = {};
};

struct RunnerState {
  Cursor cursor;         // of the safe state
  SortableId traversed;  // up to here everything was looked at, whether it matched or not
  std::uint64_t events = 0;
  std::uint64_t served_events = 0;
  bool is_safe = true;
  bool caught_up = false;  // the last read found the end of the log
  bool must_be_rebuilt = false;
  std::optional<Error> fault;
};

class ProjectionRunner {
 public:
  // Takes the state of the checkpoint if there is one of the projector's version. All references
  // must outlive the runner.
  static Result<std::unique_ptr<ProjectionRunner>> Open(EventStore& store,
                                                        CheckpointStore& checkpoints,
                                                        Projector projector,
                                                        RunnerOptions options = {});

  ProjectionRunner(const ProjectionRunner&) = delete;
  ProjectionRunner& operator=(const ProjectionRunner&) = delete;
  ~ProjectionRunner();

  // Applies everything that is in the store now; returns how many events.
  Result<std::uint64_t> CatchUp(const std::stop_token& stop = {});

  // Applies events as they come until it is told to stop. Saves before it returns. Fails with the
  // projection's fault, or when reading failed too often in a row.
  Result<void> Follow(const std::stop_token& stop);

  // Saves the safe state if it moved since the last save. A save that lost to another runner's is
  // no failure: that one saved.
  Result<void> Save();

  // From the beginning: marks the checkpoint as invalid, replays, and replaces it.
  Result<void> Rebuild(const std::stop_token& stop = {});

  // The same beside the state that is there: it is served, and follows, until the new one has caught up
  // and takes its place. Other runners of the projector take the new one at their next save. What was
  // parked is tried again. REQUIRES: the store has a log; the checkpoint is no tombstone.
  Result<void> RebuildBeside(const std::stop_token& stop = {});

  // Fails while the projection is faulted, has to be rebuilt, or has not caught up once.
  Result<void> Read(const std::function<void(const Projection& state, bool is_safe)>& look) const;

  // Until the served state has everything up to `id`; kTimeout when it takes too long.
  Result<void> AwaitEvent(SortableId id, Duration patience = std::chrono::seconds(30));

  [[nodiscard]] RunnerState state() const;
  // How many events of the store have not been looked at.
  Result<std::uint64_t> CountLag();

 private:
  ProjectionRunner(EventStore& store, CheckpointStore& checkpoints, Projector projector,
                   RunnerOptions options);

  Result<void> Load() STATOR_EXCLUDES(mutex_);
  Result<void> LoadLocked() STATOR_REQUIRES(mutex_);
  // Goes on without the event at which the projection is faulted, if that is wanted.
  Result<void> LeaveOut() STATOR_REQUIRES(mutex_);
  // A state that is made beside the one that is served.
  struct Beside {
    std::unique_ptr<Projection> state;
    Cursor cursor = {};
    std::uint64_t events = 0;
    std::map<std::string, ParkedEvent> left_out = {};  // by id
  };
  Result<void> ApplyBeside(const std::vector<Event>& events, Beside& beside) const;
  Result<void> SwitchTo(Beside beside, const std::stop_token& stop) STATOR_REQUIRES(mutex_);
  [[nodiscard]] SortableId SafeUpTo(TimePoint now) const STATOR_REQUIRES(mutex_);
  // The same, to be recorded with a state.
  [[nodiscard]] SortableId SafePlace() const STATOR_REQUIRES(mutex_);
  struct Batch {
    std::vector<Event> events = {};
    bool at_end = false;  // of the log
  };
  // What follows. A store with a log is read through `stream`, which is opened when there is none.
  Result<Batch> ReadBatch(std::optional<EventStream>& stream) STATOR_REQUIRES(mutex_);
  // Whether the end of the log was reached.
  Result<bool> ApplyBatch(std::optional<EventStream>& stream, std::uint64_t& applied)
      STATOR_REQUIRES(mutex_);
  Result<std::uint64_t> Replay(const std::stop_token& stop, bool save) STATOR_REQUIRES(mutex_);
  Result<void> SaveLocked(bool rebuilt) STATOR_REQUIRES(mutex_);
  Result<void> Adopt(const CheckpointToken& current) STATOR_REQUIRES(mutex_);
  [[nodiscard]] bool IsSaveDue() const STATOR_REQUIRES(mutex_);
  void ObserveLags(const std::vector<Event>& events) STATOR_REQUIRES(mutex_);

  EventStore* store_;
  CheckpointStore* checkpoints_;
  Projector projector_;
  RunnerOptions options_;

  mutable Mutex mutex_;
  std::unique_ptr<SafeFold> fold_ STATOR_GUARDED_BY(mutex_);
  CheckpointToken token_ STATOR_GUARDED_BY(mutex_);
  std::uint64_t saved_events_ STATOR_GUARDED_BY(mutex_) = 0;
  Duration saved_at_ STATOR_GUARDED_BY(mutex_){};
  bool caught_up_ STATOR_GUARDED_BY(mutex_) = false;
  bool caught_up_once_ STATOR_GUARDED_BY(mutex_) = false;
  SortableId traversed_ STATOR_GUARDED_BY(mutex_);
  // In a store with a log: behind what was read, whether it was applied or left out.
  std::optional<Cursor> read_up_to_ STATOR_GUARDED_BY(mutex_);
  std::set<std::string> left_out_ STATOR_GUARDED_BY(mutex_);  // ids
  bool save_soon_ STATOR_GUARDED_BY(mutex_) = false;
  std::unique_ptr<LagWindow> lag_ STATOR_GUARDED_BY(mutex_);
};

// The state as it was behind an event, from the checkpoint if that is not beyond it, else from the
// beginning. Of tables of another system, too, as far as their events are there.
Result<std::unique_ptr<Projection>> ProjectAsOf(EventStore& store, CheckpointStore& checkpoints,
                                                const Projector& projector, SortableId until,
                                                const std::stop_token& stop = {});

}  // namespace stator::events

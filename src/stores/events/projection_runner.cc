#include "stator/stores/events/projection_runner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/retry.h"
#include "stores/events/append_waiter.h"
#include "stores/events/event_store_core.h"
#include "stores/events/heartbeat.h"
#include "stores/events/lag_window.h"

namespace stator::events {
namespace {

bool IsRejection(const Error& error) {
  return dynamic_cast<const CheckpointRejected*>(error.detail.get()) != nullptr;
}

}  // namespace

ProjectionRunner::ProjectionRunner(EventStore& store, CheckpointStore& checkpoints,
                                   Projector projector, RunnerOptions options)
    : store_(&store),
      checkpoints_(&checkpoints),
      projector_(std::move(projector)),
      options_(std::move(options)),
      lag_(std::make_unique<LagWindow>(options_.late_window_max)) {}
ProjectionRunner::~ProjectionRunner() = default;

Result<std::unique_ptr<ProjectionRunner>> ProjectionRunner::Open(EventStore& store,
                                                                 CheckpointStore& checkpoints,
                                                                 Projector projector,
                                                                 RunnerOptions options) {
  TRY_VOID(CheckQuery(projector.query));
  if (projector.name.empty() || projector.version.empty() || !projector.make ||
      options.batch == 0) {
    return Invalid("a projector needs a name, a version and a state, a runner batches");
  }
  std::unique_ptr<ProjectionRunner> runner(
      new ProjectionRunner(store, checkpoints, std::move(projector), std::move(options)));
  TRY_VOID(runner->Load());
  return runner;
}

Result<void> ProjectionRunner::Load() {
  const MutexLock lock(mutex_);
  return LoadLocked();
}

Result<void> ProjectionRunner::LoadLocked() {
  read_up_to_.reset();
  std::unique_ptr<Projection> state = projector_.make();
  const std::optional<Checkpoint> checkpoint =
      TRY(checkpoints_->Find(projector_.name, projector_.version));
  saved_at_ = store_->environment().clock->Elapsed();
  saved_events_ = 0;
  if (!checkpoint) {
    token_ = {};
    fold_ = std::make_unique<SafeFold>(std::move(state));
    return {};
  }
  token_ = checkpoint->token;
  if (token_.tombstoned) {
    fold_ = std::make_unique<SafeFold>(std::move(state));
    fold_->DemandRebuild();
    return {};
  }
  TRY_VOID(state->Load(checkpoint->state));
  fold_ = std::make_unique<SafeFold>(std::move(state));
  fold_->Resume(checkpoint->cursor, checkpoint->events);
  saved_events_ = checkpoint->events;
  return {};
}

SortableId ProjectionRunner::SafeUpTo(TimePoint now) const {
  if (!EventStoreCoreOf(*store_).is_foreign) {
    return SortableId::Max();
  }
  const Duration late = lag_->Current(store_->environment().clock->Elapsed());
  return SortableId::At(now - options_.safe_window - late);
}

// Only of events that are seen for the first time, and not while old ones are replayed.
void ProjectionRunner::ObserveLags(const std::vector<Event>& events) {
  if (!caught_up_once_ || options_.late_window_max == Duration::zero() ||
      !EventStoreCoreOf(*store_).is_foreign) {
    return;
  }
  const Clock& clock = *store_->environment().clock;
  for (const Event& event : events) {
    if (!fold_->Knows(event)) {
      lag_->Observe(clock.Now() - event.sortable_id.Time(), clock.Elapsed());
    }
  }
}

Result<ProjectionRunner::Batch> ProjectionRunner::ReadBatch(std::optional<EventStream>& stream) {
  ReadOptions options{.query = projector_.query};
  if (fold_->safe_events() > 0) {
    options.since = fold_->cursor();
  }
  if (EventStoreCoreOf(*store_).is_foreign) {
    // Events may still appear between those that are not safe yet, so they are read again until they
    // are.
    options.limit = options_.batch + fold_->served_events() - fold_->safe_events();
    Batch batch{.events = TRY(store_->ReadList(options))};
    batch.at_end = batch.events.size() < *options.limit;
    return batch;
  }
  options.since = read_up_to_ ? read_up_to_ : options.since;
  const bool is_new = !stream;
  if (is_new) {
    stream = TRY(store_->Read(options));
  }
  Batch batch;
  constexpr std::uint64_t kRoomMax = 1000;
  batch.events.reserve(std::min(options_.batch, kRoomMax));
  TRY_VOID(stream->Take(options_.batch, batch.events));
  if (batch.events.size() < options_.batch) {
    // It has what was there when it was opened. What came since is looked for once more.
    stream.reset();
    batch.at_end = is_new;
  }
  return batch;
}

Result<bool> ProjectionRunner::ApplyBatch(std::optional<EventStream>& stream,
                                          std::uint64_t& applied) {
  const bool has_log = !EventStoreCoreOf(*store_).is_foreign;
  const TimePoint asked_at = store_->environment().clock->Now();
  auto [events, at_end] = TRY(ReadBatch(stream));
  ObserveLags(events);
  const std::optional<Cursor> last =
      events.empty() ? read_up_to_ : std::optional(events.back().cursor());
  if (!left_out_.empty()) {
    std::erase_if(events, [this](const Event& event)
                              STATOR_REQUIRES(mutex_) { return left_out_.contains(event.id); });
  }
  const std::uint64_t before = fold_->served_events();
  if (const Result<void> added = fold_->Add(std::move(events), SafeUpTo(asked_at)); !added) {
    if (!has_log || !fold_->fault() || options_.on_poison == OnPoison::kStop) {
      return std::unexpected(added.error());
    }
    TRY_VOID(LeaveOut());
    stream.reset();
    return false;
  }
  read_up_to_ = last;
  applied += fold_->served_events() - before;
  return at_end;
}

Result<void> ProjectionRunner::LeaveOut() {
  const Cursor at = fold_->fault_at();
  const Error why = *fold_->fault();
  if (options_.on_poison == OnPoison::kPark) {
    TRY_VOID(checkpoints_->Park(
        projector_.name, projector_.version,
        {.position = at.position, .event_id = at.event_id, .attempts = 1, .reason = why.message}));
  }
  left_out_.insert(at.event_id);
  // So that the next one costs only what came since.
  save_soon_ = true;
  if (options_.on_left_out) {
    options_.on_left_out(at, why);
  }
  if (!token_.tombstoned) {
    return LoadLocked();
  }
  // A rebuild begins again; there is no state to go on from.
  fold_ = std::make_unique<SafeFold>(projector_.make());
  read_up_to_.reset();
  return {};
}

bool ProjectionRunner::IsSaveDue() const {
  const std::uint64_t news = fold_->safe_events() - saved_events_;
  return news >= options_.save_every_events || (save_soon_ && news > 0) ||
         (news > 0 && store_->environment().clock->Elapsed() - saved_at_ >= options_.save_every);
}

Result<std::uint64_t> ProjectionRunner::Replay(const std::stop_token& stop, bool save) {
  std::uint64_t applied = 0;
  caught_up_ = false;
  // Behind the last event that matches there may be many that do not.
  const std::optional<SortableId> end =
      projector_.query.matches_all() ? std::nullopt : TRY(store_->FindLastId());
  std::optional<EventStream> stream;
  while (!caught_up_ && !stop.stop_requested()) {
    const std::uint64_t before = applied;
    caught_up_ = TRY(ApplyBatch(stream, applied));
    if (options_.on_progress && (applied == 0 || applied != before)) {
      options_.on_progress(applied);
    }
    if (save && IsSaveDue()) {
      TRY_VOID(SaveLocked(/*rebuilt=*/false));
      // Somebody else's state may be the one to go on from.
      if (!read_up_to_) {
        stream.reset();
      }
    }
  }
  if (caught_up_ && end) {
    traversed_ = std::max(traversed_, *end);
  }
  caught_up_once_ = caught_up_once_ || caught_up_;
  return applied;
}

Result<std::uint64_t> ProjectionRunner::CatchUp(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  return Replay(stop, /*save=*/true);
}

Result<void> ProjectionRunner::Follow(const std::stop_token& stop) {
  int failures = 0;
  // Before the first look, so that nothing falls between the two.
  const std::unique_ptr<AppendWaiter> waiter = TRY(
      AppendWaiter::Open(EventStoreCoreOf(*store_),
                         {options_.poll_interval, options_.stream_interval}, options_.use_stream));
  Heartbeat heartbeat(*store_, projector_, options_);
  heartbeat.Tell(ProjectionPhase::kCatchingUp, state());
  while (!stop.stop_requested()) {
    const Result<std::uint64_t> applied = CatchUp(stop);
    const RunnerState now = state();
    if (!applied && (now.fault || ++failures >= options_.failures_max)) {
      heartbeat.Tell(ProjectionPhase::kFaulted, now, applied.error().message);
      return std::unexpected(applied.error());
    }
    failures = applied ? 0 : failures;
    heartbeat.Tell(now.caught_up ? ProjectionPhase::kCaughtUp : ProjectionPhase::kActive, now,
                   applied ? "" : applied.error().message);
    // What is not safe yet becomes so as time goes by, without an append.
    const bool settled = applied && now.is_safe;
    if (settled ? !waiter->Wait(stop)
                : !patterns::SleepUnlessStopped(*store_->environment().clock,
                                                options_.poll_interval, stop)) {
      break;
    }
  }
  Result<void> saved = Save();
  heartbeat.Tell(ProjectionPhase::kStopped, state(), saved ? "" : saved.error().message);
  return saved;
}

Result<void> ProjectionRunner::Save() {
  const MutexLock lock(mutex_);
  if (fold_->safe_events() == saved_events_) {
    return {};
  }
  return SaveLocked(/*rebuilt=*/false);
}

SortableId ProjectionRunner::SafePlace() const {
  return EventStoreCoreOf(*store_).is_foreign ? SafeUpTo(store_->environment().clock->Now())
                                              : SortableId();
}

Result<void> ProjectionRunner::SaveLocked(bool rebuilt) {
  const Projection* safe = TRY(fold_->Safe());
  const Checkpoint checkpoint{.projector = projector_.name,
                              .version = projector_.version,
                              .cursor = fold_->cursor(),
                              .events = fold_->safe_events(),
                              .state = TRY(safe->Save()),
                              .token = token_,
                              .safe_up_to = SafePlace()};
  const Result<CheckpointToken> saved =
      rebuilt ? checkpoints_->CommitRebuilt(checkpoint) : checkpoints_->Save(checkpoint);
  if (saved) {
    token_ = *saved;
    saved_events_ = fold_->safe_events();
    saved_at_ = store_->environment().clock->Elapsed();
    save_soon_ = false;
    return {};
  }
  if (!IsRejection(saved.error()) || rebuilt) {
    return std::unexpected(saved.error());
  }
  return Adopt(dynamic_cast<const CheckpointRejected&>(*saved.error().detail).current);
}

// Somebody else wrote. Their step is now the one before ours; a tombstone says that what we have is
// not to be trusted.
Result<void> ProjectionRunner::Adopt(const CheckpointToken& current) {
  // One that was made anew, in place of what we have.
  if (!current.tombstoned && current.generation > token_.generation) {
    return LoadLocked();
  }
  token_ = current;
  if (current.tombstoned) {
    fold_->DemandRebuild();
    return {};
  }
  const std::optional<Checkpoint> theirs =
      TRY(checkpoints_->Find(projector_.name, projector_.version));
  if (theirs) {
    token_ = theirs->token;
    // Ours is saved again only when it is further on than theirs.
    saved_events_ = std::max(saved_events_, std::min(theirs->events, fold_->safe_events()));
  }
  return {};
}

Result<void> ProjectionRunner::Rebuild(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  const std::optional<Checkpoint> current =
      TRY(checkpoints_->Find(projector_.name, projector_.version));
  token_ = current ? current->token : CheckpointToken{};
  if (token_.exists && !token_.tombstoned) {
    token_ = TRY(checkpoints_->Invalidate(projector_.name, projector_.version, token_));
  }
  fold_ = std::make_unique<SafeFold>(projector_.make());
  saved_events_ = 0;
  read_up_to_.reset();
  left_out_.clear();
  TRY_VOID(Replay(stop, /*save=*/false));
  if (stop.stop_requested()) {
    fold_->DemandRebuild();
    return Fail(ErrorCode::kTimeout, "the rebuild was told to stop");
  }
  return SaveLocked(/*rebuilt=*/token_.tombstoned);
}

// Applies a batch to a state that nobody serves yet. What fails may have left anything behind, so then
// the batch is applied again without the event, to what there was before.
Result<void> ProjectionRunner::ApplyBeside(const std::vector<Event>& events, Beside& beside) const {
  const bool stops = options_.on_poison == OnPoison::kStop;
  const std::unique_ptr<Projection> before = stops ? nullptr : beside.state->Clone();
  const std::uint64_t count = beside.events;
  for (std::size_t index = 0; index < events.size();) {
    const Event& event = events[index++];
    if (beside.left_out.contains(event.id)) {
      continue;
    }
    if (const Result<void> applied = beside.state->Apply(event); !applied) {
      if (stops) {
        return applied;
      }
      beside.left_out.emplace(event.id, ParkedEvent{.position = event.position,
                                                    .event_id = event.id,
                                                    .attempts = 1,
                                                    .reason = applied.error().message});
      beside.state = before->Clone();
      beside.events = count;
      index = 0;
      continue;
    }
    beside.cursor = event.cursor();
    ++beside.events;
  }
  return {};
}

Result<void> ProjectionRunner::RebuildBeside(const std::stop_token& stop) {
  if (EventStoreCoreOf(*store_).is_foreign) {
    return Invalid("events of another system can come late; rebuild the projection itself");
  }
  Beside beside{.state = projector_.make()};
  std::optional<Cursor> since;
  while (!stop.stop_requested()) {
    const std::vector<Event> events =
        TRY(store_->ReadList({.query = projector_.query, .since = since, .limit = options_.batch}));
    if (events.empty()) {
      const MutexLock lock(mutex_);
      return SwitchTo(std::move(beside), stop);
    }
    since = events.back().cursor();
    TRY_VOID(ApplyBeside(events, beside));
  }
  return Fail(ErrorCode::kTimeout, "the rebuild was told to stop");
}

Result<void> ProjectionRunner::SwitchTo(Beside beside, const std::stop_token& stop) {
  std::string state = TRY(beside.state->Save());
  Checkpoint checkpoint{.projector = projector_.name,
                        .version = projector_.version,
                        .cursor = beside.cursor,
                        .events = beside.events,
                        .state = std::move(state)};
  // Others may save the old state meanwhile.
  Result<CheckpointToken> replaced;
  for (patterns::Retry retry(store_->options().retry, store_->environment(), stop);;) {
    const std::optional<Checkpoint> current =
        TRY(checkpoints_->Find(projector_.name, projector_.version));
    checkpoint.token = current ? current->token : CheckpointToken{};
    if (checkpoint.token.tombstoned) {
      return Fail(ErrorCode::kStale, "the checkpoint was declared invalid meanwhile; rebuild it");
    }
    replaced = checkpoints_->Replace(checkpoint);
    if (replaced || !IsRejection(replaced.error()) || !retry.Wait()) {
      break;
    }
  }
  token_ = TRY(std::move(replaced));
  fold_ = std::make_unique<SafeFold>(std::move(beside.state));
  fold_->Resume(beside.cursor, beside.events);
  read_up_to_.reset();
  saved_events_ = beside.events;
  saved_at_ = store_->environment().clock->Elapsed();
  left_out_.clear();
  for (const ParkedEvent& parked :
       TRY(checkpoints_->ListParked(projector_.name, projector_.version))) {
    TRY_VOID(checkpoints_->DropParked(projector_.name, projector_.version, parked.position));
  }
  for (const auto& [id, event] : beside.left_out) {
    left_out_.insert(id);
    if (options_.on_poison == OnPoison::kPark) {
      TRY_VOID(checkpoints_->Park(projector_.name, projector_.version, event));
    }
  }
  TRY_VOID(Replay(stop, /*save=*/true));
  return {};
}

Result<void> ProjectionRunner::Read(
    const std::function<void(const Projection& state, bool is_safe)>& look) const {
  const MutexLock lock(mutex_);
  const Projection* served = TRY(fold_->Served());
  if (!caught_up_once_) {
    return Fail(ErrorCode::kUnavailable, "the projection has not caught up yet");
  }
  look(*served, fold_->is_safe());
  return {};
}

Result<void> ProjectionRunner::AwaitEvent(SortableId id, Duration patience) {
  constexpr Duration kPoll = std::chrono::milliseconds(200);
  Clock& clock = *store_->environment().clock;
  const Duration started = clock.Elapsed();
  while (true) {
    const std::optional<SortableId> last = TRY(store_->FindLastId());
    TRY_VOID(CatchUp());
    if (state().caught_up && last && *last >= id) {
      return {};
    }
    if (clock.Elapsed() - started >= patience) {
      return Fail(ErrorCode::kTimeout, "the event did not appear");
    }
    clock.SleepFor(kPoll);
  }
}

RunnerState ProjectionRunner::state() const {
  const MutexLock lock(mutex_);
  return {.cursor = fold_->cursor(),
          .traversed = std::max(traversed_, fold_->cursor().sortable_id),
          .events = fold_->safe_events(),
          .served_events = fold_->served_events(),
          .is_safe = fold_->is_safe(),
          .caught_up = caught_up_,
          .must_be_rebuilt = fold_->must_be_rebuilt(),
          .fault = fold_->fault()};
}

Result<std::uint64_t> ProjectionRunner::CountLag() {
  std::optional<Cursor> since;
  {
    const MutexLock lock(mutex_);
    if (traversed_ > fold_->cursor().sortable_id) {
      since = Cursor(traversed_);
    } else if (fold_->safe_events() > 0) {
      since = fold_->cursor();
    }
  }
  return store_->CountEvents(since);
}

}  // namespace stator::events

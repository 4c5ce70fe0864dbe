#include "storage/commit_queue.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "base/probe.h"
#include "base/try.h"

namespace stator::storage {
namespace {

// How often the commit thread lets others run while it waits for writers to come back. These turns
// of the scheduler are far shorter than the sync that waiting may save; measured with 4 to 64
// writers on two cores, more of them gain nothing.
constexpr int kYieldsMax = 16;

// By how many microseconds a commit raises the bound. A process that has died is hardly started again
// within it, so that times are not ahead of the clock then.
constexpr std::uint64_t kTimesAhead = 100'000;

// The bound of times, on its way.
class BoundWrite final : public QueuedWrite {
 private:
  void OnSettled(const Result<void>& /*outcome*/) override {}
  void OnAnswer(const Result<void>& /*outcome*/) override {}
};

Result<void> Stale() {
  PROBE("a write was decided before the store failed and went on");
  return Fail(ErrorCode::kUnavailable,
              "the store has failed and gone on while the write was decided; nothing was written");
}

}  // namespace

CommitQueue::CommitQueue(const CommitQueueOptions& options, Check check, Commit commit)
    : options_(options),
      check_(std::move(check)),
      commit_(std::move(commit)),
      thread_([this] { RunCommitThread(); }) {}

CommitQueue::~CommitQueue() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  work_.NotifyOne();
  thread_.join();
  CHECK(unsettled_places_ == 0 && unsettled_bytes_ == 0);
}

Result<CommitQueue::Placed> CommitQueue::Enqueue(QueuedWritePtr write, Whose commit) {
  CHECK(write != nullptr);
  Placed placed;
  bool wake = false;
  {
    const MutexLock lock(mutex_);
    TRY_VOID(check_());
    if (failure_) {
      return std::unexpected(failure_->error());
    }
    if (write->IsStale(epoch_)) {
      TRY_VOID(Stale());
    }
    Stamp(*write);
    auto [bound, time] = NextBound(*write);
    bound_ = time;
    placed.group = Join(std::move(bound), std::move(write));
    if (owner_ == Owner::kNobody) {
      placed.owned = commit == Whose::kCaller;
      owner_ = placed.owned ? Owner::kWriter : Owner::kThread;
      wake = !placed.owned;
    }
  }
  if (wake) {
    work_.NotifyOne();
  }
  return placed;
}

void CommitQueue::Stamp(QueuedWrite& write) {
  if (write.batch.stamps().empty()) {
    return;
  }
  bool timed = false;
  for (const WriteBatch::Stamp& stamp : write.batch.stamps()) {
    if (stamp.kind == StampKind::kSequence) {
      write.batch.FillStamp(stamp, ++last_sequence_);
      write.last_sequence_ = last_sequence_;
      DCHECK(last_sequence_ > visible_sequence_);
      continue;
    }
    if (!std::exchange(timed, true)) {
      last_time_ = NowOrLater(last_time_ + 1);
      write.commit_time_ = last_time_;
    }
    write.batch.FillStamp(stamp, last_time_);
  }
}

QueuedWritePtr CommitQueue::WriteOfBound(std::uint64_t time) const {
  CHECK(!bound_key_.empty());
  auto write = std::make_shared<BoundWrite>();
  write->batch.PutStampedValue(bound_key_, std::string(sizeof(time), '\0'), 0,
                               StampKind::kCommitTime);
  write->batch.FillStamp(write->batch.stamps().front(), time);
  return write;
}

std::pair<QueuedWritePtr, std::uint64_t> CommitQueue::NextBound(const QueuedWrite& write) const {
  if (write.commit_time_ <= bound_) {
    return {nullptr, bound_};
  }
  const std::uint64_t next = write.commit_time_ + kTimesAhead;
  return {WriteOfBound(next), next};
}

std::uint64_t CommitQueue::NowOrLater(std::uint64_t earliest) const {
  const Clock& clock = options_.commit_clock != nullptr ? *options_.commit_clock : *options_.clock;
  const auto now = clock.Now().time_since_epoch().count();
  return std::max(earliest, static_cast<std::uint64_t>(std::max<std::int64_t>(now, 0)));
}

std::uint64_t CommitQueue::SettledTime() {
  const MutexLock lock(mutex_);
  if (committing_time_ != 0) {
    return committing_time_ - 1;
  }
  for (const std::shared_ptr<Group>& group : waiting_) {
    if (group->first_time_ != 0) {
      return group->first_time_ - 1;
    }
  }
  last_time_ = NowOrLater(last_time_);
  return last_time_;
}

std::shared_ptr<CommitQueue::Group> CommitQueue::Join(QueuedWritePtr first, QueuedWritePtr write) {
  const std::size_t bytes = write->batch.bytes() + (first != nullptr ? first->batch.bytes() : 0);
  if (waiting_.empty() || waiting_.back()->bytes_ + bytes > options_.group_bytes_max) {
    DCHECK(waiting_.empty() || !waiting_.back()->writes_.empty());
    waiting_.push_back(std::make_shared<Group>());
    waiting_.back()->since_ = options_.clock->Elapsed();
  }
  if (first != nullptr) {
    Add(std::move(first), *waiting_.back());
  }
  Add(std::move(write), *waiting_.back());
  return waiting_.back();
}

void CommitQueue::Add(QueuedWritePtr write, Group& group) {
  CHECK(write->place_ == 0);
  const std::size_t bytes = write->batch.bytes();
  write->place_ = next_place_++;
  if (write->charge_ == 0) {
    write->charge_ = bytes;
  }
  unsettled_bytes_ += write->charge_;
  ++unsettled_places_;
  waiting_writes_.fetch_add(1, std::memory_order_relaxed);
  group.bytes_ += bytes;
  if (group.first_time_ == 0) {
    group.first_time_ = write->commit_time_;
  }
  group.writes_.push_back(std::move(write));
}

std::shared_ptr<CommitQueue::Group> CommitQueue::TakeGroup() {
  CHECK(!waiting_.empty() && owner_ != Owner::kNobody);
  DCHECK(!waiting_.front()->writes_.empty());
  std::shared_ptr<Group> group = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_writes_.fetch_sub(static_cast<std::uint32_t>(group->writes_.size()),
                            std::memory_order_relaxed);
  committing_since_ = group->since_;
  committing_time_ = group->first_time_;
  return group;
}

void CommitQueue::CommitOwned() {
  std::shared_ptr<Group> group;
  {
    const MutexLock lock(mutex_);
    CHECK(owner_ == Owner::kWriter && !waiting_.empty());
    group = TakeGroup();
  }
  CommitGroup(*group);
  LeaveToThread();
}

void CommitQueue::LeaveToThread() {
  {
    const MutexLock lock(mutex_);
    CHECK_THAT(owner_ == Owner::kWriter, "only the owner gives the queue away");
    committing_since_.reset();
    committing_time_ = 0;
    if (waiting_.empty()) {
      owner_ = Owner::kNobody;
      return;
    }
    owner_ = Owner::kThread;
  }
  work_.NotifyOne();
}

void CommitQueue::RunCommitThread() {
  MutexLock lock(mutex_);
  while (true) {
    work_.Wait(lock,
               [this]() STATOR_REQUIRES(mutex_) { return owner_ == Owner::kThread || stopping_; });
    if (owner_ != Owner::kThread) {
      return;
    }
    while (!waiting_.empty()) {
      const std::shared_ptr<Group> group = TakeGroup();
      lock.Unlock();
      const std::size_t writers = group->writes_.size();
      CommitGroup(*group);
      AwaitReturningWriters(writers);
      lock.Lock();
    }
    committing_since_.reset();
    committing_time_ = 0;
    owner_ = Owner::kNobody;
  }
}

void CommitQueue::CommitGroup(Group& group) {
  const Result<void> outcome = commit_(group.writes_);
  if (outcome) {
    Settle(group, outcome);
    return;
  }
  // Nobody gets a place behind the failure any more, before anybody is told of it.
  std::deque<std::shared_ptr<Group>> behind;
  {
    const MutexLock lock(mutex_);
    CHECK_THAT(!failure_, "a place failed behind a place that failed");
    failure_ = outcome;
    last_failure_ = outcome;
    // Nobody knows what the row says now; the next one that has a time writes it.
    bound_ = bound_key_.empty() ? bound_ : 0;
    behind.swap(waiting_);
    waiting_writes_ = 0;
  }
  Settle(group, outcome);
  for (const std::shared_ptr<Group>& each : behind) {
    PROBE("a failed write takes those behind it along");
    Settle(*each, outcome);
  }
}

void CommitQueue::Settle(Group& group, const Result<void>& outcome) {
  std::uint64_t sequence = 0;
  for (const QueuedWritePtr& write : group.writes_) {
    sequence = std::max(sequence, write->last_sequence_);
  }
  if (outcome && sequence > visible_sequence_) {
    visible_sequence_ = sequence;
  }
  std::size_t bytes = 0;
  for (const QueuedWritePtr& write : group.writes_) {
    CHECK(write->place_ == ++settled_place_);
    bytes += write->charge_;
    write->OnSettled(outcome);
  }
  {
    const MutexLock lock(mutex_);
    for (const QueuedWritePtr& write : group.writes_) {
      write->settled_ = true;
      write->failed_ = !outcome;
    }
    // Before anybody is answered, so that whoever was finds his write settled.
    committing_time_ = 0;
  }
  const bool was_full = !HasRoom();
  CHECK(unsettled_bytes_ >= bytes);
  CHECK(unsettled_places_ >= group.writes_.size());
  unsettled_bytes_ -= bytes;
  unsettled_places_ -= group.writes_.size();
  // From here on nobody adds a dependent to these.
  for (const QueuedWritePtr& write : group.writes_) {
    write->OnAnswer(outcome);
    for (Dependent* dependent = std::exchange(write->first_dependent_, nullptr);
         dependent != nullptr;) {
      Dependent* const next = dependent->next_;
      dependent->OnRested(outcome);
      dependent = next;
    }
  }
  group.writes_.clear();
  group.finished_.store(1);
  group.finished_.notify_all();
  if (was_full && HasRoom() && on_room_) {
    PROBE("a full queue has room again");
    on_room_();
  }
}

void CommitQueue::AwaitReturningWriters(std::size_t writers) {
  if (writers < 2) {
    return;
  }
  for (int yields = 0; yields < kYieldsMax; ++yields) {
    if (waiting_writes_.load(std::memory_order_relaxed) >= writers) {
      return;
    }
    std::this_thread::yield();
  }
}

Result<void> CommitQueue::Resume(const std::function<Result<void>()>& mend) {
  {
    const MutexLock lock(mutex_);
    if (owner_ != Owner::kNobody) {
      return Fail(ErrorCode::kUnavailable, "a commit is under way");
    }
    CHECK_THAT(waiting_.empty(), "what waits has an owner");
    owner_ = Owner::kWriter;
  }
  Result<void> mended = mend();
  if (mended) {
    // The rows of all that failed have left the overlay: whoever asks from here on reads none.
    const MutexLock lock(mutex_);
    ++epoch_;
    failure_.reset();
  }
  LeaveToThread();
  return mended;
}

Result<bool> CommitQueue::TryWriteNow(QueuedWrite& write, const WriteNow& write_now) {
  if (unsettled_places_ > 0) {
    return false;
  }
  // Asked after the places: a row that it has read and that has failed since is told by one of them.
  TRY_VOID(check_());
  if (write.IsStale(epoch_)) {
    TRY_VOID(Stale());
  }
  if (write.batch.stamps().empty()) {
    return write_now(write.batch);
  }
  QueuedWritePtr bound;
  std::uint64_t bound_time = 0;
  {
    const MutexLock lock(mutex_);
    if (owner_ != Owner::kNobody || failure_) {
      return false;
    }
    owner_ = Owner::kWriter;
    Stamp(write);
    committing_time_ = write.commit_time_;
    std::tie(bound, bound_time) = NextBound(write);
  }
  if (bound != nullptr) {
    bound->batch.Append(write.batch);
  }
  Result<bool> written = write_now(bound != nullptr ? bound->batch : write.batch);
  if (written && *written) {
    visible_sequence_ = std::max<std::uint64_t>(visible_sequence_, write.last_sequence_);
    if (bound != nullptr) {
      // Not before: who was given a place meanwhile must not rest on what may not have been written.
      const MutexLock lock(mutex_);
      bound_ = std::max(bound_, bound_time);
    }
  }
  LeaveToThread();
  return written;
}

bool CommitQueue::WhenSettled(QueuedWrite& write, Dependent& dependent) {
  const MutexLock lock(mutex_);
  if (write.settled_) {
    return false;
  }
  CHECK_THAT(write.place_ != 0, "nothing rests on what has no place");
  dependent.next_ = nullptr;
  if (write.first_dependent_ == nullptr) {
    write.first_dependent_ = &dependent;
  } else {
    write.last_dependent_->next_ = &dependent;
  }
  write.last_dependent_ = &dependent;
  return true;
}

bool CommitQueue::Withdraw(QueuedWrite& write, Dependent& dependent) {
  const MutexLock lock(mutex_);
  if (write.settled_) {
    return false;
  }
  Dependent* before = nullptr;
  for (Dependent* at = write.first_dependent_; at != nullptr; before = at, at = at->next_) {
    if (at != &dependent) {
      continue;
    }
    (before == nullptr ? write.first_dependent_ : before->next_) = at->next_;
    if (write.last_dependent_ == at) {
      write.last_dependent_ = before;
    }
    return true;
  }
  return false;
}

Result<void> CommitQueue::OutcomeOf(const QueuedWrite& write) const {
  const MutexLock lock(mutex_);
  CHECK(write.settled_);
  CHECK_THAT(!write.failed_ || !last_failure_, "a place failed, and nobody knows why");
  return write.failed_ ? last_failure_ : Result<void>();
}

Duration CommitQueue::OldestAge() const {
  const MutexLock lock(mutex_);
  std::optional<Duration> since = committing_since_;
  if (!since && !waiting_.empty()) {
    since = waiting_.front()->since_;
  }
  return since ? options_.clock->Elapsed() - *since : Duration::zero();
}

void CommitQueue::StartSequencesBehind(std::uint64_t last) {
  const MutexLock lock(mutex_);
  CHECK_THAT(unsettled_places_ == 0 && last_sequence_ <= last, "numbers are never given twice");
  last_sequence_ = last;
  visible_sequence_ = last;
}

void CommitQueue::StartTimesBehind(std::uint64_t bound, std::string bound_key) {
  const MutexLock lock(mutex_);
  CHECK_THAT(unsettled_places_ == 0 && last_time_ <= bound, "commit times never go back");
  CHECK(!bound_key.empty());
  last_time_ = bound;
  bound_ = bound;
  bound_key_ = std::move(bound_key);
}

void CommitQueue::ReturnTimes() {
  {
    const MutexLock lock(mutex_);
    if (failure_ || bound_key_.empty() || bound_ <= last_time_ || !check_()) {
      return;
    }
    bound_ = last_time_;
    Join(nullptr, WriteOfBound(last_time_));
    if (owner_ != Owner::kNobody) {
      return;
    }
    owner_ = Owner::kThread;
  }
  work_.NotifyOne();
}

}  // namespace stator::storage

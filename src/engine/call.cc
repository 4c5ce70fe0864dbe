#include "engine/call.h"

#include "base/check.h"
#include "base/probe.h"
#include "base/serving_thread.h"
#include "engine/parked_calls.h"

namespace stator::engine {
namespace {

// How many calls that got their locks are run in a row by the thread that let these go.
constexpr int kRunMax = 16;

// The calls that this thread has to run, while it runs one; null while it runs none.
GrantedRequests*& GrantedHere() {
  thread_local GrantedRequests* granted = nullptr;
  return granted;
}

}  // namespace

Call::Call(EngineCore& core) : PendingWrite(core.keys, *core.store), core_(core) {}

void Call::Start() {
  Begin(nullptr);
}

void Call::Run() {
  base::MayWait();
  storage::CommitQueue::Placed own;
  Begin(&own);
  if (own.owned) {
    CHECK(own.group != nullptr);
    core_.store->queue().CommitOwned();
  } else if (own.group != nullptr) {
    own.group->Await();
  }
  answered_.wait(0);
}

void Call::Begin(storage::CommitQueue::Placed* own) {
  if (Result<void> planned = Plan(); !planned) {
    Finish(std::move(planned));
    return;
  }
  DCHECK(core_.lock_wait_max > Duration::zero());
  deadline_ = core_.clock.Elapsed() + core_.lock_wait_max;
  if (const TablePtr closed = FindClosed()) {
    AwaitOpening(closed);
    return;
  }
  if (!core_.store->HasRoom() || core_.parked_calls.HasRoomWaiters()) {
    PROBE("a call waits until the queue has room");
    if (PrepareToPark()) {
      core_.parked_calls.ParkForRoom(*this);
    }
    return;
  }
  if (LockAll()) {
    Enter(own);
  }
}

void Call::EnterAfterRoom() {
  if (LockAll()) {
    Enter(nullptr);
  }
}

void Call::AwaitOpening(const TablePtr& closed) {
  ReleaseLocks();
  Reset();
  Unplan();
  if (borrows_input()) {
    KeepInput();
  }
  core_.parked_calls.ParkForOpening(*this);
  // It may have been opened before it was known that somebody waits.
  if (closed->replaced.is_set()) {
    core_.parked_calls.AdmitOpened();
  }
}

void Call::EnterAfterOpening() {
  if (Result<void> planned = Plan(); !planned) {
    Finish(std::move(planned));
    return;
  }
  if (const TablePtr closed = FindClosed()) {
    AwaitOpening(closed);
  } else {
    EnterAfterRoom();
  }
}

bool Call::PrepareToPark() {
  if (!borrows_input()) {
    return true;
  }
  ReleaseLocks();
  Reset();
  KeepInput();
  CHECK_THAT(!borrows_input(), "what it was asked may be gone while it is parked");
  if (Result<void> planned = Plan(); !planned) {
    Finish(std::move(planned));
    return false;
  }
  return true;
}

bool Call::LockAll() {
  if (core_.keys.TryLock(*this)) {
    return true;
  }
  if (!PrepareToPark()) {
    return false;
  }
  // Parked first: once it waits it belongs to others.
  core_.parked_calls.Park(*this);
  if (!core_.keys.LockOrWait(*this)) {
    PROBE("a call waits for a lock");
    return false;
  }
  PROBE("a lock is free again when the call is ready to wait");
  core_.parked_calls.Unpark(*this);
  return true;
}

void Call::Enter(storage::CommitQueue::Placed* own) {
  if (GrantedHere() != nullptr) {
    Step(own);
    return;
  }
  GrantedRequests granted;
  GrantedHere() = &granted;
  Step(own);
  for (int run = 0; LockRequest* const next = granted.Pop(); ++run) {
    auto& call = static_cast<Call&>(*next);
    if (run >= kRunMax || call.is_heavy()) {
      PROBE("a thread has run enough calls of others");
      core_.parked_calls.RunGranted(call);
      continue;
    }
    const std::shared_ptr<Call> kept = core_.parked_calls.Unpark(call);
    DCHECK(call.HoldsAll());
    call.Step(nullptr);
  }
  CHECK(granted.empty());
  GrantedHere() = nullptr;
}

bool Call::MakeCurrent() {
  while (IsOutdated()) {
    PROBE("a table changes between plan and decision");
    CHECK_THAT(place() == 0, "what has a place is decided");
    ReleaseLocks();
    Reset();
    if (Result<void> planned = Plan(); !planned) {
      Finish(std::move(planned));
      return false;
    }
    if (const TablePtr closed = FindClosed()) {
      AwaitOpening(closed);
      return false;
    }
    if (!LockAll()) {
      return false;
    }
  }
  return true;
}

void Call::Step(storage::CommitQueue::Placed* own) {
  while (MakeCurrent()) {
    CHECK(HoldsAll());
    set_epoch(core_.store->queue().epoch());
    WriterView view(core_, *this);
    Result<void> decided = Decide(view);
    if (!decided || batch.empty()) {
      Rest(view.rests_on(), std::move(decided));
      return;
    }
    if (!IsOutdated()) {
      Place(own);
      return;
    }
    PROBE("a table changes while a call decides");
  }
}

void Call::Place(storage::CommitQueue::Placed* own) {
  CHECK(HoldsAll() && place() == 0);
  const Result<bool> written = core_.store->TryWriteNow(*this);
  if (!written || *written) {
    Result<void> outcome;
    if (!written) {
      outcome = std::unexpected(written.error());
    }
    OnSettled(outcome);
    ReleaseLocks();
    Finish(std::move(outcome));
    return;
  }
  set_charge(Charge());
  const storage::QueuedWritePtr self = shared_from_this();
  InsertRows(self, *this);
  using Whose = storage::CommitQueue::Whose;
  Result<storage::CommitQueue::Placed> placed =
      core_.store->Enqueue(self, own != nullptr ? Whose::kCaller : Whose::kThread);
  if (!placed) {
    const Result<void> refused = std::unexpected(std::move(placed).error());
    OnSettled(refused);
    ReleaseLocks();
    Finish(refused);
    return;
  }
  // Until here nobody else has decided on these keys, so the next one builds on this write.
  CHECK(HoldsAll());
  const bool handed_over = ReleaseLocks();
  if (placed->owned && handed_over) {
    PROBE("a writer leaves its group to the thread");
    // Those who got the locks are to be in the same group.
    core_.store->queue().LeaveToThread();
    placed->owned = false;
  }
  if (own != nullptr) {
    *own = *std::move(placed);
  }
}

void Call::Rest(const storage::QueuedWritePtr& on, Result<void> decided) {
  tables.clear();
  if (on == nullptr) {
    ReleaseLocks();
    Finish(std::move(decided));
    return;
  }
  PROBE("an answer rests on a row that is queued");
  decided_ = std::move(decided);
  rests_on_ = on;
  CHECK_THAT(batch.empty() || !decided_, "what is written does not rest, it has a place");
  ReleaseLocks();
  deadline_ = core_.clock.Elapsed() + kRestMax;
  core_.parked_calls.Park(*this);
  if (!core_.store->queue().WhenSettled(*on, *this)) {
    PROBE("what an answer rests on is settled before it waits");
    OnRested(core_.store->queue().OutcomeOf(*on));
  }
}

bool Call::ReleaseLocks() {
  if (GrantedHere() != nullptr) {
    core_.keys.Unlock(*this, *GrantedHere());
    return !GrantedHere()->empty();
  }
  // On a thread that runs no calls: they go to parked_calls.
  GrantedRequests granted;
  core_.keys.Unlock(*this, granted);
  const bool handed_over = !granted.empty();
  while (LockRequest* const next = granted.Pop()) {
    core_.parked_calls.RunGranted(static_cast<Call&>(*next));
  }
  return handed_over;
}

void Call::Finish(Result<void> outcome) {
  CHECK_THAT(answered_.load() == 0, "a call is answered once");
  Answer(std::move(outcome));
  answered_.store(1);
  answered_.notify_all();
}

void Call::OnAnswer(const Result<void>& outcome) {
  Finish(outcome);
}

void Call::OnRested(const Result<void>& outcome) {
  CHECK(rests_on_ != nullptr);
  const std::shared_ptr<Call> self = core_.parked_calls.Unpark(*this);
  rests_on_.reset();
  Finish(outcome ? decided_ : outcome);
}

void Call::OnOverdue(const storage::QueuedWritePtr& rests_on) {
  if (rests_on != nullptr) {
    if (core_.store->queue().Withdraw(*rests_on, *this)) {
      PROBE("a refusal is not told because the disk does not answer");
      core_.parked_calls.Unpark(*this);
      Finish(
          Fail(ErrorCode::kUnavailable,
               "the disk does not answer; the request was refused by a state that is not durable "
               "yet, and wrote nothing"));
    }
    return;
  }
  if (core_.keys.Withdraw(*this)) {
    core_.parked_calls.Unpark(*this);
    ReleaseLocks();
    CountThrottled();
    tables.clear();
    Finish(std::unexpected(Conflict()));
  }
}

void Call::OnNoRoom() {
  PROBE("a call has waited for room for too long");
  CHECK(place() == 0 && rests_on_ == nullptr);
  CountThrottled();
  tables.clear();
  Finish(Fail(ErrorCode::kUnavailable, "the disk does not keep up; nothing was written"));
}

void Call::OnStillClosed() {
  Finish(Fail(ErrorCode::kThrottled,
              "The items of the table are being taken back to what they were; nothing was written, "
              "try again"));
}

Error Call::Conflict() const {
  return {.code = ErrorCode::kTransactionConflict,
          .message = "Transaction is ongoing for the item"};
}

}  // namespace stator::engine

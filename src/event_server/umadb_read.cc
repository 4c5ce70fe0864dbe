#include "event_server/umadb_read.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/probe.h"
#include "base/try.h"

namespace stator::event_server {
namespace {

using events::Event;
using grpc::Piece;

grpc::Status Stopping() {
  return MakeUmadbStatus(grpc::StatusCode::kUnavailable, UmadbError::kIo, "the server stops");
}

}  // namespace

UmadbReadCall::~UmadbReadCall() {
  if (member_) {
    work_->hub.Leave(*member_);
  }
}

void UmadbReadCall::Next(grpc::Give give) {
  {
    const MutexLock lock(mutex_);
    give_ = std::move(give);
  }
  Post();
}

void UmadbReadCall::Cancel() {
  grpc::Give unused;  // Goes without the lock.
  const MutexLock lock(mutex_);
  unused = std::exchange(give_, nullptr);
}

void UmadbReadCall::EndSoon() {
  bool is_waiting = false;
  {
    const MutexLock lock(mutex_);
    ends_soon_ = true;
    is_waiting = is_waiting_;
  }
  if (is_waiting) {
    Give({.status = Stopping()});
  }
}

void UmadbReadCall::Give(Piece piece) {
  grpc::Give give;
  {
    const MutexLock lock(mutex_);
    is_waiting_ = false;
    give = std::exchange(give_, nullptr);
  }
  if (give) {
    give(std::move(piece));
  }
}

void UmadbReadCall::Post() {
  work_->executor.Post(base::Threads::kPool, [self = shared_from_this()] { self->Prepare(); });
}

void UmadbReadCall::Prepare() {
  {
    const MutexLock lock(mutex_);
    is_waiting_ = false;
    if (!give_) {
      return;  // Nobody waits for it any more.
    }
  }
  Result<std::optional<Piece>> piece = Make();
  if (!piece) {
    Give({.status = StatusOf(piece.error())});
  } else if (*piece) {
    has_given_ = true;
    Give(**std::move(piece));
  } else {
    WaitForEvents();
  }
}

Result<void> UmadbReadCall::Begin() {
  has_begun_ = true;
  request_ = TRY(ParseUmadbRead(std::exchange(message_, {})));
  if (request_.batch_size == 0) {
    request_.batch_size = work_->options.batch_events;
  }
  request_.batch_size = std::min(request_.batch_size, work_->options.batch_events_max);
  if (request_.subscribe && !subscription_.TakeFrom(work_->subscriptions)) {
    return Fail(ErrorCode::kTooLarge, "there are too many subscriptions");
  }
  std::optional<std::uint64_t> up_to;
  if (request_.subscribe) {
    member_ = work_->hub.Join();
  } else if (!request_.read.limit) {
    head_ = TRY(work_->store->CountEvents());
    up_to = head_;
  }
  reading_.emplace(*work_->store, request_.read, up_to);
  return {};
}

Result<std::optional<Piece>> UmadbReadCall::Make() {
  if (!has_begun_) {
    TRY_VOID(Begin());
  }
  return request_.subscribe ? MakeOfSubscription() : MakeOfRead();
}

Result<std::optional<Piece>> UmadbReadCall::MakeOfRead() {
  const std::vector<Event> events =
      TRY(reading_->Next(request_.batch_size, work_->options.batch_bytes));
  Piece piece;
  if (!reading_->is_open()) {
    piece.status = grpc::Status{};
  }
  if (!events.empty() || !has_given_) {
    std::optional<std::uint64_t> head;
    if (!request_.read.limit) {
      head = head_ > 0 ? std::optional(head_) : std::nullopt;
    } else if (!events.empty()) {
      head = events.back().position;
    }
    piece.message = MakeReadResponse(events, head);
  }
  KeepOrPutAside();
  return piece;
}

Result<std::optional<Piece>> UmadbReadCall::MakeOfSubscription() {
  if (reading_->is_complete()) {
    return Piece{.status = grpc::Status{}};
  }
  std::vector<Event> events;
  bool is_fresh = false;
  // What was opened before the hub looked says nothing about what the hub has seen.
  while (events.empty() && !is_fresh) {
    is_fresh = !reading_->is_open();
    seen_ = work_->hub.position();
    events = TRY(reading_->Next(request_.batch_size, work_->options.batch_bytes));
  }
  KeepOrPutAside();
  if (events.empty()) {
    // Clients wait for the head of the answer before they wait for events.
    return has_given_ ? std::optional<Piece>() : Piece{};
  }
  Piece piece{.message = MakeReadResponse(events, std::nullopt)};
  if (reading_->is_complete()) {
    piece.status = grpc::Status{};
  }
  return piece;
}

void UmadbReadCall::KeepOrPutAside() {
  if (!reading_->is_open()) {
    open_read_.Return();
  } else if (!open_read_.TakeFrom(work_->open_reads)) {
    PROBE("a read of gRPC is put aside between two batches");
    reading_->PutAside();
  }
}

void UmadbReadCall::WaitForEvents() {
  bool ends = false;
  {
    const MutexLock lock(mutex_);
    is_waiting_ = true;
    ends = ends_soon_;
  }
  if (ends) {
    Give({.status = Stopping()});
    return;
  }
  work_->hub.Wait(*member_, request_.read.query, seen_, [weak = weak_from_this()] {
    if (const std::shared_ptr<UmadbReadCall> self = weak.lock()) {
      self->Post();
    }
  });
}

}  // namespace stator::event_server

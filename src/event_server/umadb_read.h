// A Read of UmaDB's service: batches as they are asked for, and then, for a subscription, what is
// appended.
//
// THREADS: as grpc::Call. The parts that have no mutex belong to whoever prepares a piece, of whom there
// is one at a time, because the server asks for the next one when it has the last.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "event_server/event_service.h"
#include "event_server/umadb_messages.h"
#include "event_server/umadb_work.h"
#include "grpc/handler.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"

namespace stator::event_server {

class UmadbReadCall final : public grpc::Call, public std::enable_shared_from_this<UmadbReadCall> {
 public:
  UmadbReadCall(std::shared_ptr<UmadbWork> work, std::string request)
      : work_(std::move(work)), message_(std::move(request)) {}
  ~UmadbReadCall() override;

  void Next(grpc::Give give) override;
  void Cancel() override;
  void EndSoon() override;

 private:
  // Lets a thread of the service prepare what was asked for.
  void Post();
  void Prepare();
  // Parses the request and finds out what must be known first.
  Result<void> Begin();
  // Nothing when there is nothing yet.
  Result<std::optional<grpc::Piece>> Make();
  Result<std::optional<grpc::Piece>> MakeOfRead();
  Result<std::optional<grpc::Piece>> MakeOfSubscription();
  // Keeps the read open, if there is a place for that.
  void KeepOrPutAside();
  void WaitForEvents();
  void Give(grpc::Piece piece);

  const std::shared_ptr<UmadbWork> work_;
  std::string message_;
  UmadbRead request_;
  std::uint64_t head_ = 0;  // when it began
  bool has_begun_ = false;
  bool has_given_ = false;  // anything
  std::optional<Reading> reading_;
  std::optional<std::uint64_t> seen_;  // by the hub, before the last look
  std::optional<EventHub::Member> member_;
  Place open_read_;
  Place subscription_;

  Mutex mutex_;
  grpc::Give give_ STATOR_GUARDED_BY(mutex_);
  bool is_waiting_ STATOR_GUARDED_BY(mutex_) = false;  // for the hub
  bool ends_soon_ STATOR_GUARDED_BY(mutex_) = false;
};

}  // namespace stator::event_server

// An event store as UmaDB's gRPC service umadb.v1.DCB, for its clients in other languages.
//
//   auto service = UmadbService::Open(store);
//   auto server = grpc::Server::Start({.port = 0}, **service);
//
//   Read              a stream of batches; with `subscribe` it goes on with what is appended
//   Append            all events or none; events with a uuid once, whatever became of the condition
//   Head              the position of the last event
//   GetTrackingInfo   not there, nor are appends with tracking_info: 12 UNIMPLEMENTED
//
// and grpc.health.v1.Health/Check. Errors are gRPC's statuses with UmaDB's ErrorResponse as details.
// What differs from UmaDB is in docs/events.md.
//
// Every call of the store runs on threads of the service. A read holds one only while it makes a batch,
// and a batch is made when the client has taken the one before; an append holds none until it is durable.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "grpc/handler.h"
#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::event_server {

struct UmadbWork;

struct UmadbOptions {
  std::size_t threads = 64;
  std::size_t waiting_max = 4096;  // for a thread or as appends; other calls are answered with 14
  std::size_t subscriptions_max = 1000;
  // Reads that are open between two batches keep up to 8 MB each; those beyond this number are opened
  // again for each batch.
  std::size_t open_reads_max = 32;
  std::uint32_t batch_events = 100;       // of a read that gives no hint
  std::uint32_t batch_events_max = 1000;  // whatever the hint
  std::size_t batch_bytes = 256 << 10;    // when a batch is full; one event may be larger
};

// THREADS: as grpc::Handler. The store must outlive it.
class UmadbService final : public grpc::Handler {
 public:
  // Fails with kValidation for tables of another system, whose events have no positions.
  static Result<std::unique_ptr<UmadbService>> Open(events::EventStore& store,
                                                    UmadbOptions options = {});
  // When every call has ended. REQUIRES: the server has stopped.
  ~UmadbService() override;

  [[nodiscard]] bool Has(std::string_view method) const override;
  std::shared_ptr<grpc::Call> Begin(std::string_view method, std::string request) override;

 private:
  explicit UmadbService(std::shared_ptr<UmadbWork> work);

  const std::shared_ptr<UmadbWork> work_;
};

}  // namespace stator::event_server

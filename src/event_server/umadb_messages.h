// The messages of UmaDB's service umadb.v1.DCB, to what event_service.h takes and from what it gives;
// test/events_grpc/umadb.proto describes them.
//
// What cannot be stored is refused here when it would otherwise take memory first: more than 10,000
// events, 1000 tags of one, 100 items of a query.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event_server/event_service.h"
#include "grpc/status.h"
#include "stator/base/result.h"
#include "stator/stores/events/event.h"

namespace stator::event_server {

struct UmadbRead {
  ReadRequest read = {};
  bool subscribe = false;
  std::uint32_t batch_size = 0;  // a hint; 0: none
};

struct UmadbAppend {
  AppendRequest append = {};
  bool has_tracking = false;  // wants a position of another system recorded
};

// All fail with kSerialization for what is no such message and with kValidation for what it may not
// say.
Result<UmadbRead> ParseUmadbRead(std::string_view message);
Result<UmadbAppend> ParseUmadbAppend(std::string_view message);
// The service that a health check asks about.
Result<std::string> ParseHealthCheck(std::string_view message);

// Without an id, an event has one that the store made, which UmaDB's clients do not expect.
std::string MakeReadResponse(const std::vector<events::Event>& events,
                             std::optional<std::uint64_t> head);
std::string MakeAppendResponse(std::uint64_t position);
// Of an empty store: none.
std::string MakeHeadResponse(std::uint64_t position);
std::string MakeHealthResponse();

// The numbers are UmaDB's.
enum class UmadbError : std::uint8_t {
  kIo = 0,
  kSerialization = 1,
  kIntegrity = 2,
  kCorruption = 3,
  kInternal = 4,
  kInvalidArgument = 6,
};

// With an ErrorResponse as its details, as UmaDB has them.
grpc::Status MakeUmadbStatus(grpc::StatusCode code, UmadbError type, std::string_view message);
grpc::Status StatusOf(const Error& error);

}  // namespace stator::event_server

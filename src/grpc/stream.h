// One call as its connection sees it: the request as it comes, the answer as it goes.
//
// THREADS: the server's, except that others may hold weak references.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "grpc/handler.h"
#include "grpc/http2_session.h"
#include "grpc/message_reader.h"
#include "grpc/status.h"
#include "stator/base/clock.h"

namespace stator::grpc {

class Connection;

struct Stream {
  Stream(Connection& owner, StreamId number, std::size_t message_bytes_max, Duration now)
      : connection(&owner),
        id(number),
        reader(message_bytes_max),
        began_at(now),
        progress_at(now) {}

  Connection* connection;
  const StreamId id;

  // The request.
  std::size_t header_bytes = 0;
  std::string http_method = {};
  std::string method = {};  // of the service
  std::string content_type = {};
  MessageReader reader;
  bool has_head = false;
  bool is_whole = false;    // the client sent all of it
  std::size_t charged = 0;  // of the budget of requests
  const Duration began_at;

  // The answer. It has begun when its head was submitted, and is decided when it has a status.
  std::shared_ptr<Call> call = nullptr;
  bool was_asked = false;  // for a piece, which was not given yet
  bool has_begun = false;
  std::optional<Status> status = std::nullopt;
  std::string out = {};  // framed messages
  std::size_t sent = 0;  // of these
  Duration progress_at;  // when the client last took something, or had nothing to take

  [[nodiscard]] std::size_t unsent() const { return out.size() - sent; }
};

}  // namespace stator::grpc

// What a server of gRPC serves: calls with one message of the client, answered with any number.
//
// The server asks for an answer piece by piece, and only when the client has taken nearly all of what
// was given before. So whoever reads slowly makes nobody read on for it.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grpc/status.h"

namespace stator::grpc {

// A part of an answer: a message, the end, or both. With neither it says that the call is under way,
// for clients that wait for the head of the answer.
struct Piece {
  std::optional<std::string> message = std::nullopt;
  std::optional<Status> status = std::nullopt;
};

// Takes a piece, once, on any thread.
using Give = std::move_only_function<void(Piece)>;

// One call. THREADS: the server calls from its thread, which must not wait.
class Call {
 public:
  Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  virtual ~Call() = default;

  // Asks for the next piece, which may take any time. Comes again when it was given, unless that was
  // the end.
  virtual void Next(Give give) = 0;
  // Nobody waits for anything any more. What is given later is thrown away.
  virtual void Cancel() = 0;
  // The server stops: what would wait for long ends now.
  virtual void EndSoon() {}
};

// THREADS: as Call. It must outlive the server.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler() = default;

  // Such as "/package.Service/Method".
  [[nodiscard]] virtual bool Has(std::string_view method) const = 0;
  // REQUIRES: it has the method.
  virtual std::shared_ptr<Call> Begin(std::string_view method, std::string request) = 0;
};

}  // namespace stator::grpc

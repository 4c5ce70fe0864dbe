// The border between the HTTP server and DynamoDB's protocol. The server hands over one decoded and
// authenticated request at a time per connection; whoever knows the operations answers it. Neither
// side knows more of the other than this header.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "policy/policy.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::wire {

using AccessQuestion = policy::Question;

// What one caller may do. An operation asks once for each resource that it touches, after it knows
// them and before it does anything.
//
// THREADS: may be asked from many threads.
class Authorizer {
 public:
  Authorizer() = default;
  Authorizer(const Authorizer&) = delete;
  Authorizer& operator=(const Authorizer&) = delete;
  virtual ~Authorizer() = default;

  // Fails with kAccessDenied and AWS's words.
  [[nodiscard]] virtual Result<void> Authorize(const AccessQuestion& question) const = 0;

  // Whether the answers depend on the keys that a request names, which take time to find. (They may
  // also because of a policy that is attached to what is asked for.)
  [[nodiscard]] virtual bool AsksForKeys() const { return false; }
};

// Of a request: the moment that GetItem, Query and Scan are to read (moment.h). Of an answer: the
// moment that was read, in microseconds since 1970.
inline constexpr std::string_view kAsOfField = "x-stator-as-of";

// Who asks.
struct Caller {
  std::string_view access_key_id;          // empty when the request was not signed
  std::string_view region;                 // the server's; who proves nothing: what was signed for
  const Authorizer* authorizer = nullptr;  // null: nobody proves who he is, and all is allowed
  std::string_view host = {};              // as the caller calls the server; may be empty
  std::string_view as_of = {};             // the moment to be read (kAsOfField); empty: now
};

// So many bytes behind a request's body may be read (their values mean nothing), which is what
// simdjson wants in order to parse without a copy.
inline constexpr std::size_t kBodyPaddingBytes = 64;

// Everything in it stays valid until the answer is given, and not longer.
struct Request {
  std::string_view target;  // the value of X-Amz-Target: "DynamoDB_20120810.GetItem"; may be empty
  std::string_view body;    // without transfer and content encodings; may be empty
  Caller caller;
  // Of interest to a handler of more than DynamoDB's protocol (server::ServerOptions::handler_paths).
  std::string_view method = "POST";
  std::string_view path = "/";
  std::string_view query = {};
};

struct Answer {
  int status = 200;
  std::string body = {};

  // For metrics and the access log. The texts must outlive the process (names in the program).
  std::string_view operation = {};  // "GetItem"; empty when the target names none
  std::string_view error = {};      // "ConditionalCheckFailedException"; empty on success
  double read_units = 0;            // consumed capacity, whether or not the caller asked to see it
  double write_units = 0;
  std::optional<TimePoint> as_of = std::nullopt;  // the moment that was read, if one was asked for
};

// THREADS: Handle is called from many threads at once.
class Handler {
 public:
  // To be called once, from any thread, inside Handle or later. Dropping it uncalled answers the
  // request with an internal error.
  using Done = std::move_only_function<void(Answer)>;

  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler() = default;

  // Runs on the thread that serves the connection and thus holds up others: reads answer at once,
  // whatever waits (a sync of the log) returns and calls `done` when it is through. Must not throw.
  virtual void Handle(const Request& request, Done done) = 0;

  // What is wrong with a request whoever sends it: a body that is no JSON, an operation that there
  // is not. The service reports these before it refuses the sender, so the server asks when it is
  // about to do that.
  [[nodiscard]] virtual std::optional<Answer> FindFault(const Request& /*request*/) const {
    return std::nullopt;
  }
};

}  // namespace stator::wire

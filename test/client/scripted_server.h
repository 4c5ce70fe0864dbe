// For tests: a small HTTP server on a loopback port that does what the test says with each request,
// also what no decent server would do.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "transport/http.h"

namespace stator::client {

struct ReceivedRequest {
  std::string method;
  std::string path;                // with the query
  transport::HeaderFields fields;  // names in lower case
  std::string body;

  // The value of the first field of that name; empty when there is none.
  [[nodiscard]] std::string Field(std::string_view lower_case_name) const;
};

// The bytes to send back, and what to do with the connection afterwards. No bytes and `closes` is a
// connection that is lost without an answer.
struct Reaction {
  std::string bytes;
  bool closes = false;
  std::string later = {};  // sent when `bytes` have been
};

// A whole answer.
Reaction Answer(int status, std::string_view body, const transport::HeaderFields& fields = {});
// A lost connection.
Reaction HangUp();

// THREADS: `react` is called from one thread per connection, from several at once.
class ScriptedServer {
 public:
  using React = std::function<Reaction(const ReceivedRequest&)>;
  // kHeads: reacts before it has read the body, and leaves that unread.
  enum class Reads : bool { kRequests, kHeads };

  explicit ScriptedServer(React react, Reads reads = Reads::kRequests);
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;
  ~ScriptedServer();

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::vector<ReceivedRequest> requests() const;
  [[nodiscard]] int connections() const { return connections_; }
  // Waits until so many reactions are over, closing included: all of it has arrived at the client.
  void AwaitReactions(int count);

 private:
  void Accept();
  void Serve(int descriptor);

  const React react_;
  const Reads reads_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::atomic<bool> stopping_ = false;

  mutable std::mutex mutex_;
  std::vector<ReceivedRequest> requests_;  // protected by mutex_, as are the next three
  std::vector<int> descriptors_;
  int reactions_ = 0;
  std::condition_variable reacted_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace stator::client

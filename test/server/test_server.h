// For tests: a server whose clock the test moves, with a handler that does what a request's target
// says:
//
//   Echo      answers with the body
//   Big       answers with as many bytes as the body says
//   Thread    answers with the body from another thread
//   Later     answers when the test calls AnswerLater
//   Forget    drops the request
//   Throw     throws

#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "client.h"
#include "server/server.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "wire/exchange.h"

namespace stator::server {

class ObedientHandler final : public wire::Handler {
 public:
  ~ObedientHandler() override;

  void Handle(const wire::Request& request, Done done) override;

  // Waits for `count` requests of the Later kind.
  void WaitForLater(std::size_t count);

  // Answers them, from this thread.
  void AnswerLater();

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::pair<std::string, Done>> later_;  // protected by mutex_
  std::vector<std::thread> threads_;                 // protected by mutex_
};

class TestServer {
 public:
  explicit TestServer(ServerOptions options = {});

  Client Connect() { return Client(server->port()); }

  // What a client that behaves gets; the answer to "is anybody there?".
  bool Serves();

  // Moves the clock until the server has dropped the client. False when it never does.
  bool AdvanceUntilDropped(const Client& client);

  // The value of a metric without labels.
  double Metric(std::string_view name);

  // Waits until a metric without labels has that value. False when that takes too long.
  bool WaitForMetric(std::string_view name, double value);

  ManualClock clock{TimePoint(std::chrono::seconds(1440938160))};
  SeededRandom random{1};
  ObedientHandler handler;
  std::unique_ptr<Server> server;
};

}  // namespace stator::server

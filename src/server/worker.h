// One io thread: an event loop, the connections that it serves, and the tools that these share
// because only one of them runs at a time.
//
// THREADS: Adopt, SetCredentials, MakeRoomSoon, Complete, Finish, Post and Stop from any, everything
// else on the worker's own thread.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/content_coding.h"
#include "server/dispatch.h"
#include "server/http_request.h"
#include "server/request_ids.h"
#include "server/request_metrics.h"
#include "server/server_state.h"
#include "server/socket.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "wire/exchange.h"

namespace boost::asio {
class io_context;
}

namespace stator::server {

class Connection;

class Worker : public std::enable_shared_from_this<Worker> {
 public:
  // `metrics_page` makes the text of /metrics.
  Worker(std::shared_ptr<ServerState> server, std::size_t number,
         const std::function<std::string()>& metrics_page);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  void Start();

  // Lets every connection end what it has begun, and drops those that have not by `deadline`.
  void Finish(Duration deadline);

  // Ends the thread. REQUIRES: no connection is open.
  void Stop();

  // Serves a socket that was made for context().
  void Adopt(std::unique_ptr<Socket> socket, std::string remote);

  void SetCredentials(std::shared_ptr<const Credentials> credentials);

  // Gives a connection up, if there is one that can be missed.
  void MakeRoomSoon();

  // Hands an answer to the connection that waits for it.
  void Complete(std::shared_ptr<Connection> connection, wire::Answer answer);

  boost::asio::io_context& context();
  [[nodiscard]] const RequestMetrics& metrics() const { return metrics_; }
  [[nodiscard]] std::size_t load() const { return load_.load(std::memory_order_relaxed); }

  // For connections.
  [[nodiscard]] bool IsCurrentThread() const;
  void Resume(std::shared_ptr<Connection> connection);  // later, when others had their turn
  void Post(std::move_only_function<void()> task);      // from any thread
  void Remove(Connection& connection);

  // Time as of the event that is being handled; Tick reads the clock anew.
  [[nodiscard]] Duration now() const { return now_; }
  Duration Tick() { return now_ = server_->options.clock.Elapsed(); }
  std::string_view HttpDate();

  [[nodiscard]] std::size_t number() const { return number_; }
  ServerState& server() { return *server_; }
  RequestHead& head() { return head_; }
  Dispatcher& dispatcher() { return dispatcher_; }
  RequestMetrics& counts() { return metrics_; }
  RequestIds& request_ids() { return request_ids_; }
  Compressor& compressor() { return compressor_; }

 private:
  struct Loop;

  void Run();
  void CheckTimes();
  void ScheduleCheck();
  void DeliverAnswers();
  bool MakeRoom();  // whether a connection could be given up

  const std::shared_ptr<ServerState> server_;
  const std::size_t number_;
  std::atomic<std::size_t> load_ = 0;  // connections, for choosing a worker

  Mutex answers_mutex_;
  std::vector<std::pair<std::shared_ptr<Connection>, wire::Answer>> answers_
      STATOR_GUARDED_BY(answers_mutex_);
  bool takes_answers_ STATOR_GUARDED_BY(answers_mutex_) = true;

  // The rest belongs to the worker's thread.
  Duration now_{};
  bool checks_times_ = true;
  Duration drop_all_at_ = Duration::max();
  Duration date_until_{};
  std::string date_;
  RequestHead head_;  // of whichever request is being read
  Dispatcher dispatcher_;
  RequestMetrics metrics_;
  RequestIds request_ids_;
  Compressor compressor_;
  std::unique_ptr<Loop> loop_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::thread thread_;
};

}  // namespace stator::server

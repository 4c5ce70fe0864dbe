#include "grpc/server.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <future>
#include <pthread.h>
#include <string_view>
#include <thread>
#include <utility>

#include "base/serving_thread.h"
#include "base/try.h"
#include "grpc/connection.h"
#include "grpc/connections.h"
#include "grpc/mailbox.h"

namespace stator::grpc {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// How long to wait when the system has no descriptors or memory for another connection.
constexpr std::chrono::milliseconds kBreather(100);

std::string EndpointText(const tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string host = endpoint.address().is_v6() ? "[" + address + "]" : address;
  return "http://" + host + ":" + std::to_string(endpoint.port());
}

Result<tcp::endpoint> EndpointOf(const ServerOptions& options) {
  error_code error;
  const std::string host = options.host == "localhost" ? "127.0.0.1" : options.host;
  const asio::ip::address address = asio::ip::make_address(host, error);
  if (error) {
    return Invalid("the host must be an address, like 127.0.0.1, or localhost, not '" +
                   options.host + "'");
  }
  if (!address.is_loopback()) {
    return Invalid(
        "refusing to serve gRPC on " + options.host +
        ": nobody is asked who they are, so anybody who can reach it could read and "
        "change all data. Listen on 127.0.0.1, behind a proxy with TLS and access control");
  }
  return tcp::endpoint(address, options.port);
}

Result<void> CheckLimits(const Limits& limits) {
  const std::array<std::pair<std::string_view, bool>, 8> all = {
      {{"connections", limits.connections > 0},
       {"the calls of a connection", limits.streams > 0},
       {"the size of a head", limits.header_list_bytes > 0},
       {"the size of a request", limits.message_bytes > 0},
       {"the memory of requests", limits.requests_bytes >= limits.message_bytes},
       {"the memory of answers", limits.unsent_bytes > 0},
       {"the time of a request", limits.request_time > Duration::zero()},
       {"the time of an answer", limits.write_time > Duration::zero()}}};
  for (const auto& [name, is_right] : all) {
    if (!is_right) {
      return Invalid("the limit of " + std::string(name) + " is too small");
    }
  }
  return {};
}

}  // namespace

struct Server::State {
  State(const ServerOptions& options, Handler& handler)
      : clock(options.clock),
        check_interval(options.limits.check_interval),
        mailbox(std::make_shared<Mailbox>(
            [this] { asio::post(context, [this] { connections.DeliverLetters(); }); })),
        connections(options, handler, mailbox) {}

  Result<void> Listen(const tcp::endpoint& wanted) {
    error_code error;
    (void)acceptor.open(wanted.protocol(), error);
    if (!error) {
      (void)acceptor.set_option(asio::socket_base::reuse_address(true), error);
      (void)acceptor.bind(wanted, error);
    }
    if (!error) {
      (void)acceptor.listen(asio::socket_base::max_listen_connections, error);
    }
    if (error) {
      const bool is_taken = error == asio::error::address_in_use;
      return Fail(is_taken ? ErrorCode::kResourceInUse : ErrorCode::kIo,
                  "cannot listen on " + EndpointText(wanted) + ": " + error.message());
    }
    endpoint = acceptor.local_endpoint(error);
    return {};
  }

  void Run() {
    Accept();
    ScheduleCheck();
    thread = std::thread([this] {
      const base::ServingThread mark;
      context.run();
    });
    pthread_setname_np(thread.native_handle(), "stator-grpc");
  }

  void Accept() {
    acceptor.async_accept([this](const error_code& error, tcp::socket socket) {
      if (!acceptor.is_open()) {
        return;
      }
      if (error) {
        breather.expires_after(kBreather);
        breather.async_wait([this](const error_code&) {
          if (acceptor.is_open()) {
            Accept();
          }
        });
        return;
      }
      Adopt(std::move(socket));
      Accept();
    });
  }

  void Adopt(tcp::socket socket) {
    if (!connections.MakeRoom()) {
      return;  // It is closed.
    }
    error_code ignored;
    (void)socket.set_option(tcp::no_delay(true), ignored);
    const auto connection = std::make_shared<Connection>(connections, std::move(socket));
    connections.Add(connection);
    connection->Start();
  }

  void ScheduleCheck() {
    checks.expires_after(check_interval);
    checks.async_wait([this](const error_code& error) {
      // A timer that fired just before it was cancelled reports no error.
      if (error || is_over) {
        return;
      }
      connections.CheckTimes();
      if (EndIfDone()) {
        return;
      }
      ScheduleCheck();
    });
  }

  // While stopping, when the last connection has gone: whether the thread ends.
  bool EndIfDone() {
    if (!is_stopping || !connections.empty()) {
      return false;
    }
    is_over = true;
    checks.cancel();
    breather.cancel();
    work.reset();
    return true;
  }

  void Stop(Duration grace) {
    if (!thread.joinable()) {
      return;
    }
    asio::post(context, [this, deadline = clock.Elapsed() + grace] {
      error_code ignored;
      (void)acceptor.close(ignored);
      is_stopping = true;
      connections.Finish(deadline);
      // Connections go one by one; soon enough is when the times are looked at.
      EndIfDone();
    });
    thread.join();
    mailbox->Close();
  }

  Clock& clock;
  const std::chrono::milliseconds check_interval;
  asio::io_context context{1};  // one thread runs it
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  tcp::acceptor acceptor{context};
  asio::steady_timer breather{context};
  asio::steady_timer checks{context};
  const std::shared_ptr<Mailbox> mailbox;
  Connections connections;
  tcp::endpoint endpoint;
  bool is_stopping = false;
  bool is_over = false;
  std::thread thread;
};

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler& handler) {
  TRY_VOID(CheckLimits(options.limits));
  const tcp::endpoint endpoint = TRY(EndpointOf(options));
  auto state = std::make_unique<State>(options, handler);
  TRY_VOID(state->Listen(endpoint));
  state->Run();
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() {
  Stop(Duration::zero());
}

std::uint16_t Server::port() const {
  return state_->endpoint.port();
}

std::string Server::endpoint() const {
  return EndpointText(state_->endpoint);
}

void Server::Stop(Duration grace) {
  state_->Stop(grace);
}

}  // namespace stator::grpc

#include "server/listener.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include "base/try.h"
#include "server/asio_socket.h"
#include "server/tls.h"

namespace stator::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kBacklog = 4096;

// How long to wait when the system has no descriptors or memory for another connection.
constexpr std::chrono::milliseconds kBreather(100);

// How often it is said that this goes on.
constexpr Duration kReportInterval = std::chrono::minutes(1);

std::string EndpointText(bool tls, const tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string host = endpoint.address().is_v6() ? "[" + address + "]" : address;
  return std::string(tls ? "https://" : "http://") + host + ":" + std::to_string(endpoint.port());
}

Result<asio::ip::address> ParseHost(const std::string& host) {
  error_code error;
  auto address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error) {
    return Invalid("the host must be an address, like 127.0.0.1, or localhost, not '" + host + "'");
  }
  return address;
}

}  // namespace

struct Listener::Acceptor {
  Acceptor(std::shared_ptr<ServerState> server_in, std::vector<std::shared_ptr<Worker>> workers_in)
      : server(std::move(server_in)),
        workers(std::move(workers_in)),
        acceptor(workers.front()->context()),
        breather(workers.front()->context()) {}

  Result<tcp::endpoint> Listen() {
    const ServerOptions& options = server->options;
    const auto address = TRY(ParseHost(options.host));
    if (!address.is_loopback() && !options.credentials) {
      return Invalid("refusing to listen on " + options.host +
                     " without credentials: anybody who can reach it could read and change all "
                     "data. Give access keys, or listen on 127.0.0.1");
    }
    if (options.tls) {
      tls = TRY(MakeTlsContext(*options.tls));
    }
    const tcp::endpoint endpoint(address, options.port);
    error_code error;
    (void)acceptor.open(endpoint.protocol(), error);
    if (!error) {
      (void)acceptor.set_option(asio::socket_base::reuse_address(true), error);
    }
    if (!error) {
      (void)acceptor.bind(endpoint, error);
    }
    if (!error) {
      (void)acceptor.listen(kBacklog, error);
    }
    if (error) {
      const ErrorCode code =
          error == asio::error::address_in_use ? ErrorCode::kResourceInUse : ErrorCode::kIo;
      return Fail(code, "cannot listen on " + EndpointText(options.tls.has_value(), endpoint) +
                            ": " + error.message());
    }
    return acceptor.local_endpoint(error);
  }

  // The worker is chosen first, because a socket belongs to the loop that it is made for.
  void Accept() {
    Worker& worker = **std::ranges::min_element(
        workers, {}, [](const std::shared_ptr<Worker>& each) { return each->load(); });
    acceptor.async_accept(worker.context(),
                          [this, &worker](const error_code& error, TcpSocket socket) {
                            if (!acceptor.is_open()) {
                              return;
                            }
                            if (error) {
                              NoteFailure(error);
                              worker.MakeRoomSoon();
                              Rest();
                              return;
                            }
                            Hand(std::move(socket), worker);
                            Accept();
                          });
  }

  void NoteFailure(const error_code& error) {
    server->accept_failures.Add();
    const auto& report = server->options.report_fault;
    const Duration now = server->options.clock.Elapsed();
    if (report && (!reported_at || now >= *reported_at + kReportInterval)) {
      reported_at = now;
      report("cannot accept connections: " + error.message() +
             "; those that are open are served, others wait. Raise the limit of open files "
             "(ulimit -n), or give fewer to connections with --max-connections");
    }
  }

  void Rest() {
    breather.expires_after(kBreather);
    breather.async_wait([this](const error_code& error) {
      if (!error && acceptor.is_open()) {
        Accept();
      }
    });
  }

  void Hand(TcpSocket socket, Worker& worker) {
    error_code error;
    (void)socket.set_option(tcp::no_delay(true), error);
    const tcp::endpoint remote = socket.remote_endpoint(error);
    if (error) {
      return;  // Gone already.
    }
    server->accepted.Add();
    server->AddConnection();
    std::string remote_text = remote.address().to_string() + ":" + std::to_string(remote.port());
    worker.Adopt(tls ? MakeTlsSocket(std::move(socket), *tls) : MakePlainSocket(std::move(socket)),
                 std::move(remote_text));
  }

  const std::shared_ptr<ServerState> server;
  const std::vector<std::shared_ptr<Worker>> workers;
  std::shared_ptr<asio::ssl::context> tls;
  std::optional<Duration> reported_at;  // a failure
  asio::basic_socket_acceptor<tcp, asio::io_context::executor_type> acceptor;
  asio::basic_waitable_timer<std::chrono::steady_clock,
                             asio::wait_traits<std::chrono::steady_clock>,
                             asio::io_context::executor_type>
      breather;
};

Listener::Listener() = default;
Listener::~Listener() = default;

Result<std::unique_ptr<Listener>> Listener::Open(std::shared_ptr<ServerState> server,
                                                 std::vector<std::shared_ptr<Worker>> workers) {
  const bool has_tls = server->options.tls.has_value();
  auto listener = std::unique_ptr<Listener>(new Listener);
  listener->acceptor_ = std::make_unique<Acceptor>(std::move(server), std::move(workers));
  const tcp::endpoint endpoint = TRY(listener->acceptor_->Listen());
  listener->port_ = endpoint.port();
  listener->endpoint_ = EndpointText(has_tls, endpoint);
  return listener;
}

void Listener::Start() {
  asio::post(acceptor_->acceptor.get_executor(), [this] { acceptor_->Accept(); });
}

Result<void> Listener::SetTlsIdentity(const TlsIdentity& identity) {
  if (!acceptor_->server->options.tls) {
    return Invalid("this server was started without TLS");
  }
  asio::post(acceptor_->acceptor.get_executor(),
             [this, context = TRY(MakeTlsContext(identity))] { acceptor_->tls = context; });
  return {};
}

void Listener::Stop() {
  std::promise<void> closed;
  asio::post(acceptor_->acceptor.get_executor(), [this, &closed] {
    error_code ignored;
    (void)acceptor_->acceptor.close(ignored);
    acceptor_->breather.cancel();
    closed.set_value();
  });
  closed.get_future().wait();
}

}  // namespace stator::server

// The HTTP transport while it runs: connections as coroutines on one thread, messages on a few
// others. http_server.cc has what is read and answered, http_writing.cc the streams of events.

#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "mcp/http_access.h"
#include "mcp/http_open_stream.h"
#include "mcp/http_pages.h"
#include "mcp/http_sessions.h"
#include "mcp/http_stream.h"
#include "mcp/resumable_streams.h"
#include "mcp/work_desk.h"
#include "stator/mcp/http.h"

namespace stator::mcp {

namespace net = boost::asio;

inline constexpr auto kAsTuple = net::as_tuple(net::use_awaitable);

// What the bodies of one connection take of what all may have, until it goes.
class BodyShare {
 public:
  BodyShare(std::size_t& used, std::size_t budget) : used_(used), budget_(budget) {}
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;
  ~BodyShare() { used_ -= mine_; }

  // Whether the body may have grown to that.
  bool Resize(std::size_t bytes) {
    used_ = used_ - mine_ + bytes;
    mine_ = bytes;
    return used_ <= budget_;
  }

 private:
  std::size_t& used_;
  const std::size_t budget_;
  std::size_t mine_ = 0;
};

struct HttpServer::State {
  State(McpServer& mcp, HttpOptions settings)
      : server(mcp),
        options(std::move(settings)),
        sessions(mcp, options),
        desk(mcp.core()),
        handlers(options.threads),
        acceptor(io) {}

  Result<void> Listen();
  void Run();
  void Stop();

  net::awaitable<void> Accept();
  net::awaitable<void> Serve(tcp::socket socket);
  // A whole request. Nothing when the connection is not to be used any more, or was told why.
  net::awaitable<std::optional<Request>> Read(beast::tcp_stream& connection,
                                              beast::flat_buffer& buffer, BodyShare& share);
  // False when the connection is not to be used any more.
  net::awaitable<bool> Answer(beast::tcp_stream& connection, const Request& request);
  // Who sends it, or the refusal.
  net::awaitable<std::variant<HttpCaller, Response>> Authorize(const Request& request);
  net::awaitable<bool> Post(beast::tcp_stream& connection, const Request& request,
                            HttpCaller caller);
  // One request of 2026-07-28, with neither session nor resumption: answered as JSON, or as a
  // stream when something comes before the answer. A client that goes away cancels it.
  net::awaitable<bool> PostModern(beast::tcp_stream& connection, const Request& request,
                                  const Json& message, HttpCaller caller);
  net::awaitable<bool> WriteModernEvents(beast::tcp_stream& connection, const Request& request,
                                         HttpStream::Event first, OpenStream& open,
                                         std::optional<TimePoint> until);
  net::awaitable<bool> Get(beast::tcp_stream& connection, const Request& request,
                           const HttpCaller& caller);
  net::awaitable<bool> Write(beast::tcp_stream& connection, Response response);
  // What a worker wants; http_work.cc. A claim that finds nothing waits for work.
  net::awaitable<bool> Work(beast::tcp_stream& connection, const Request& request,
                            const HttpCaller& caller);
  net::awaitable<std::optional<Response>> AskDesk(const Request& request, const Json& body);
  [[nodiscard]] std::optional<Response> Probe(const Request& request);
  [[nodiscard]] bool IsWork(const Request& request) const;
  net::awaitable<bool> Resume(beast::tcp_stream& connection, const Request& request,
                              const std::shared_ptr<Session>& session,
                              std::optional<TimePoint> until);
  // Messages as events, until the stream is finished, the client gone, another connection there, or
  // the time over: what nobody has to wait for ends with the right to see it.
  net::awaitable<bool> WriteEvents(beast::tcp_stream& connection, const Request& request,
                                   const std::shared_ptr<Session>& session, OpenStream& open,
                                   std::optional<TimePoint> until);
  net::awaitable<bool> WriteEventsOf(beast::tcp_stream& connection, const Session& session,
                                     OpenStream& open, std::optional<TimePoint> until);
  [[nodiscard]] bool IsOver(std::optional<TimePoint> until) const {
    return until && options.clock->Now() >= *until;
  }
  // Gives up streams that nobody came back for.
  net::awaitable<void> Sweep();
  net::awaitable<bool> WriteChunk(beast::tcp_stream& connection, const std::string& text);

  [[nodiscard]] bool IsAllowedOrigin(std::string_view origin) const;
  [[nodiscard]] std::string Endpoint() const;
  // What is wrong with the request as HTTP, if anything is.
  [[nodiscard]] std::optional<Response> Refusal(const Request& request) const;

  McpServer& server;
  const HttpOptions options;
  HttpSessions sessions;
  WorkDesk desk;
  std::optional<HttpAccess> access;  // when the port is known; by the io thread
  // By the io thread, and after it has ended. Before `io`, whose coroutines use it to their end.
  std::set<std::shared_ptr<HttpStream>> streams;
  ResumableStreams resumable;
  std::uint64_t last_stream = 0;
  net::io_context io{1};
  net::thread_pool handlers;
  tcp::acceptor acceptor;
  std::thread thread;
  std::uint16_t port = 0;
  std::size_t connections = 0;  // by the io thread
  std::size_t body_bytes = 0;   // by the io thread
  std::atomic<bool> stopped = false;
};

}  // namespace stator::mcp

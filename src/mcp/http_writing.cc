// Messages to clients as streams of events.

#include <boost/asio/write.hpp>

#include <algorithm>
#include <utility>

#include "mcp/http_state.h"

namespace stator::mcp {

net::awaitable<bool> HttpServer::State::WriteModernEvents(beast::tcp_stream& connection,
                                                          const Request& request,
                                                          HttpStream::Event first, OpenStream& open,
                                                          std::optional<TimePoint> until) {
  http::response<http::empty_body> head(http::status::ok, request.version());
  head.set(http::field::content_type, "text/event-stream");
  head.set(http::field::cache_control, "no-cache, no-transform");
  head.set("X-Accel-Buffering", "no");
  head.keep_alive(request.keep_alive());
  head.chunked(true);
  http::response_serializer<http::empty_body> serializer(head);
  const auto [head_error, head_size] =
      co_await http::async_write_header(connection, serializer, kAsTuple);
  std::optional<HttpStream::Event> event = std::move(first);
  bool goes_on = !head_error;
  while (goes_on && (event || !open.stream().IsFinished())) {
    if (event) {
      goes_on = co_await WriteChunk(connection, "event: message\ndata: " + event->text + "\n\n");
    } else {
      open.timer().expires_after(options.keep_alive);
      const auto [woken] = co_await open.timer().async_wait(kAsTuple);
      goes_on = open.IsMine() && !IsOver(until) &&
                (woken || co_await WriteChunk(connection, ": waiting\n\n"));
    }
    event = goes_on ? open.stream().Take() : std::nullopt;
  }
  if (!goes_on) {
    co_return false;
  }
  const auto [error, size] =
      co_await net::async_write(connection, http::make_chunk_last(), kAsTuple);
  co_return !error;
}

net::awaitable<void> HttpServer::State::Sweep() {
  net::steady_timer timer(io);
  for (;;) {
    timer.expires_after(std::max<Duration>(options.resume_time / 4, std::chrono::milliseconds(50)));
    co_await timer.async_wait(kAsTuple);
    resumable.Sweep(options.clock->Elapsed());
  }
}

net::awaitable<bool> HttpServer::State::WriteChunk(beast::tcp_stream& connection,
                                                   const std::string& text) {
  connection.expires_after(options.request_time);
  const auto [error, size] =
      co_await net::async_write(connection, http::make_chunk(net::buffer(text)), kAsTuple);
  connection.expires_never();
  co_return !error;
}

net::awaitable<bool> HttpServer::State::WriteEvents(beast::tcp_stream& connection,
                                                    const Request& request,
                                                    const std::shared_ptr<Session>& session,
                                                    OpenStream& open,
                                                    std::optional<TimePoint> until) {
  http::response<http::empty_body> head(http::status::ok, request.version());
  head.set(http::field::content_type, "text/event-stream");
  head.set(http::field::cache_control, "no-cache, no-transform");
  head.keep_alive(request.keep_alive());
  head.chunked(true);
  http::response_serializer<http::empty_body> serializer(head);
  const auto [head_error, head_size] =
      co_await http::async_write_header(connection, serializer, kAsTuple);
  const bool written = !head_error && co_await WriteEventsOf(connection, *session, open, until);
  const std::uint64_t number = open.stream().number();
  if (written) {
    resumable.Remove(session->id(), number);
  } else if (open.IsMine()) {
    open.Keep();
    resumable.Keep(session->id(), number, options.clock->Elapsed() + options.resume_time);
  }
  co_return written;
}

// True when all was written.
net::awaitable<bool> HttpServer::State::WriteEventsOf(beast::tcp_stream& connection,
                                                      const Session& session, OpenStream& open,
                                                      std::optional<TimePoint> until) {
  HttpStream& stream = open.stream();
  // An event without data gives the client a name to come back with. Older ones trip over it.
  EventName name{.stream = stream.number()};
  std::string text = "id: " + ToText(name) + "\ndata: \n\n";
  if (session.speaks_2025_11_25() && !co_await WriteChunk(connection, text)) {
    co_return false;
  }
  while (open.IsMine() && !stream.IsFinished() && !IsOver(until)) {
    if (const std::optional<HttpStream::Event> event = stream.Take()) {
      name.event = event->number;
      text = "id: " + ToText(name) + "\nevent: message\ndata: " + event->text + "\n\n";
      if (!co_await WriteChunk(connection, text)) {
        co_return false;
      }
      continue;
    }
    open.timer().expires_after(options.keep_alive);
    const auto [woken] = co_await open.timer().async_wait(kAsTuple);
    // A sign of life, by which a connection that is gone is noticed.
    if (!woken && !co_await WriteChunk(connection, ": waiting\n\n")) {
      co_return false;
    }
  }
  if (!stream.IsFinished()) {
    co_return false;
  }
  const auto [error, size] =
      co_await net::async_write(connection, http::make_chunk_last(), kAsTuple);
  co_return !error;
}

}  // namespace stator::mcp

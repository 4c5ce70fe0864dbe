// A stream while a connection writes it.
//
// THREADS: belongs to the thread of the connections.

#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <set>
#include <utility>

#include "mcp/http_stream.h"

namespace stator::mcp {

using boost::asio::ip::tcp;

// A stream that a connection writes, for as long as the coroutine of the connection lives.
class OpenStream {
 public:
  OpenStream(std::set<std::shared_ptr<HttpStream>>& streams, boost::asio::io_context& io,
             std::shared_ptr<HttpStream> stream)
      : streams_(streams), timer_(io), stream_(std::move(stream)) {
    streams_.insert(stream_);
    ticket_ = stream_->Open(timer_);
  }
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;
  ~OpenStream() {
    const bool is_mine = stream_->IsWrittenBy(ticket_);
    stream_->Leave(ticket_);
    if (is_mine && !kept_) {
      stream_->Shut();
    }
    if (is_mine || !stream_->IsOpen()) {
      streams_.erase(stream_);
    }
  }

  // The client may come back for the rest.
  void Keep() { kept_ = true; }

  HttpStream& stream() { return *stream_; }
  [[nodiscard]] const std::shared_ptr<HttpStream>& shared() const { return stream_; }
  [[nodiscard]] bool IsMine() const { return stream_->IsWrittenBy(ticket_); }
  boost::asio::steady_timer& timer() { return timer_; }

 private:
  std::set<std::shared_ptr<HttpStream>>& streams_;
  boost::asio::steady_timer timer_;
  const std::shared_ptr<HttpStream> stream_;
  std::uint64_t ticket_ = 0;
  bool kept_ = false;
};

// Shuts the stream when the client closes its end while it is waited for.
class DisconnectWatch {
 public:
  DisconnectWatch(tcp::socket& socket, const std::shared_ptr<HttpStream>& stream)
      : socket_(socket) {
    socket_.async_wait(tcp::socket::wait_read, [alive = std::weak_ptr(alive_), &socket,
                                                stream](const boost::system::error_code& error) {
      if (error || alive.expired()) {
        return;
      }
      char byte = 0;
      boost::system::error_code closed;
      const std::size_t count =
          socket.receive(boost::asio::buffer(&byte, 1), tcp::socket::message_peek, closed);
      if (closed || count == 0) {
        stream->Abandon();
      }
    });
  }
  DisconnectWatch(const DisconnectWatch&) = delete;
  DisconnectWatch& operator=(const DisconnectWatch&) = delete;
  ~DisconnectWatch() {
    boost::system::error_code ignored;
    (void)socket_.cancel(ignored);
  }

 private:
  tcp::socket& socket_;
  const std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace stator::mcp

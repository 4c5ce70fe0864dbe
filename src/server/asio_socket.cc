#include "server/asio_socket.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace stator::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

using Buffers = std::array<asio::const_buffer, 2>;

Buffers AsBuffers(std::string_view head, std::string_view body) {
  return {asio::buffer(head), asio::buffer(body)};
}

// What is left of two buffers behind their first `written` bytes.
Buffers Rest(Buffers buffers, std::size_t written) {
  const std::size_t of_first = std::min(written, buffers[0].size());
  buffers[0] += of_first;
  buffers[1] += written - of_first;
  return buffers;
}

// A peek at what has come: nothing and no end means that the other end is there.
bool HasEnded(int descriptor) {
  char byte = 0;
  const ssize_t count = recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

class PlainSocket final : public Socket {
 public:
  explicit PlainSocket(TcpSocket socket) : socket_(std::move(socket)) {}

  void Open(std::shared_ptr<SocketUser> user) override {
    error_code error;
    (void)socket_.non_blocking(true, error);
    user->OnOpen(!error);
  }

  void Read(std::shared_ptr<SocketUser> user, std::span<char> room) override {
    socket_.async_read_some(asio::buffer(room.data(), room.size()),
                            [user = std::move(user)](const error_code& error, std::size_t count) {
                              user->OnRead(error ? 0 : count);
                            });
  }

  bool Write(std::shared_ptr<SocketUser> user, std::string_view head,
             std::string_view body) override {
    // Nearly always the system takes it all at once, and no event is needed.
    const Buffers buffers = AsBuffers(head, body);
    error_code error;
    const std::size_t written = socket_.write_some(buffers, error);
    if (!error && written == head.size() + body.size()) {
      return true;
    }
    if (error == asio::error::would_block) {
      error = {};
    }
    if (error) {
      // Told as an event of its own, so that the caller is not changed under its feet.
      asio::post(socket_.get_executor(), [user = std::move(user)] { user->OnWritten(false); });
      return false;
    }
    asio::async_write(socket_, Rest(buffers, written),
                      [user = std::move(user)](const error_code& failure, std::size_t) {
                        user->OnWritten(!failure);
                      });
    return false;
  }

  void Linger(std::shared_ptr<SocketUser> user) override {
    error_code ignored;
    (void)socket_.shutdown(TcpSocket::shutdown_send, ignored);
    Discard(std::move(user));
  }

  bool PeerIsGone() override { return HasEnded(socket_.native_handle()); }

  void Close() override {
    error_code ignored;
    (void)socket_.close(ignored);
  }

 private:
  void Discard(std::shared_ptr<SocketUser> user) {
    socket_.async_read_some(
        asio::buffer(discarded_),
        [this, user = std::move(user)](const error_code& error, std::size_t count) mutable {
          if (error || count == 0) {
            user->OnRead(0);
          } else {
            Discard(std::move(user));
          }
        });
  }

  TcpSocket socket_;
  std::array<char, 512> discarded_{};
};

class TlsSocket final : public Socket {
 public:
  TlsSocket(TcpSocket socket, asio::ssl::context& context) : stream_(std::move(socket), context) {}

  void Open(std::shared_ptr<SocketUser> user) override {
    stream_.async_handshake(
        asio::ssl::stream_base::server,
        [user = std::move(user)](const error_code& error) { user->OnOpen(!error); });
  }

  void Read(std::shared_ptr<SocketUser> user, std::span<char> room) override {
    stream_.async_read_some(asio::buffer(room.data(), room.size()),
                            [user = std::move(user)](const error_code& error, std::size_t count) {
                              user->OnRead(error ? 0 : count);
                            });
  }

  bool Write(std::shared_ptr<SocketUser> user, std::string_view head,
             std::string_view body) override {
    asio::async_write(stream_, AsBuffers(head, body),
                      [user = std::move(user)](const error_code& failure, std::size_t) {
                        user->OnWritten(!failure);
                      });
    return false;
  }

  void Linger(std::shared_ptr<SocketUser> user) override {
    stream_.async_shutdown([user = std::move(user)](const error_code&) { user->OnRead(0); });
  }

  bool PeerIsGone() override { return HasEnded(stream_.lowest_layer().native_handle()); }

  void Close() override {
    error_code ignored;
    (void)stream_.lowest_layer().close(ignored);
  }

 private:
  asio::ssl::stream<TcpSocket> stream_;
};

}  // namespace

std::unique_ptr<Socket> MakePlainSocket(TcpSocket socket) {
  return std::make_unique<PlainSocket>(std::move(socket));
}

std::unique_ptr<Socket> MakeTlsSocket(TcpSocket socket, asio::ssl::context& context) {
  return std::make_unique<TlsSocket>(std::move(socket), context);
}

}  // namespace stator::server

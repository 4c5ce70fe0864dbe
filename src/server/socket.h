// One accepted connection as its protocol sees it: bytes come, bytes go. Plain TCP and TLS look the
// same from here.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace stator::server {

// Told when what was asked of a socket is done, on the thread that serves it.
class SocketUser {
 public:
  SocketUser() = default;
  SocketUser(const SocketUser&) = delete;
  SocketUser& operator=(const SocketUser&) = delete;
  virtual ~SocketUser() = default;

  virtual void OnOpen(bool ok) = 0;
  virtual void OnRead(std::size_t count) = 0;  // 0: nothing more will come
  virtual void OnWritten(bool ok) = 0;
};

// The shared pointers keep the user alive until it was told. At most one read and one write are
// under way at a time.
//
// THREADS: one thread at a time.
class Socket {
 public:
  Socket() = default;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  virtual ~Socket() = default;

  // Makes the socket ready, which takes a handshake under TLS. Calls OnOpen, perhaps at once.
  virtual void Open(std::shared_ptr<SocketUser> user) = 0;

  // Reads some bytes into `room`, which must stay where it is; then OnRead.
  virtual void Read(std::shared_ptr<SocketUser> user, std::span<char> room) = 0;

  // Writes both texts, which must stay where they are. True when that is done; false when it takes
  // longer, then OnWritten follows.
  virtual bool Write(std::shared_ptr<SocketUser> user, std::string_view head,
                     std::string_view body) = 0;

  // Tells the other end that no more will be written, and discards what it still sends; calls
  // OnRead(0) when it has closed its end too. Closing at once instead could destroy, at the other
  // end, an answer that is not yet read.
  virtual void Linger(std::shared_ptr<SocketUser> user) = 0;

  // Whether the other end has closed or reset the connection; looks, and takes nothing. REQUIRES:
  // no read is under way.
  [[nodiscard]] virtual bool PeerIsGone() = 0;

  // Drops the connection. What is under way ends, with calls that report failure.
  virtual void Close() = 0;
};

}  // namespace stator::server

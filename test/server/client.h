// For tests: a client that can behave as badly as one likes. Blocking sockets on the loopback
// address, with a guard of some seconds so that a hanging test fails instead of hanging.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace stator::server {

struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> fields;  // names in lower case
  std::string body;
};

class Client {
 public:
  explicit Client(std::uint16_t port);
  Client(Client&& other) noexcept;
  Client& operator=(Client&&) = delete;
  ~Client();

  // Whether everything was taken. False when the server has closed, or takes no more for now.
  bool Send(std::string_view bytes);

  // How many of the bytes are taken without waiting.
  std::size_t SendNow(std::string_view bytes);

  // One whole answer; status 0 when the connection ended before. `has_body` is false after HEAD.
  HttpAnswer ReadAnswer(bool has_body = true);

  // Everything until the server closes, by either of the two ways.
  std::string ReadToEnd();

  // Whether the server closes within the guard's time; discards what it sends before.
  bool IsClosedByServer();

  // Whether an answer has begun to arrive; whether the server has closed. Neither waits.
  [[nodiscard]] bool HasBytes() const;
  [[nodiscard]] bool IsClosedAlready() const;

  // Says that nothing more will be sent.
  void CloseSending();

  // Closes with a reset instead of a good-bye.
  void Reset();

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  bool ReadMore();

  int descriptor_ = -1;
  std::string received_;
};

// A POST of the protocol: `target` is the operation.
std::string Post(std::string_view target, std::string_view body,
                 std::string_view further_lines = "");

}  // namespace stator::server

#include "client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <unistd.h>
#include <utility>

#include "base/check.h"
#include "wire/http_message.h"

namespace stator::server {
namespace {

constexpr timeval kGuard = {.tv_sec = 20, .tv_usec = 0};

}  // namespace

Client::Client(std::uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  CHECK_THAT(descriptor_ >= 0, std::strerror(errno));
  ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &kGuard, sizeof(kGuard));
  ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &kGuard, sizeof(kGuard));
  const int on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK_THAT(
      ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0,
      std::strerror(errno));
}

Client::Client(Client&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), received_(std::move(other.received_)) {}

Client::~Client() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

bool Client::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::size_t Client::SendNow(std::string_view bytes) {
  const ssize_t count =
      ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

HttpAnswer Client::ReadAnswer(bool has_body) {
  std::size_t head_end = 0;
  while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!ReadMore()) {
      return {};
    }
  }
  HttpAnswer answer;
  std::string_view head = std::string_view(received_).substr(0, head_end + 2);
  constexpr std::size_t kStatusAt = 9;  // "HTTP/1.1 200"
  if (head.size() < kStatusAt + 3 || !head.starts_with("HTTP/1.1 ")) {
    return {};
  }
  std::from_chars(head.data() + kStatusAt, head.data() + kStatusAt + 3, answer.status);
  head.remove_prefix(head.find("\r\n") + 2);
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(line.size() + 2);
    const std::size_t colon = std::min(line.find(": "), line.size());
    answer.fields[wire::LowerCase(line.substr(0, colon))] =
        line.substr(std::min(colon + 2, line.size()));
  }
  received_.erase(0, head_end + 4);
  if (answer.status == 100 || !has_body) {
    return answer;
  }
  const std::size_t length = std::stoul("0" + answer.fields["content-length"]);
  while (received_.size() < length) {
    if (!ReadMore()) {
      return {};
    }
  }
  answer.body = received_.substr(0, length);
  received_.erase(0, length);
  return answer;
}

std::string Client::ReadToEnd() {
  while (ReadMore()) {
  }
  return std::exchange(received_, {});
}

bool Client::IsClosedByServer() {
  while (ReadMore()) {
    received_.clear();
  }
  return errno != EAGAIN;
}

bool Client::HasBytes() const {
  char first = 0;
  return ::recv(descriptor_, &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

bool Client::IsClosedAlready() const {
  char first = 0;
  const ssize_t count = ::recv(descriptor_, &first, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN);
}

void Client::CloseSending() {
  ::shutdown(descriptor_, SHUT_WR);
}

void Client::Reset() {
  const linger at_once = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  ::close(std::exchange(descriptor_, -1));
}

bool Client::ReadMore() {
  std::array<char, 65536> part{};
  errno = 0;
  const ssize_t count = ::recv(descriptor_, part.data(), part.size(), 0);
  if (count <= 0) {
    return false;
  }
  received_.append(part.data(), static_cast<std::size_t>(count));
  return true;
}

std::string Post(std::string_view target, std::string_view body, std::string_view further_lines) {
  std::string text = "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.";
  text.append(target).append("\r\nContent-Type: application/x-amz-json-1.0\r\n");
  text.append(further_lines);
  text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return text.append(body);
}

}  // namespace stator::server

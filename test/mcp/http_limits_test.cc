// What many clients of the HTTP transport may take together.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <poll.h>
#include <string>
#include <unistd.h>

#include "mcp/mcp_test.h"
#include "stator/mcp/http.h"

namespace stator::mcp {
namespace {

std::string Post(std::size_t length, std::string_view body) {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
         "Accept: text/event-stream\r\nContent-Length: " +
         std::to_string(length) + "\r\n\r\n" + std::string(body);
}

// A socket that the test connects when it likes.
class RawClient {
 public:
  RawClient() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval guard = {.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &guard, sizeof(guard));
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { ::close(descriptor_); }

  [[nodiscard]] bool Connect(std::uint16_t port) const {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) ==
           0;
  }

  void Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) {
        return;  // Refused before it had said everything.
      }
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }

  // The status line of the next answer.
  [[nodiscard]] std::string ReadStatus() const {
    std::string text(256, '\0');
    const ssize_t count = ::recv(descriptor_, text.data(), text.size(), 0);
    text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return text.substr(0, text.find('\r'));
  }

 private:
  const int descriptor_;
};

bool IsFirstToBeAnswered(const RawClient& first, const RawClient& second) {
  std::array<pollfd, 2> both = {{{.fd = first.descriptor(), .events = POLLIN, .revents = 0},
                                 {.fd = second.descriptor(), .events = POLLIN, .revents = 0}}};
  ::poll(both.data(), both.size(), 20'000);
  return both[0].revents != 0;
}

class HttpLimits : public McpTest {
 protected:
  std::unique_ptr<HttpServer> Listen(HttpOptions options) {
    server_ = Serve();
    return HttpServer::Start(*server_, std::move(options)).value();
  }

  std::unique_ptr<McpServer> server_;
};

TEST_F(HttpLimits, LargeMessagesShareABudget) {
  constexpr std::size_t kMegabyte = 1 << 20;
  const auto http = Listen({.message_bytes_max = 4 * kMegabyte, .bodies_bytes_max = 5 * kMegabyte});
  const RawClient first;
  const RawClient second;
  ASSERT_TRUE(first.Connect(http->port()) && second.Connect(http->port()));
  // A promise alone takes nothing.
  first.Send(Post(4 * kMegabyte, ""));
  second.Send(Post(4 * kMegabyte, std::string(4 * kMegabyte, ' ')));
  EXPECT_EQ(second.ReadStatus(), "HTTP/1.1 400 Bad Request");
  // Of two that do not fit together one is refused, the other goes on.
  const RawClient third;
  ASSERT_TRUE(third.Connect(http->port()));
  first.Send(std::string(4 * kMegabyte - 1, ' '));
  third.Send(Post(4 * kMegabyte, std::string(4 * kMegabyte - 1, ' ')));
  const bool first_is_refused = IsFirstToBeAnswered(first, third);
  EXPECT_EQ((first_is_refused ? first : third).ReadStatus(), "HTTP/1.1 503 Service Unavailable");
  const RawClient& other = first_is_refused ? third : first;
  other.Send(" ");
  EXPECT_EQ(other.ReadStatus(), "HTTP/1.1 400 Bad Request");
  // What both had is free again.
  const RawClient fourth;
  ASSERT_TRUE(fourth.Connect(http->port()));
  fourth.Send(Post(4 * kMegabyte, std::string(4 * kMegabyte, ' ')));
  EXPECT_EQ(fourth.ReadStatus(), "HTTP/1.1 400 Bad Request");
}

}  // namespace
}  // namespace stator::mcp

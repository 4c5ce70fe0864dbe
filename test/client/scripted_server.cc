#include "client/scripted_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unistd.h>
#include <utility>

#include "base/check.h"

namespace stator::client {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return lower;
}

std::string_view TakeUntil(std::string_view& text, std::string_view end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + end.size(), text.size()));
  return part;
}

ReceivedRequest ParseHead(std::string_view head) {
  ReceivedRequest request;
  std::string_view line = TakeUntil(head, "\r\n");
  request.method = TakeUntil(line, " ");
  request.path = TakeUntil(line, " ");
  while (!head.empty()) {
    std::string_view field = TakeUntil(head, "\r\n");
    const std::string name = Lower(TakeUntil(field, ":"));
    field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
    request.fields.emplace_back(name, field);
  }
  return request;
}

std::size_t BodySize(const ReceivedRequest& request) {
  const std::string text = request.Field("content-length");
  std::size_t size = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), size);
  return size;
}

// Takes one request out of `buffer`, reading more as needed; nothing at the end of the connection.
std::optional<ReceivedRequest> ReadRequest(int descriptor, std::string& buffer,
                                           ScriptedServer::Reads reads) {
  constexpr std::string_view kEndOfHead = "\r\n\r\n";
  std::array<char, 65536> chunk;
  const auto read_more = [&] {
    const ssize_t count = recv(descriptor, chunk.data(), chunk.size(), 0);
    if (count > 0) {
      buffer.append(chunk.data(), static_cast<std::size_t>(count));
    }
    return count > 0;
  };
  while (!buffer.contains(kEndOfHead)) {
    if (!read_more()) {
      return std::nullopt;
    }
  }
  const std::size_t head_size = buffer.find(kEndOfHead);
  ReceivedRequest request = ParseHead(std::string_view(buffer).substr(0, head_size));
  buffer.erase(0, head_size + kEndOfHead.size());
  const std::size_t body_size = reads == ScriptedServer::Reads::kHeads ? 0 : BodySize(request);
  while (buffer.size() < body_size) {
    if (!read_more()) {
      return std::nullopt;
    }
  }
  request.body = buffer.substr(0, body_size);
  buffer.erase(0, body_size);
  return request;
}

bool SendAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

std::string ReceivedRequest::Field(std::string_view lower_case_name) const {
  for (const auto& [name, value] : fields) {
    if (name == lower_case_name) {
      return value;
    }
  }
  return {};
}

Reaction Answer(int status, std::string_view body, const transport::HeaderFields& fields) {
  std::string bytes = "HTTP/1.1 " + std::to_string(status) + " Status\r\n";
  for (const auto& [name, value] : fields) {
    bytes.append(name).append(": ").append(value).append("\r\n");
  }
  bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return {.bytes = bytes.append(body)};
}

Reaction HangUp() {
  return {.bytes = {}, .closes = true};
}

ScriptedServer::ScriptedServer(React react, Reads reads) : react_(std::move(react)), reads_(reads) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(listener_ >= 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  CHECK(listen(listener_, 64) == 0);
  socklen_t size = sizeof(address);
  CHECK(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { Accept(); });
}

ScriptedServer::~ScriptedServer() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  {
    const std::lock_guard lock(mutex_);
    for (const int descriptor : descriptors_) {
      shutdown(descriptor, SHUT_RDWR);
    }
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  for (const int descriptor : descriptors_) {
    close(descriptor);
  }
}

std::vector<ReceivedRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void ScriptedServer::AwaitReactions(int count) {
  std::unique_lock lock(mutex_);
  reacted_.wait(lock, [this, count] { return reactions_ >= count; });
}

void ScriptedServer::Accept() {
  while (!stopping_) {
    const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) {
      continue;
    }
    const int enabled = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &enabled, sizeof(enabled));
    ++connections_;
    const std::lock_guard lock(mutex_);
    descriptors_.push_back(descriptor);
    threads_.emplace_back([this, descriptor] { Serve(descriptor); });
  }
}

// The descriptor is closed with the server, so that its number is not used again meanwhile.
void ScriptedServer::Serve(int descriptor) {
  std::string buffer;
  while (!stopping_) {
    const std::optional<ReceivedRequest> request = ReadRequest(descriptor, buffer, reads_);
    if (!request) {
      break;
    }
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(*request);
    }
    const Reaction reaction = react_(*request);
    const bool goes_on = SendAll(descriptor, reaction.bytes) &&
                         SendAll(descriptor, reaction.later) && !reaction.closes;
    if (!goes_on) {
      shutdown(descriptor, SHUT_RDWR);
    }
    const std::lock_guard lock(mutex_);
    ++reactions_;
    reacted_.notify_all();
    if (!goes_on) {
      return;
    }
  }
  shutdown(descriptor, SHUT_RDWR);
}

}  // namespace stator::client

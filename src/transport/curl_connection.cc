#include "transport/curl_connection.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <poll.h>

namespace stator::transport {

Result<void> CurlConnection::Connect(const HttpRequest& request, Route route) {
  CHECK(!is_connected_);
  route_ = std::move(route);
  CURL* const handle = handle_.get();
  SetForRoute(handle, request, route_, options_, explanation_);
  Set(handle, CURLOPT_CONNECT_ONLY, 1L);
  CHECK(Curl().multi_add_handle(multi_.get(), handle) == CURLM_OK);
  is_connected_ = true;
  const CURLcode code = Perform();
  if (code != CURLE_OK) {
    Disconnect();
    return std::unexpected(NotSent(code, explanation_));
  }
  if (Curl().easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket_) != CURLE_OK ||
      socket_ == CURL_SOCKET_BAD) {
    Disconnect();
    return std::unexpected(NotSent(CURLE_COULDNT_CONNECT, explanation_));
  }
  return {};
}

// libcurl looks at the time that connecting may take.
CURLcode CurlConnection::Perform() {
  constexpr int kLongestSleepMs = 60'000;
  while (true) {
    int count = 0;
    CHECK(Curl().multi_perform(multi_.get(), &count) == CURLM_OK);
    if (const CURLMsg* const message = Curl().multi_info_read(multi_.get(), &count)) {
      return message->data.result;
    }
    (void)Curl().multi_poll(multi_.get(), nullptr, 0, kLongestSleepMs, nullptr);
  }
}

void CurlConnection::Disconnect() {
  if (std::exchange(is_connected_, false)) {
    CHECK(Curl().multi_remove_handle(multi_.get(), handle_.get()) == CURLM_OK);
  }
}

bool CurlConnection::IsGood() {
  if (SystemClock().Elapsed() - last_use_ > options_.idle_max) {
    return false;
  }
  char byte = 0;
  const auto received = Receive(&byte, 1);
  return !received && received.error() == Failure::kNotNow;
}

std::expected<std::size_t, CurlConnection::Failure> CurlConnection::Send(std::string_view bytes) {
  std::size_t sent = 0;
  const CURLcode code = Curl().easy_send(handle_.get(), bytes.data(), bytes.size(), &sent);
  if (code != CURLE_OK) {
    return std::unexpected(code == CURLE_AGAIN ? Failure::kNotNow : Failure::kBroken);
  }
  return sent;
}

std::expected<std::size_t, CurlConnection::Failure> CurlConnection::Receive(char* buffer,
                                                                            std::size_t size) {
  std::size_t received = 0;
  const CURLcode code = Curl().easy_recv(handle_.get(), buffer, size, &received);
  if (code != CURLE_OK) {
    return std::unexpected(code == CURLE_AGAIN ? Failure::kNotNow : Failure::kBroken);
  }
  return received;
}

CurlConnection::Ready CurlConnection::Wait(bool or_takes_bytes, Duration longest) {
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(longest).count();
  constexpr auto kMost = std::chrono::milliseconds(std::chrono::hours(1)).count();
  pollfd watched = {.fd = socket_,
                    .events = static_cast<short>(or_takes_bytes ? POLLIN | POLLOUT : POLLIN),
                    .revents = 0};
  const int count = poll(&watched, 1, static_cast<int>(std::clamp<long>(milliseconds, 0, kMost)));
  return count > 0 ? Ready::kYes : Ready::kNo;  // A signal is no: whoever waits looks at the time.
}

}  // namespace stator::transport

// A connection that libcurl makes (names, addresses in turn, proxies, TLS) and that we write and read
// ourselves: for an exchange of a few hundred bytes libcurl's own HTTP takes three times as long.
// For the folder itself.
//
// THREADS: one at a time.

#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "transport/curl_handle.h"

namespace stator::transport {

// Handles of libcurl, which keep what they have learned (certificates of the system, TLS sessions,
// addresses) when the connection is lost and they make another.
class CurlConnection {
 public:
  // `options` must outlive it. REQUIRES: LoadCurl has succeeded.
  explicit CurlConnection(const CurlOptions& options)
      : options_(options), multi_(MakeCurlMulti()), handle_(MakeCurlHandle()) {}
  CurlConnection(const CurlConnection&) = delete;
  CurlConnection& operator=(const CurlConnection&) = delete;
  ~CurlConnection() { Disconnect(); }

  // Connects for the request; waits. The errors say that nothing was sent.
  // REQUIRES: is_connected() is false.
  Result<void> Connect(const HttpRequest& request, Route route);
  void Disconnect();  // does nothing when it is not connected

  [[nodiscard]] bool is_connected() const { return is_connected_; }
  // Whether a request can be sent on it: the other end has not closed it and has said nothing that it
  // was not asked for, which would be taken for the answer; and it was not left alone for so long that
  // something between both ends may have forgotten it.
  [[nodiscard]] bool IsGood();

  [[nodiscard]] const Route& route() const { return route_; }
  // The route of the next request. REQUIRES: route.HasConnectionOf(this->route()).
  void set_route(Route route) { route_ = std::move(route); }

  enum class Failure : bool { kNotNow, kBroken };
  // How many bytes were taken; kNotNow when the connection takes none at the moment: the call that
  // follows must begin with the same bytes.
  std::expected<std::size_t, Failure> Send(std::string_view bytes);
  // How many bytes have come; 0 at the end.
  std::expected<std::size_t, Failure> Receive(char* buffer, std::size_t size);

  enum class Ready : bool { kNo, kYes };
  // Waits until there is something to receive, or the connection takes bytes when that is asked for.
  Ready Wait(bool or_takes_bytes, Duration longest);

  // Whether bytes may have come which Wait does not see, because they are decrypted already.
  [[nodiscard]] bool may_hold_bytes() const { return route_.is_secure || !route_.proxy.empty(); }

  // Memory for the bytes of requests, kept from one to the next.
  [[nodiscard]] std::string& buffer() { return buffer_; }
  void NoteUse(Duration now) { last_use_ = now; }

 private:
  [[nodiscard]] CURLcode Perform();

  const CurlOptions& options_;
  Explanation explanation_ = {};  // before the handle, which writes there
  // The connection belongs to it; libcurl closes it when the handle is removed, and only then at once.
  const CurlMulti multi_;
  const CurlHandle handle_;
  Route route_;
  curl_socket_t socket_ = CURL_SOCKET_BAD;
  bool is_connected_ = false;
  Duration last_use_ = {};
  std::string buffer_;
};

}  // namespace stator::transport

// HttpExchanges: any number of HTTP exchanges at once on one thread, for callers that do not want to
// wait for the answer on theirs.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "transport/curl_transport.h"
#include "transport/http.h"

namespace stator::transport {

class HttpExchanges {
 public:
  // Is called once, on the thread of the exchanges (or of the caller, when the request cannot be
  // sent by anybody); must not wait.
  using Done = std::move_only_function<void(Result<HttpResponse>)>;

  explicit HttpExchanges(CurlOptions options = {});
  HttpExchanges(const HttpExchanges&) = delete;
  HttpExchanges& operator=(const HttpExchanges&) = delete;
  ~HttpExchanges();  // breaks off what is under way; nobody is told

  // The body of the request is `body`. Errors are those of Transport::Send.
  std::uint64_t Start(HttpRequest request, std::string body, Done done);
  // Breaks the exchange off, if it is under way: `done` is not called, unless it is just being.
  void Cancel(std::uint64_t exchange);

 private:
  struct State;

  const std::unique_ptr<State> state_;
};

}  // namespace stator::transport

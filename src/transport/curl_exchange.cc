#include "transport/curl_exchange.h"

#include <string_view>

#include "base/try.h"
#include "transport/request_head.h"
#include "transport/route.h"

namespace stator::transport {

std::size_t CurlExchange::TakeBody(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& received = *static_cast<Received*>(user);
  std::string& body = received.head.response.body;
  const std::size_t length = size * count;
  if (length > received.body_bytes_max - body.size()) {
    received.too_large = true;
    return 0;
  }
  body.append(bytes, length);
  return length;
}

// Called with each line of the head, and of a trailer. libcurl takes a head that breaks off for the
// answer, without a body; only the empty line says that it is whole.
std::size_t CurlExchange::TakeHeadLine(char* bytes, std::size_t size, std::size_t count,
                                       void* user) {
  auto& received = *static_cast<Received*>(user);
  if (!received.has_whole_head) {
    const AnswerHead::State state = received.head.TakeLine(std::string_view(bytes, size * count));
    received.has_whole_head = state == AnswerHead::State::kComplete;
    if (state == AnswerHead::State::kMalformed) {
      received.is_no_http = true;
      return 0;
    }
  }
  return size * count;
}

// Called each time before libcurl sends the request. A second time would be its own repetition; the
// first sending may have been received.
int CurlExchange::BeforeSending(void* user, char* /*primary_ip*/, char* /*local_ip*/,
                                int /*primary_port*/, int /*local_port*/) {
  return ++static_cast<Received*>(user)->sendings > 1 ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

Result<std::unique_ptr<CurlExchange>> CurlExchange::Make(const CurlOptions& options,
                                                         const HttpRequest& request) {
  TRY_VOID(LoadCurl());
  TRY_VOID(CheckRequest(request));
  const Route route = TRY(RouteOf(request));
  std::unique_ptr<CurlExchange> exchange(new CurlExchange(request.body_bytes_max));
  SetForRoute(exchange->handle(), request, route, options, exchange->explanation_);
  exchange->SetCallbacks();
  exchange->SetBody(request);
  exchange->SetLines(request);
  return exchange;
}

void CurlExchange::SetCallbacks() {
  CURL* const handle = handle_.get();
  Set(handle, CURLOPT_WRITEFUNCTION, &TakeBody);
  Set(handle, CURLOPT_WRITEDATA, static_cast<void*>(&received_));
  Set(handle, CURLOPT_HEADERFUNCTION, &TakeHeadLine);
  Set(handle, CURLOPT_HEADERDATA, static_cast<void*>(&received_));
  Set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);  // Those of a proxy are not the answer's.
  Set(handle, CURLOPT_PREREQFUNCTION, &BeforeSending);
  Set(handle, CURLOPT_PREREQDATA, static_cast<void*>(&received_));
  // A kept connection may turn out to be closed, and nobody here may repeat the request.
  Set(handle, CURLOPT_FORBID_REUSE, 1L);
}

void CurlExchange::SetBody(const HttpRequest& request) {
  CURL* const handle = handle_.get();
  if (HasBody(request)) {
    Set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    // Without a pointer libcurl would read the body from the standard input.
    Set(handle, CURLOPT_POSTFIELDS, request.body.empty() ? "" : request.body.data());
  }
  if (request.method == "HEAD") {
    Set(handle, CURLOPT_NOBODY, 1L);  // Else libcurl waits for the body that never comes.
  } else if (request.method != "POST") {
    Set(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
}

void CurlExchange::SetLines(const HttpRequest& request) {
  lines_.resize(request.fields.size() + 2);
  auto line = lines_.begin();
  for (const auto& [name, value] : request.fields) {
    // A name without a value is written with a semicolon, else libcurl takes the field away.
    (line++)->assign(name).append(value.empty() ? ";" : ": ").append(value);
  }
  (line++)->assign("Expect:");  // Do not wait for a "100 Continue" before large bodies.
  line->assign("Accept:");
  line_list_.resize(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    line_list_[i] = {.data = lines_[i].data(),
                     .next = i + 1 < lines_.size() ? &line_list_[i + 1] : nullptr};
  }
  Set(handle_.get(), CURLOPT_HTTPHEADER, line_list_.data());
}

Result<HttpResponse> CurlExchange::Finish(CURLcode code) {
  if (code == CURLE_OK && received_.has_whole_head) {
    return std::move(received_.head.response);
  }
  if (received_.too_large) {
    return Fail(ErrorCode::kIo, "HTTP request failed: the answer is too large");
  }
  if (received_.is_no_http) {
    return Fail(ErrorCode::kIo, "HTTP request failed: the answer is not HTTP");
  }
  return std::unexpected(received_.sendings == 0 ? NotSent(code, explanation_)
                                                 : PerhapsReceived(code, explanation_));
}

}  // namespace stator::transport

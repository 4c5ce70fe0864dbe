#include "transport/curl_exchange.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/lower_case.h"
#include "base/try.h"

namespace stator::transport {
namespace {

using Received = CurlExchange::Received;

std::size_t TakeBody(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& exchange = *static_cast<Received*>(user);
  const std::size_t length = size * count;
  if (length > exchange.body_bytes_max - exchange.response.body.size()) {
    exchange.too_large = true;
    return 0;
  }
  exchange.response.body.append(bytes, length);
  return length;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

void TakeField(std::string_view line, HeaderFields& fields) {
  if (line.starts_with(' ') || line.starts_with('\t')) {  // The line before goes on here.
    if (!fields.empty()) {
      fields.back().second.append(" ").append(Trimmed(line));
    }
    return;
  }
  if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    fields.emplace_back(base::LowerCase(Trimmed(line.substr(0, colon))),
                        Trimmed(line.substr(colon + 1)));
  }
}

// Called with each line of the head, and of a trailer. Only the last head counts: others are those of
// a proxy and of interim answers. libcurl takes a head that breaks off for the answer, without a body;
// only the empty line says that it is whole.
std::size_t TakeHeadLine(char* bytes, std::size_t size, std::size_t count, void* user) {
  const std::string_view line(bytes, size * count);
  auto& exchange = *static_cast<Received*>(user);
  if (line.starts_with("HTTP/")) {
    exchange.has_whole_head = false;
    exchange.response.fields.clear();
  } else if (line == "\r\n" || line == "\n") {
    exchange.has_whole_head = true;
  } else if (!exchange.has_whole_head) {
    TakeField(line, exchange.response.fields);
  }
  return line.size();
}

// Called each time before libcurl sends the request. The second time is its own repetition on a
// fresh connection after a kept one was closed; the first sending may have been received.
int BeforeSending(void* user, char* /*primary_ip*/, char* /*local_ip*/, int /*primary_port*/,
                  int /*local_port*/) {
  return ++static_cast<Received*>(user)->sendings > 1 ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

template <class Value>
void Set(CURL* handle, CURLoption option, Value value) {
  CHECK(Curl().easy_setopt(handle, option, value) == CURLE_OK);
}

long Milliseconds(Duration duration) {
  // Zero would mean no limit.
  return std::max<long>(
      1, static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count()));
}

bool IsLoopback(std::string_view url) {
  const std::size_t start = url.find("://");
  std::string_view host = start == std::string_view::npos ? url : url.substr(start + 3);
  host = host.substr(0, host.find_first_of("/?"));
  if (host.starts_with("[::1]")) {
    return true;
  }
  host = host.substr(0, host.find(':'));
  return host == "localhost" || host.starts_with("127.");
}

// One that has a line break would be two, the second made by whoever chose the value.
bool HasLineBreak(const HttpRequest& request) {
  const auto breaks = [](std::string_view text) {
    return text.find('\r') != std::string_view::npos || text.find('\n') != std::string_view::npos;
  };
  return std::ranges::any_of(request.fields, [&breaks](const auto& field) {
    return breaks(field.first) || breaks(field.second);
  });
}

bool SendsBody(const HttpRequest& request) {
  return request.method == "POST" || !request.body.empty();
}

Error ErrorOf(CURLcode code, const Received& exchange, const char* explanation) {
  const std::string message = std::string("HTTP request failed: ") +
                              (*explanation != '\0' ? explanation : Curl().easy_strerror(code));
  if (exchange.too_large) {
    return {.code = ErrorCode::kIo, .message = "HTTP request failed: the answer is too large"};
  }
  if (exchange.sendings > 1) {
    return {.code = ErrorCode::kIo,
            .message = "HTTP request failed: the connection was closed without an answer"};
  }
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {.code = ErrorCode::kValidation, .message = message};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return {.code = ErrorCode::kAccessDenied, .message = message};
    default:
      break;
  }
  if (exchange.sendings == 0) {
    return {.code = ErrorCode::kUnavailable, .message = message};
  }
  return {.code = code == CURLE_OPERATION_TIMEDOUT ? ErrorCode::kTimeout : ErrorCode::kIo,
          .message = message};
}

}  // namespace

Result<void> CheckRequest(const HttpRequest& request) {
  if (HasLineBreak(request)) {
    return Invalid("HTTP request failed: a header field contains a line break");
  }
  return {};
}

Result<std::unique_ptr<CurlExchange>> CurlExchange::Make(const CurlOptions& options) {
  TRY_VOID(LoadCurl());
  EasyHandle handle(Curl().easy_init());
  CHECK(handle != nullptr);
  return std::unique_ptr<CurlExchange>(new CurlExchange(std::move(handle), options));
}

bool CurlExchange::IsSetFor(const HttpRequest& request) const {
  return route_.url == request.url && route_.method == request.method &&
         route_.use_proxy == request.use_proxy && route_.sends_body == SendsBody(request);
}

void CurlExchange::SetRoute(const HttpRequest& request) {
  CURL* const handle = handle_.get();
  Curl().easy_reset(handle);
  // The URL and the CA file come from outside; what is wrong with them shows when performing.
  (void)Curl().easy_setopt(handle, CURLOPT_URL, request.url.c_str());
  Set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  Set(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  Set(handle, CURLOPT_NOSIGNAL, 1L);
  Set(handle, CURLOPT_TCP_KEEPALIVE, 1L);
  Set(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!options_.ca_file.empty()) {
    (void)Curl().easy_setopt(handle, CURLOPT_CAINFO, options_.ca_file.c_str());
  }
  if (!request.use_proxy || IsLoopback(request.url)) {
    Set(handle, CURLOPT_PROXY, "");
  }
  Set(handle, CURLOPT_WRITEFUNCTION, &TakeBody);
  Set(handle, CURLOPT_WRITEDATA, static_cast<void*>(&received_));
  Set(handle, CURLOPT_HEADERFUNCTION, &TakeHeadLine);
  Set(handle, CURLOPT_HEADERDATA, static_cast<void*>(&received_));
  Set(handle, CURLOPT_PREREQFUNCTION, &BeforeSending);
  Set(handle, CURLOPT_PREREQDATA, static_cast<void*>(&received_));
  Set(handle, CURLOPT_ERRORBUFFER, explanation_.data());
  route_ = {.method = request.method,
            .url = request.url,
            .use_proxy = request.use_proxy,
            .sends_body = SendsBody(request)};
}

void CurlExchange::SetBody(const HttpRequest& request) {
  CURL* const handle = handle_.get();
  if (SendsBody(request)) {
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

void CurlExchange::Begin(const HttpRequest& request) {
  received_ = {.response = {}, .body_bytes_max = request.body_bytes_max};
  explanation_.front() = '\0';
  if (!IsSetFor(request)) {
    SetRoute(request);
  }
  Set(handle_.get(), CURLOPT_CONNECTTIMEOUT_MS, Milliseconds(request.connect_timeout));
  Set(handle_.get(), CURLOPT_TIMEOUT_MS, Milliseconds(request.timeout));
  SetBody(request);
  SetLines(request);
}

Result<HttpResponse> CurlExchange::Finish(CURLcode code) {
  if (code != CURLE_OK || !received_.has_whole_head) {
    return std::unexpected(ErrorOf(code, received_, explanation_.data()));
  }
  long status = 0;
  (void)Curl().easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
  received_.response.status = static_cast<int>(status);
  return std::move(received_.response);
}

}  // namespace stator::transport

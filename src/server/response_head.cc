#include "server/response_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
namespace stator::server {
namespace {

void AppendNumber(std::uint64_t number, std::string& out) {
  std::array<char, 20> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end);
}

// Status line and the fields that never change.
void AppendOpening(int status, std::string& out) {
  constexpr std::array<std::pair<int, std::string_view>, 12> kReasons = {
      {{400, "Bad Request"},
       {401, "Unauthorized"},
       {403, "Forbidden"},
       {404, "Not Found"},
       {405, "Method Not Allowed"},
       {413, "Content Too Large"},
       {415, "Unsupported Media Type"},
       {417, "Expectation Failed"},
       {500, "Internal Server Error"},
       {501, "Not Implemented"},
       {503, "Service Unavailable"},
       {505, "HTTP Version Not Supported"}}};
  if (status == 200) [[likely]] {
    out.append("HTTP/1.1 200 OK\r\nServer: Stator\r\n");
    return;
  }
  const auto* const found =
      std::ranges::find(kReasons, status, [](const auto& entry) { return entry.first; });
  out.append("HTTP/1.1 ");
  AppendNumber(static_cast<std::uint64_t>(status), out);
  out.append(" ").append(found == kReasons.end() ? "" : found->second);
  out.append("\r\nServer: Stator\r\n");
}

}  // namespace

void WriteResponseHead(const ResponseHead& head, std::string& out) {
  out.clear();
  AppendOpening(head.status, out);
  out.append("Date: ").append(head.date);
  out.append("\r\nContent-Type: ").append(head.content_type);
  if (!head.content_encoding.empty()) {
    out.append("\r\nContent-Encoding: ").append(head.content_encoding);
  }
  out.append("\r\nContent-Length: ");
  AppendNumber(head.content_length, out);
  if (!head.keep_alive) {
    out.append("\r\nConnection: close");
  } else if (head.is_http_1_0) {
    out.append("\r\nConnection: keep-alive");
  }
  out.append("\r\nx-amzn-RequestId: ").append(head.request_id);
  out.append("\r\nx-amz-crc32: ");
  AppendNumber(head.crc32, out);
  out.append("\r\n").append(head.further_lines).append("\r\n");
}

}  // namespace stator::server

#include "server/response_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace stator::server {
namespace {

constexpr std::size_t kNumberBytesMax = 20;

// More than all that is written here takes without what the caller gives.
constexpr std::size_t kOwnBytesMax = 320;

// Writes piece after piece into memory that is large enough.
class Pieces {
 public:
  explicit Pieces(char* begin) : begin_(begin), at_(begin) {}

  // A literal, whose size the compiler knows.
  template <std::size_t kSize>
  Pieces& operator<<(const char (&literal)[kSize]) {
    std::memcpy(at_, literal, kSize - 1);
    at_ += kSize - 1;
    return *this;
  }
  Pieces& operator<<(std::string_view text) {
    at_ += text.copy(at_, text.size());
    return *this;
  }
  Pieces& operator<<(std::uint64_t number) {
    at_ = std::to_chars(at_, at_ + kNumberBytesMax, number).ptr;
    return *this;
  }

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  char* const begin_;
  char* at_;
};

std::string_view ReasonOf(int status) {
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
  const auto* const found =
      std::ranges::find(kReasons, status, [](const auto& entry) { return entry.first; });
  return found == kReasons.end() ? std::string_view() : found->second;
}

void Write(const ResponseHead& head, Pieces& out) {
  if (head.status == 200) [[likely]] {
    out << "HTTP/1.1 200 OK";
  } else {
    out << "HTTP/1.1 " << static_cast<std::uint64_t>(head.status) << " " << ReasonOf(head.status);
  }
  out << "\r\nServer: Stator\r\nDate: " << head.date << "\r\nContent-Type: " << head.content_type;
  if (!head.content_encoding.empty()) {
    out << "\r\nContent-Encoding: " << head.content_encoding;
  }
  out << "\r\nContent-Length: " << std::uint64_t{head.content_length};
  if (!head.keep_alive) {
    out << "\r\nConnection: close";
  } else if (head.is_http_1_0) {
    out << "\r\nConnection: keep-alive";
  }
  out << "\r\nx-amzn-RequestId: " << head.request_id;
  out << "\r\nx-amz-crc32: " << std::uint64_t{head.crc32} << "\r\n" << head.further_lines << "\r\n";
}

}  // namespace

void WriteResponseHead(const ResponseHead& head, std::string& out) {
  const std::size_t bytes_max = kOwnBytesMax + head.date.size() + head.content_type.size() +
                                head.content_encoding.size() + head.request_id.size() +
                                head.further_lines.size();
  out.resize_and_overwrite(bytes_max, [&](char* begin, std::size_t /*size*/) {
    Pieces pieces(begin);
    Write(head, pieces);
    CHECK(pieces.size() <= bytes_max);
    return pieces.size();
  });
}

}  // namespace stator::server

// The head of an answer, in the order in which AWS writes it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stator::server {

struct ResponseHead {
  int status = 200;
  std::string_view date;  // of the Date header
  std::string_view content_type;
  std::string_view content_encoding = {};  // left out when empty
  std::size_t content_length = 0;
  bool keep_alive = true;
  bool is_http_1_0 = false;
  std::string_view request_id;
  std::uint32_t crc32 = 0;              // of the body as it is sent
  std::string_view further_lines = {};  // each with its line end
};

// Replaces what is in `out`.
void WriteResponseHead(const ResponseHead& head, std::string& out);

}  // namespace stator::server

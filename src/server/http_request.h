// The head of an HTTP/1.x request: from bytes in a connection's buffer to views of its parts.
// Strict where leniency lets two readers see different requests (RFC 9112): lines end in CRLF, no
// folded lines, no space before a colon, one length, one host.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "wire/http_message.h"

namespace stator::server {

// The header fields that the server itself looks at.
enum class KnownField : std::uint8_t {
  kHost,
  kContentLength,
  kTransferEncoding,
  kConnection,
  kExpect,
  kContentType,
  kContentEncoding,
  kAcceptEncoding,
  kAmzTarget,
  kOrigin,
  kRequestedMethod,   // Access-Control-Request-Method
  kRequestedHeaders,  // Access-Control-Request-Headers
  kConsole,           // X-Stator-Console: sent by the console's own page
};
inline constexpr std::size_t kKnownFields = 13;
inline constexpr std::size_t kFieldsMax = 100;

// How the body of a request is delimited.
struct BodyFraming {
  std::uint64_t content_length = 0;
  bool chunked = false;

  [[nodiscard]] bool HasBody() const { return chunked || content_length > 0; }
};

// Views into the bytes that were parsed. Large; one per thread is enough.
struct RequestHead {
  std::string_view method;
  std::string_view path;
  std::string_view query;
  BodyFraming framing;
  bool keep_alive = true;
  bool expects_continue = false;
  bool is_http_1_0 = false;

  std::array<std::string_view, kKnownFields> known;  // the first of each name, or empty
  std::array<wire::HttpField, kFieldsMax> all_fields;
  std::size_t field_count = 0;

  [[nodiscard]] std::string_view operator[](KnownField field) const {
    return known[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] std::span<const wire::HttpField> fields() const {
    return std::span(all_fields).first(field_count);
  }
  [[nodiscard]] wire::HttpMessage message() const {
    return {.method = method, .path = path, .query = query, .fields = fields()};
  }
};

// Why a head is refused: the status to answer with, and words for a human.
struct HeadProblem {
  int status;
  std::string_view what;
};

// The size of the head at the front of `bytes`, its empty line included; nothing when it is not all
// there yet. `searched` bytes are known not to contain its end.
std::optional<std::size_t> FindHeadEnd(std::string_view bytes, std::size_t searched);

// Whether a request can begin with this byte. Catches a TLS handshake on a plain port at once.
bool CanBeginRequest(char first);

// Parses a whole head as FindHeadEnd found it. Field names are turned to lower case in place. On
// failure `head` is unspecified.
std::optional<HeadProblem> ParseHead(std::span<char> bytes, RequestHead& head);

// Whether `list`, a comma-separated field value, has the token `lower_case`; parameters behind a
// semicolon are ignored, except that q=0 means no.
bool ListsToken(std::string_view list, std::string_view lower_case);

}  // namespace stator::server

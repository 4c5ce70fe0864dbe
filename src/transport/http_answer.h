// The answer to one HTTP/1.1 request: from bytes, in whatever pieces they arrive, to an HttpResponse.
// Strict where leniency would let two readers see different answers (RFC 9112): what is wrong with an
// answer makes it no answer, and its connection is not used again.
//
//   - interim answers (1xx) are skipped; a protocol that was not asked for (101) is refused
//   - the head ends at an empty line; lines end in LF or CRLF, and one that begins with a space goes
//     on with the value before
//   - a body is as long as content-length says, or in chunks, or ends with the connection; none
//     belongs to HEAD, 204 and 304, whatever their heads say
//   - lengths that differ, that are no number, or that stand beside transfer-encoding are refused, and
//     so is every coding but "chunked"
//
// THREADS: one at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/chunked_body.h"
#include "transport/http.h"

namespace stator::transport {

// The lines of a head, one after the other.
class AnswerHead {
 public:
  // What the lines may have, with those of interim answers. Nobody sends as much in earnest.
  static constexpr std::size_t kBytesMax = std::size_t{128} << 10;

  enum class State : std::uint8_t { kIncomplete, kComplete, kMalformed };

  // Takes the next line, with or without its end. Lines behind kComplete are not for this.
  State TakeLine(std::string_view line);

  // REQUIRES: kComplete.
  [[nodiscard]] bool is_chunked() const { return is_chunked_; }
  [[nodiscard]] std::optional<std::uint64_t> content_length() const { return content_length_; }
  [[nodiscard]] bool keeps_connection() const { return keeps_connection_; }

  HttpResponse response;  // all but its body

 private:
  State TakeStatusLine(std::string_view line);
  State TakeField(std::string_view line);
  State Finish();

  bool has_status_line_ = false;
  bool is_http_1_0_ = false;
  bool is_chunked_ = false;
  bool keeps_connection_ = false;
  std::optional<std::uint64_t> content_length_;
  std::size_t bytes_ = 0;
};

class HttpAnswer {
 public:
  enum class State : std::uint8_t { kIncomplete, kComplete, kMalformed, kTooLarge };

  // `is_of_head`: the request's method is HEAD.
  HttpAnswer(bool is_of_head, std::size_t body_bytes_max)
      : is_of_head_(is_of_head), body_bytes_max_(body_bytes_max) {}

  // Takes the next bytes. Must not be called again once it has not said kIncomplete.
  State Take(std::string_view piece);
  // The connection has ended: kComplete or kMalformed.
  [[nodiscard]] State End() const;

  // REQUIRES: kComplete, as do both below.
  [[nodiscard]] HttpResponse& response() { return head_.response; }
  // Whether the connection may carry another exchange: nobody has said that it ends, and nothing
  // stood behind the answer.
  [[nodiscard]] bool keeps_connection() const { return keeps_connection_; }

 private:
  enum class Body : std::uint8_t { kNotYet, kOfLength, kInChunks, kUntilTheEnd };

  State TakeHead(std::string_view& piece);
  State BeginBody();
  State TakeBody(std::string_view piece);
  State TakeChunks(std::string_view piece);
  State Finish(std::size_t bytes_behind);

  const bool is_of_head_;
  const std::size_t body_bytes_max_;
  AnswerHead head_;
  std::string line_;  // the beginning of one whose end has not arrived
  Body body_ = Body::kNotYet;
  std::uint64_t body_left_ = 0;
  std::optional<base::ChunkedBody> chunks_;
  bool keeps_connection_ = false;
};

}  // namespace stator::transport

// The bytes that an endpoint answers with. They must give the same answer however they are cut up on
// their way, within its bounds; and an answer that was read says the same when it is written plainly
// and read again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "transport/http_answer.h"

namespace {

using stator::transport::HttpAnswer;
using stator::transport::HttpResponse;
using State = HttpAnswer::State;

constexpr std::size_t kBodyBytesMax = 4096;

struct Read {
  State state = State::kIncomplete;
  HttpResponse response = {};
  bool keeps_connection = false;
  std::size_t taken = 0;
};

Read ReadAnswer(std::string_view bytes, std::size_t step, bool is_of_head) {
  HttpAnswer answer(is_of_head, kBodyBytesMax);
  Read read;
  while (read.state == State::kIncomplete && read.taken < bytes.size()) {
    const std::string_view piece = bytes.substr(read.taken, step);
    read.state = answer.Take(piece);
    read.taken += piece.size();
  }
  if (read.state == State::kIncomplete) {
    read.state = answer.End();
  }
  CHECK(read.state != State::kIncomplete);
  if (read.state == State::kComplete) {
    read.keeps_connection = answer.keeps_connection();
    read.response = answer.response();
    CHECK(read.response.status >= 200 && read.response.status <= 999);
    CHECK(read.response.body.size() <= kBodyBytesMax);
  }
  return read;
}

bool IsSame(const HttpResponse& left, const HttpResponse& right) {
  return left.status == right.status && left.fields == right.fields && left.body == right.body;
}

bool IsFraming(std::string_view name) {
  return name == "content-length" || name == "transfer-encoding";
}

std::string Written(const HttpResponse& response) {
  std::string bytes = "HTTP/1.1 " + std::to_string(response.status) + "\r\n";
  for (const auto& [name, value] : response.fields) {
    if (!IsFraming(name)) {
      bytes.append(name).append(": ").append(value).append("\r\n");
    }
  }
  return bytes.append("\r\n").append(response.body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::size_t step = 1 + data[0] % 32;
  const bool is_of_head = data[0] >= 0xE0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const Read whole = ReadAnswer(bytes, bytes.size() + 1, is_of_head);
  const Read pieces = ReadAnswer(bytes, step, is_of_head);
  CHECK(whole.state == pieces.state);
  CHECK(IsSame(whole.response, pieces.response));
  // What stands behind the answer may not have been seen.
  CHECK(!whole.keeps_connection || pieces.keeps_connection);
  if (whole.state == State::kComplete) {
    const std::string written = Written(whole.response);
    const Read again = ReadAnswer(written, step, is_of_head);
    CHECK_THAT(again.state == State::kComplete, written);
    HttpResponse expected = whole.response;
    std::erase_if(expected.fields, [](const auto& field) { return IsFraming(field.first); });
    CHECK_THAT(IsSame(again.response, expected), written);
  }
  return 0;
}

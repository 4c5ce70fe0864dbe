#include "transport/http_answer.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/lower_case.h"
#include "transport/line_breaks.h"

namespace stator::transport {
namespace {

// An announced length is believed so far; more memory is taken when its bytes have come.
constexpr std::size_t kReservedMax = std::size_t{256} << 10;
// A reader of JSON wants room behind the last byte; with it from the start nothing is copied later.
constexpr std::size_t kRoomBehind = 64;
constexpr std::size_t kFieldsExpected = 8;

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

bool IsDigit(char character) {
  return character >= '0' && character <= '9';
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower_case) {
  return std::ranges::equal(text, lower_case, {}, base::LowerCaseOf);
}

// Whether the comma-separated `list` has the word.
bool Lists(std::string_view list, std::string_view lower_case) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (EqualsIgnoringCase(Trimmed(list.substr(0, comma)), lower_case)) {
      return true;
    }
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

std::optional<std::uint64_t> LengthIn(std::string_view text) {
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(length)
                                                                  : std::nullopt;
}

}  // namespace

AnswerHead::State AnswerHead::TakeLine(std::string_view line) {
  bytes_ += line.size();
  if (line.ends_with('\n')) {
    line.remove_suffix(1);
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  if (bytes_ > kBytesMax || BreaksLine(line)) {
    return State::kMalformed;
  }
  if (!has_status_line_) {
    return TakeStatusLine(line);
  }
  return line.empty() ? Finish() : TakeField(line);
}

AnswerHead::State AnswerHead::TakeStatusLine(std::string_view line) {
  constexpr std::string_view kVersion = "HTTP/1.";
  constexpr std::size_t kShortest = std::string_view("HTTP/1.1 200").size();
  if (line.size() < kShortest || !line.starts_with(kVersion) || !IsDigit(line[7]) ||
      line[8] != ' ' || (line.size() > kShortest && line[kShortest] != ' ')) {
    return State::kMalformed;
  }
  const std::string_view status = line.substr(9, 3);
  if (!std::ranges::all_of(status, IsDigit) || status.front() == '0') {
    return State::kMalformed;
  }
  response.status = (status[0] - '0') * 100 + (status[1] - '0') * 10 + (status[2] - '0');
  response.fields.reserve(kFieldsExpected);
  is_http_1_0_ = line[7] == '0';
  has_status_line_ = true;
  return State::kIncomplete;
}

AnswerHead::State AnswerHead::TakeField(std::string_view line) {
  if (line.starts_with(' ') || line.starts_with('\t')) {  // The line before goes on here.
    if (response.fields.empty()) {
      return State::kMalformed;
    }
    std::string& value = response.fields.back().second;
    const std::string_view more = Trimmed(line);
    value.append(value.empty() || more.empty() ? "" : " ").append(more);
    return State::kIncomplete;
  }
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, std::min(colon, line.size()));
  if (name.empty() || name.size() == line.size() ||
      name.find_first_of(" \t") != std::string_view::npos) {
    return State::kMalformed;
  }
  response.fields.emplace_back(base::LowerCase(name), Trimmed(line.substr(colon + 1)));
  return State::kIncomplete;
}

AnswerHead::State AnswerHead::Finish() {
  constexpr int kSwitchingProtocols = 101;
  if (response.status < 200) {
    has_status_line_ = false;
    response.fields.clear();
    return response.status == kSwitchingProtocols ? State::kMalformed : State::kIncomplete;
  }
  bool is_closed = false;
  bool is_kept = false;
  for (const auto& [name, value] : response.fields) {
    if (name == "content-length") {
      const std::optional<std::uint64_t> length = LengthIn(value);
      if (!length || content_length_.value_or(*length) != *length) {
        return State::kMalformed;
      }
      content_length_ = length;
    } else if (name == "transfer-encoding") {
      if (is_chunked_ || !EqualsIgnoringCase(value, "chunked")) {
        return State::kMalformed;
      }
      is_chunked_ = true;
    } else if (name == "connection") {
      is_closed = is_closed || Lists(value, "close");
      is_kept = is_kept || Lists(value, "keep-alive");
    }
  }
  // What is before the other end may have believed either.
  if (is_chunked_ && content_length_) {
    return State::kMalformed;
  }
  // HTTP/1.0 knows no chunks: what stands between may not either.
  keeps_connection_ = !is_closed && (!is_http_1_0_ || (is_kept && !is_chunked_));
  return State::kComplete;
}

HttpAnswer::State HttpAnswer::Take(std::string_view piece) {
  if (body_ == Body::kNotYet) {
    const State state = TakeHead(piece);
    if (state != State::kIncomplete || body_ == Body::kNotYet) {
      return state;
    }
  }
  return body_ == Body::kInChunks ? TakeChunks(piece) : TakeBody(piece);
}

HttpAnswer::State HttpAnswer::End() const {
  return body_ == Body::kUntilTheEnd ? State::kComplete : State::kMalformed;
}

// Removes from `piece` what belongs to the head.
HttpAnswer::State HttpAnswer::TakeHead(std::string_view& piece) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    if (end == std::string_view::npos) {
      line_.append(piece);
      piece = {};
      return line_.size() > AnswerHead::kBytesMax ? State::kMalformed : State::kIncomplete;
    }
    std::string_view line = piece.substr(0, end + 1);
    piece.remove_prefix(line.size());
    if (!line_.empty()) {
      line = line_.append(line);
    }
    const AnswerHead::State state = head_.TakeLine(line);
    line_.clear();
    if (state == AnswerHead::State::kMalformed) {
      return State::kMalformed;
    }
    if (state == AnswerHead::State::kComplete) {
      const State begun = BeginBody();
      return begun == State::kComplete ? Finish(piece.size()) : begun;
    }
  }
  return State::kIncomplete;
}

// kComplete when the head is all.
HttpAnswer::State HttpAnswer::BeginBody() {
  const int status = head_.response.status;
  if (is_of_head_ || status == 204 || status == 304) {
    return State::kComplete;
  }
  if (head_.is_chunked()) {
    body_ = Body::kInChunks;
    chunks_.emplace(body_bytes_max_);
  } else if (const std::optional<std::uint64_t> length = head_.content_length()) {
    if (*length == 0) {
      return State::kComplete;
    }
    if (*length > body_bytes_max_) {
      return State::kTooLarge;
    }
    body_ = Body::kOfLength;
    body_left_ = *length;
    head_.response.body.reserve(std::min<std::size_t>(*length, kReservedMax) + kRoomBehind);
  } else {
    body_ = Body::kUntilTheEnd;
  }
  return State::kIncomplete;
}

HttpAnswer::State HttpAnswer::TakeBody(std::string_view piece) {
  std::string& body = head_.response.body;
  if (body_ == Body::kUntilTheEnd) {
    if (piece.size() > body_bytes_max_ - body.size()) {
      return State::kTooLarge;
    }
    body.append(piece);
    return State::kIncomplete;
  }
  const std::string_view part = piece.substr(0, std::min<std::uint64_t>(body_left_, piece.size()));
  body.append(part);
  body_left_ -= part.size();
  return body_left_ == 0 ? Finish(piece.size() - part.size()) : State::kIncomplete;
}

HttpAnswer::State HttpAnswer::TakeChunks(std::string_view piece) {
  std::string& body = head_.response.body;
  body.append(piece);
  switch (chunks_->Decode(body.data(), body.size())) {
    case base::ChunkedBody::State::kIncomplete:
      body.resize(chunks_->Compact(body.data(), body.size()));
      return State::kIncomplete;
    case base::ChunkedBody::State::kComplete: {
      const std::size_t bytes_behind = body.size() - chunks_->raw_begin();
      body.resize(chunks_->decoded());
      return Finish(bytes_behind);
    }
    case base::ChunkedBody::State::kTooLarge:
      return State::kTooLarge;
    case base::ChunkedBody::State::kMalformed:
      break;
  }
  return State::kMalformed;
}

HttpAnswer::State HttpAnswer::Finish(std::size_t bytes_behind) {
  keeps_connection_ = head_.keeps_connection() && bytes_behind == 0;
  return State::kComplete;
}

}  // namespace stator::transport

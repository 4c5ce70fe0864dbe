#include "transport/exchange.h"

#include <algorithm>
#include <array>
#include <string>

#include "transport/request_head.h"

namespace stator::transport {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{32} << 10;

std::unexpected<Error> Failed(ErrorCode code, const char* why) {
  return std::unexpected(
      Error{.code = code, .message = std::string("HTTP request failed: ") + why});
}

}  // namespace

Result<HttpResponse> Exchange::Run(Duration deadline) {
  WriteDown();
  while (true) {
    SendSome();
    if (cannot_send_ && !has_sent_ && !connection_.may_hold_bytes()) {
      return Failed(ErrorCode::kUnavailable, "the connection was lost before anything was sent");
    }
    const bool sends = !together_.empty() || !rest_.empty();
    Outcome outcome = Outcome::kMore;
    if (connection_.may_hold_bytes()) {
      outcome = ReceiveSome();
    }
    if (outcome == Outcome::kMore) {
      const Duration left = deadline - SystemClock().Elapsed();
      if (left <= Duration::zero()) {
        return Failed(ErrorCode::kTimeout, "no answer in time");
      }
      if (connection_.Wait(sends, left) == CurlConnection::Ready::kNo) {
        continue;
      }
      outcome = ReceiveSome();
    }
    if (outcome != Outcome::kMore) {
      return End(outcome);
    }
  }
}

void Exchange::WriteDown() {
  const Route& route = connection_.route();
  std::string& buffer = connection_.buffer();
  buffer.clear();
  AppendHead(request_, route, buffer);
  const std::string_view beginning = request_.body.substr(0, kTogetherMax);
  buffer.append(beginning);
  together_ = buffer;
  rest_ = request_.body.substr(beginning.size());
}

void Exchange::SendSome() {
  while (!cannot_send_ && !(together_.empty() && rest_.empty())) {
    std::string_view& next = together_.empty() ? rest_ : together_;
    const auto sent = connection_.Send(next);
    if (!sent) {
      if (sent.error() == CurlConnection::Failure::kNotNow) {
        return;
      }
      // The other end may have answered and closed; what it said can still be read.
      cannot_send_ = true;
      together_ = {};
      rest_ = {};
      return;
    }
    has_sent_ = has_sent_ || *sent > 0;
    next.remove_prefix(*sent);
  }
}

Exchange::Outcome Exchange::ReceiveSome() {
  std::array<char, kPieceBytes> piece;
  while (true) {
    const auto received = connection_.Receive(piece.data(), piece.size());
    if (!received) {
      return received.error() == CurlConnection::Failure::kNotNow ? Outcome::kMore : Outcome::kLost;
    }
    const HttpAnswer::State state =
        *received == 0 ? answer_.End() : answer_.Take(std::string_view(piece.data(), *received));
    switch (state) {
      case HttpAnswer::State::kComplete:
        return Outcome::kAnswered;
      case HttpAnswer::State::kTooLarge:
        return Outcome::kTooLarge;
      case HttpAnswer::State::kMalformed:
        return *received == 0 ? Outcome::kCutOff : Outcome::kNoHttp;
      case HttpAnswer::State::kIncomplete:
        break;
    }
    has_received_ = true;
    if (*received < piece.size() && !connection_.may_hold_bytes()) {
      return Outcome::kMore;  // That was all; another call would only say so.
    }
  }
}

Result<HttpResponse> Exchange::End(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAnswered:
      break;
    case Outcome::kTooLarge:
      return Failed(ErrorCode::kIo, "the answer is too large");
    case Outcome::kNoHttp:
      return Failed(ErrorCode::kIo, "the answer is not HTTP");
    default:
      return Failed(ErrorCode::kIo, has_received_
                                        ? "the connection was closed in the middle of the answer"
                                        : "the connection was closed without an answer");
  }
  const bool was_sent = together_.empty() && rest_.empty() && !cannot_send_;
  keeps_connection_ = was_sent && answer_.keeps_connection();
  return std::move(answer_.response());
}

}  // namespace stator::transport

#include "grpc/connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/probe.h"

namespace stator::grpc {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// What is given to the socket at once.
constexpr std::size_t kWriteBytes = 64 * 1024;
// The next piece is asked for when less than this is left of those before.
constexpr std::size_t kLowWaterBytes = 16 * 1024;

bool IsProtobuf(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  return type == "application/grpc" || type == "application/grpc+proto";
}

}  // namespace

Connection::Connection(Connections& all, asio::ip::tcp::socket socket)
    : all_(&all),
      socket_(std::move(socket)),
      session_(*this, {.streams = all.limits().streams,
                       .header_list_bytes = all.limits().header_list_bytes}),
      idle_since_(all.Now()),
      resets_(all.limits().resets_at_once, all.limits().resets_per_second, all.Now()) {}

void Connection::Start() {
  Flush();
  Read();
}

void Connection::Read() {
  if (phase_ == Phase::kDropped) {
    return;
  }
  socket_.async_read_some(asio::buffer(in_),
                          [self = shared_from_this()](const error_code& error, std::size_t size) {
                            self->OnRead(error ? 0 : size);
                          });
}

void Connection::OnRead(std::size_t size) {
  if (size == 0) {
    Drop();
    return;
  }
  if (phase_ == Phase::kOpen) {
    if (!session_.Receive({in_.data(), size})) {
      BeginClosing();
    }
    Flush();
  }
  Read();
}

void Connection::BeginClosing() {
  phase_ = Phase::kClosing;
  for (const auto& [id, stream] : streams_) {
    Release(*stream);
    stream->status = Status{StatusCode::kUnavailable};
  }
}

void Connection::Flush() {
  if (is_writing_ || phase_ == Phase::kLingering || phase_ == Phase::kDropped) {
    return;
  }
  out_.clear();
  const bool was_over = session_.IsOver();
  if (!was_over && !session_.FillOutput(kWriteBytes, out_)) {
    BeginClosing();
  }
  if (out_.empty()) {
    if (was_over || phase_ == Phase::kClosing || session_.IsOver() ||
        (finishing_ && streams_.empty())) {
      Linger();
    }
    return;
  }
  is_writing_ = true;
  write_began_ = all_->Now();
  asio::async_write(socket_, asio::buffer(out_),
                    [self = shared_from_this()](const error_code& error, std::size_t) {
                      self->is_writing_ = false;
                      error ? self->Drop() : self->Flush();
                    });
}

void Connection::Linger() {
  error_code ignored;
  (void)socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  phase_ = Phase::kLingering;
  lingers_since_ = all_->Now();
}

void Connection::Drop() {
  if (phase_ == Phase::kDropped) {
    return;
  }
  phase_ = Phase::kDropped;
  const std::shared_ptr<Connection> self = shared_from_this();
  error_code ignored;
  (void)socket_.close(ignored);
  for (const auto& [id, stream] : std::exchange(streams_, {})) {
    Release(*stream);
    stream->connection = nullptr;
  }
  all_->Remove(self);
}

void Connection::CheckTimes(Duration now) {
  const Limits& limits = all_->limits();
  if ((phase_ == Phase::kLingering && now - lingers_since_ >= limits.linger_time) ||
      (is_writing_ && now - write_began_ >= limits.write_time)) {
    Drop();
    return;
  }
  if (phase_ != Phase::kOpen) {
    return;
  }
  const Duration longest = has_request_ ? limits.idle_time : limits.first_request_time;
  bool is_late = streams_.empty() && now - idle_since_ >= longest;
  for (const auto& [id, stream] : streams_) {
    if (stream->is_whole || stream->status || now - stream->began_at < limits.request_time) {
      continue;
    }
    if (stream->has_head) {
      Refuse(*stream, {StatusCode::kDeadlineExceeded, "the request did not come in time"});
    } else {
      is_late = true;  // Nobody can be answered in the middle of a head.
    }
  }
  if (is_late) {
    session_.Terminate(Http2Error::kNone);
  }
  Flush();
}

void Connection::Finish() {
  if (phase_ != Phase::kOpen) {
    return;
  }
  finishing_ = true;
  session_.SubmitGoAway();
  for (const auto& [id, stream] : streams_) {
    if (stream->call != nullptr) {
      stream->call->EndSoon();
    }
  }
  Flush();
}

std::shared_ptr<Stream> Connection::Find(StreamId id) const {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second;
}

std::shared_ptr<Stream> Connection::FindSlowest() const {
  std::shared_ptr<Stream> slowest;
  for (const auto& [id, stream] : streams_) {
    if (stream->unsent() > 0 &&
        (slowest == nullptr || stream->progress_at < slowest->progress_at)) {
      slowest = stream;
    }
  }
  return slowest;
}

void Connection::OnBegin(StreamId id) {
  has_request_ = true;
  streams_.emplace(id,
                   std::make_shared<Stream>(*this, id, all_->limits().message_bytes, all_->Now()));
}

bool Connection::OnHeader(StreamId id, std::string_view name, std::string_view value) {
  const std::shared_ptr<Stream> stream = Find(id);
  if (stream == nullptr) {
    return true;
  }
  constexpr std::size_t kBytesPerHeader = 32;  // as HTTP/2 counts them
  stream->header_bytes += name.size() + value.size() + kBytesPerHeader;
  if (stream->header_bytes > all_->limits().header_list_bytes) {
    return false;
  }
  if (name == ":method") {
    stream->http_method = value;
  } else if (name == ":path") {
    stream->method = value;
  } else if (name == "content-type") {
    stream->content_type = value;
  }
  return true;
}

void Connection::OnHeadersEnd(StreamId id) {
  const std::shared_ptr<Stream> stream = Find(id);
  if (stream == nullptr) {
    return;
  }
  stream->has_head = true;
  if (stream->http_method != "POST") {
    RefuseAsHttp(*stream, 405);
  } else if (!IsProtobuf(stream->content_type)) {
    RefuseAsHttp(*stream, 415);
  } else if (!all_->handler().Has(stream->method)) {
    Refuse(*stream, {StatusCode::kUnimplemented, "there is no method " + stream->method});
  }
}

void Connection::OnData(StreamId id, std::string_view bytes) {
  const std::shared_ptr<Stream> stream = Find(id);
  if (stream == nullptr || stream->status) {
    return;
  }
  const std::size_t before = stream->reader.size();
  if (const std::optional<Status> problem = stream->reader.Take(bytes)) {
    Refuse(*stream, *problem);
    return;
  }
  const std::size_t more = stream->reader.size() - before;
  if (!all_->ChargeRequest(more)) {
    Refuse(*stream, {StatusCode::kResourceExhausted, "too many large requests at once"});
    return;
  }
  stream->charged += more;
}

void Connection::OnRequestEnd(StreamId id) {
  const std::shared_ptr<Stream> stream = Find(id);
  if (stream == nullptr || stream->is_whole) {
    return;
  }
  stream->is_whole = true;
  if (stream->status) {
    return;
  }
  if (const std::optional<Status> problem = stream->reader.End()) {
    Refuse(*stream, *problem);
    return;
  }
  stream->call = all_->handler().Begin(stream->method, stream->reader.TakeMessage());
  AskNext(stream);
}

void Connection::OnReset() {
  if (phase_ == Phase::kOpen && resets_.Count(all_->Now())) {
    PROBE("a client of gRPC breaks off too many calls");
    BeginClosing();
    session_.Terminate(Http2Error::kEnhanceYourCalm);
  }
}

void Connection::OnClose(StreamId id) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) {
    return;
  }
  Release(*found->second);
  found->second->connection = nullptr;
  streams_.erase(found);
  idle_since_ = all_->Now();
}

void Connection::Release(Stream& stream) {
  all_->ReturnRequest(std::exchange(stream.charged, 0));
  all_->ReturnUnsent(stream.unsent());
  stream.out = std::string();
  stream.sent = 0;
  if (const std::shared_ptr<Call> call = std::exchange(stream.call, nullptr);
      call != nullptr && !stream.status) {
    call->Cancel();
  }
}

void Connection::AskNext(const std::shared_ptr<Stream>& stream) {
  if (stream->call == nullptr || stream->was_asked || stream->status ||
      stream->unsent() >= kLowWaterBytes) {
    return;
  }
  stream->was_asked = true;
  stream->call->Next([mailbox = all_->mailbox(), weak = std::weak_ptr(stream)](Piece piece) {
    mailbox->Put(weak, std::move(piece));
  });
}

void Connection::Deliver(const std::shared_ptr<Stream>& stream, Piece piece) {
  stream->was_asked = false;
  if (stream->call == nullptr || stream->status) {
    return;
  }
  if (!piece.message && piece.status && !stream->has_begun) {
    Refuse(*stream, *piece.status);
    Flush();
    return;
  }
  stream->status = std::move(piece.status);
  if (!stream->has_begun) {
    stream->has_begun = true;
    session_.SubmitHeaders(stream->id, {{":status", "200"}, {"content-type", "application/grpc"}},
                           /*has_body=*/true);
  }
  if (piece.message) {
    if (stream->unsent() == 0) {
      stream->progress_at = all_->Now();
    }
    stream->out.erase(0, std::exchange(stream->sent, 0));
    const std::size_t before = stream->out.size();
    AppendFramed(*piece.message, stream->out);
    all_->ChargeUnsent(stream->out.size() - before);
  }
  session_.ResumeBody(stream->id);
  AskNext(stream);
  Flush();
}

Http2Session::Taken Connection::TakeBody(StreamId id, std::span<char> room) {
  const std::shared_ptr<Stream> stream = Find(id);
  if (stream == nullptr) {
    return {.is_last = true};
  }
  const std::size_t count = std::min(room.size(), stream->unsent());
  std::copy_n(stream->out.data() + stream->sent, count, room.data());
  stream->sent += count;
  stream->progress_at = all_->Now();
  all_->ReturnUnsent(count);
  if (stream->unsent() == 0) {
    stream->out.clear();
    stream->sent = 0;
  }
  AskNext(stream);
  const bool is_last = stream->status && stream->unsent() == 0;
  if (is_last) {
    session_.SubmitTrailers(id, TrailersOf(*stream->status));
  }
  return {.bytes = count, .is_last = is_last};
}

void Connection::Refuse(Stream& stream, const Status& status) {
  stream.status = status;
  HeaderList headers = {{":status", "200"}, {"content-type", "application/grpc"}};
  if (status.code == StatusCode::kUnimplemented) {
    headers.emplace_back("grpc-accept-encoding", "identity");
  }
  for (auto& trailer : TrailersOf(status)) {
    headers.push_back(std::move(trailer));
  }
  session_.SubmitHeaders(stream.id, headers, /*has_body=*/false);
  // The call was not begun, or has given its end.
  Release(stream);
}

void Connection::RefuseAsHttp(Stream& stream, int http_status) {
  stream.status = Status{StatusCode::kUnknown};
  session_.SubmitHeaders(stream.id, {{":status", std::to_string(http_status)}},
                         /*has_body=*/false);
}

void Connection::CutOff(Stream& stream) {
  session_.SubmitReset(stream.id, Http2Error::kEnhanceYourCalm);
  Release(stream);
  stream.status = Status{StatusCode::kResourceExhausted};
  Flush();
}

}  // namespace stator::grpc

#include "server/connection.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <span>
#include <utility>
#include <variant>

#include "base/free_memory.h"
#include "base/spare_text.h"
#include "base/work.h"
#include "server/crc32.h"
#include "server/routes.h"
#include "wire/error_names.h"

namespace stator::server {
namespace {

// Says which moment of the past was read.
std::string AsOfLine(const wire::Answer& answer) {
  return answer.as_of ? std::string(wire::kAsOfField) + ": " +
                            std::to_string(answer.as_of->time_since_epoch().count()) + "\r\n"
                      : std::string();
}

constexpr std::size_t kCodedBytesMin = 4096;              // answers from this size are compressed
constexpr std::size_t kUncountedBytes = 64 * 1024;        // memory that any connection may have
constexpr std::size_t kLongBytes = 128 * 1024;            // bodies and answers above go elsewhere
constexpr std::size_t kReadBytesMin = 4096;               // room for a read of a chunked body
constexpr int kServedInARowMax = 32;                      // then other connections get their turn
constexpr Duration kLookAfter = std::chrono::seconds(1);  // whether the client is still there
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

// Given to the handler; keeps the connection until the answer is there.
class Connection::Completion {
 public:
  explicit Completion(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}
  Completion(Completion&&) noexcept = default;
  Completion& operator=(Completion&&) = delete;
  ~Completion() {
    if (connection_) {
      Send(wire::AnswerFor(
          {.code = ErrorCode::kInternal, .message = "The request was not answered"}));
    }
  }

  void operator()(wire::Answer answer) {
    if (connection_) {
      Send(std::move(answer));
    }
  }

 private:
  void Send(wire::Answer answer) {
    const std::shared_ptr<Connection> connection = std::move(connection_);
    Worker& worker = *connection->worker_;
    if (worker.IsCurrentThread() && connection->in_handler_) {
      connection->answer_at_once_ = std::move(answer);
    } else {
      worker.Complete(connection, std::move(answer));
    }
  }

  std::shared_ptr<Connection> connection_;
};

Connection::Connection(std::shared_ptr<Worker> worker, std::unique_ptr<Socket> socket,
                       std::string remote)
    : worker_(std::move(worker)), socket_(std::move(socket)), remote_(std::move(remote)) {}

Connection::~Connection() {
  ReturnMemory();
}

void Connection::Start() {
  waiting_since_ = worker_->Tick();
  deadline_ = waiting_since_ + worker_->server().options.limits.head_time;
  socket_->Open(shared_from_this());
}

void Connection::TurnAway() {
  turned_away_ = true;
  Start();
}

bool Connection::CanBeMissed() const {
  return phase_ == Phase::kOpening || phase_ == Phase::kHead || phase_ == Phase::kBody ||
         phase_ == Phase::kContinuing || phase_ == Phase::kLingering;
}

void Connection::TakeAnswer(wire::Answer answer) {
  if (phase_ != Phase::kHandling) {
    return;  // Dropped in the meantime.
  }
  SetReply(std::move(answer));
  phase_ = Phase::kReply;
  Advance();
}

void Connection::Finish() {
  finishing_ = true;
  if (IsIdle() || phase_ == Phase::kOpening) {
    Drop();
  }
}

void Connection::Drop() {
  if (phase_ == Phase::kClosed) {
    return;
  }
  phase_ = Phase::kClosed;
  gone_ = true;
  socket_->Close();
  ReturnMemory();
  worker_->Remove(*this);
}

void Connection::DropIfLate(Duration now) {
  if (now >= deadline_) {
    worker_->server().timed_out.Add();
    Drop();
  }
}

void Connection::DropIfGone(Duration now) {
  if (phase_ == Phase::kHandling && now >= started_ + kLookAfter && socket_->PeerIsGone()) {
    worker_->server().hung_up.Add();
    Drop();
  }
}

void Connection::OnOpen(bool ok) {
  if (phase_ != Phase::kOpening) {
    return;
  }
  if (!ok) {
    Drop();
    return;
  }
  phase_ = Phase::kHead;
  Advance();
}

void Connection::OnRead(std::size_t count) {
  if (phase_ == Phase::kClosed) {
    return;
  }
  if (count == 0) {
    Drop();
    return;
  }
  worker_->Tick();
  worker_->counts().bytes_received.Add(count);
  buffer_.Advance(count);
  served_in_a_row_ = 0;
  Advance();
}

void Connection::OnWritten(bool ok) {
  if (phase_ == Phase::kClosed) {
    return;
  }
  if (!ok) {
    Drop();
    return;
  }
  worker_->Tick();
  phase_ = phase_ == Phase::kContinuing ? Phase::kBody : Phase::kSent;
  Advance();
}

void Connection::Advance() {
  bool goes_on = true;
  while (goes_on) {
    switch (phase_) {
      case Phase::kHead:
        goes_on = ReadHead();
        break;
      case Phase::kBody:
        goes_on = ReadBody();
        break;
      case Phase::kReady:
        goes_on = Serve();
        break;
      case Phase::kReply:
        goes_on = SendReply();
        break;
      case Phase::kSent:
        goes_on = FinishRequest();
        break;
      default:
        return;
    }
  }
}

bool Connection::ReadHead() {
  const Limits& limits = worker_->server().options.limits;
  if (turned_away_) {
    return Refuse(ErrorPage({.code = ErrorCode::kUnavailable, .message = "Too many connections"}));
  }
  SkipEmptyLines();
  const std::string_view bytes = buffer_.bytes();
  if (bytes.empty()) {
    if (!std::exchange(idles_, true)) {  // Empty lines do not make it younger.
      waiting_since_ = worker_->now();
      deadline_ = worker_->now() + limits.idle_time;
    }
    return WaitForBytes();
  }
  if (!std::exchange(begun_, true)) {
    waiting_since_ = has_served_ ? worker_->now() : waiting_since_;
    deadline_ = worker_->now() + limits.head_time;
    if (!CanBeginRequest(bytes.front())) {
      return Refuse(RefusalPage(400, "this is not HTTP"));
    }
  }
  const std::optional<std::size_t> size = FindHeadEnd(bytes, searched_);
  if (size.value_or(bytes.size()) > limits.header_bytes) {
    return Refuse(RefusalPage(400, "the head of the request is too large"));
  }
  if (!size) {
    searched_ = bytes.size();
    return WaitForBytes();
  }
  head_size_ = *size;
  RequestHead& head = worker_->head();
  if (const auto problem = ParseHead(std::span(buffer_.data(), head_size_), head)) {
    return Refuse(RefusalPage(problem->status, problem->what));
  }
  head_is_fresh_ = true;
  framing_ = head.framing;
  expects_continue_ = head.expects_continue;
  is_http_1_0_ = head.is_http_1_0;
  if (framing_.content_length > limits.body_bytes) {
    return Refuse(RefusalPage(413, "the body is too large"));
  }
  if (framing_.chunked) {
    chunked_.emplace(limits.body_bytes);
  }
  deadline_ = worker_->now() + limits.request_time;
  phase_ = Phase::kBody;
  return true;
}

bool Connection::ReadBody() {
  if (framing_.chunked) {
    return ReadChunks();
  }
  const std::size_t total = head_size_ + framing_.content_length;
  if (buffer_.filled() < total) {
    return WaitForBody(total);
  }
  payload_size_ = framing_.content_length;
  request_size_ = total;
  phase_ = Phase::kReady;
  return true;
}

bool Connection::ReadChunks() {
  char* const body = buffer_.data() + head_size_;
  const std::size_t filled = buffer_.filled() - head_size_;
  switch (chunked_->Decode(body, filled)) {
    case base::ChunkedBody::State::kComplete:
      payload_size_ = chunked_->decoded();
      request_size_ = head_size_ + chunked_->raw_begin();
      phase_ = Phase::kReady;
      return true;
    case base::ChunkedBody::State::kMalformed:
      return Refuse(RefusalPage(400, "the chunks of the body are malformed"));
    case base::ChunkedBody::State::kTooLarge:
      return Refuse(RefusalPage(413, "the body is too large"));
    case base::ChunkedBody::State::kIncomplete:
      break;
  }
  buffer_.Truncate(head_size_ + chunked_->Compact(body, filled));
  return WaitForBody(buffer_.filled() + kReadBytesMin);
}

bool Connection::Serve() {
  if (payload_size_ > kLongBytes) {
    return ServeElsewhere();
  }
  RequestHead& head = worker_->head();
  if (!std::exchange(head_is_fresh_, false)) {
    // Other requests were read meanwhile, and the buffer may have moved.
    ParseHead(std::span(buffer_.data(), head_size_), head);
  }
  if (const Pages* const pages = worker_->server().options.pages;
      pages != nullptr && head.path.size() > 1 && pages->Waits(head.path)) {
    return ServeElsewhere();
  }
  started_ = worker_->now();
  deadline_ = Duration::max();
  const std::string_view payload(buffer_.data() + head_size_, payload_size_);
  auto dispatched = worker_->dispatcher().Dispatch(head, payload, context_);
  if (auto* const page = std::get_if<Page>(&dispatched)) {
    SetReply(std::move(*page));
    phase_ = Phase::kReply;
    return true;
  }
  phase_ = Phase::kHandling;
  const base::WorkScope scope({.share = base::kServingShare, .may_wait = false});
  in_handler_ = true;
  Handle(std::get<wire::Request>(dispatched));
  in_handler_ = false;
  if (scope.wanted_threads()) {
    answer_at_once_.reset();
    return HandleElsewhere(*scope.wanted_threads(), std::get<wire::Request>(dispatched));
  }
  if (!answer_at_once_) {
    return false;
  }
  SetReply(*std::exchange(answer_at_once_, std::nullopt));
  phase_ = Phase::kReply;
  return true;
}

void Connection::Handle(const wire::Request& request) {
  try {
    worker_->server().handler.Handle(request, Completion(shared_from_this()));
  } catch (const std::exception&) {
    // The completion, destroyed on the way here, has answered.
    worker_->server().handler_throws.Add();
  }
}

// Checks the signature, unpacks and handles in the pool.
bool Connection::ServeElsewhere() {
  started_ = worker_->now();
  deadline_ = Duration::max();
  phase_ = Phase::kHandling;
  worker_->server().executor.Post(
      base::Threads::kPool,
      [this, self = shared_from_this(), dispatcher = worker_->dispatcher()]() mutable {
        const base::WorkScope scope({.gone = &gone_});
        if (gone_) {
          return;
        }
        RequestHead head;
        ParseHead(std::span(buffer_.data(), head_size_), head);
        const std::string_view payload(buffer_.data() + head_size_, payload_size_);
        auto dispatched = dispatcher.Dispatch(head, payload, context_);
        if (auto* const page = std::get_if<Page>(&dispatched)) {
          worker_->Post([this, self, page = std::move(*page)]() mutable {
            if (phase_ == Phase::kHandling) {
              SetReply(std::move(page));
              phase_ = Phase::kReply;
              Advance();
            }
          });
          return;
        }
        Handle(std::get<wire::Request>(dispatched));
      });
  return false;
}

// Begins the request again where it holds up nobody.
bool Connection::HandleElsewhere(base::Threads threads, const wire::Request& request) {
  worker_->server().moved.Add();
  worker_->server().executor.Post(threads, [this, self = shared_from_this(), request] {
    const base::WorkScope scope({.gone = &gone_});
    if (!gone_) {
      Handle(request);
    }
  });
  return false;
}

bool Connection::SendReply() {
  ServerState& server = worker_->server();
  if (!reply_.is_coded && !HasRoomForReply()) {
    server.answers_refused.Add();
    SetReply(
        ErrorPage({.code = ErrorCode::kUnavailable, .message = "Too many large answers at once"}));
  }
  if (!reply_.is_coded && reply_.body.size() > kLongBytes) {
    phase_ = Phase::kCoding;
    server.executor.Post(base::Threads::kPool, [this, self = shared_from_this()] {
      Compressor compressor;
      CodeReply(compressor);
      worker_->Post([this, self] {
        if (phase_ == Phase::kCoding) {
          phase_ = Phase::kReply;
          Advance();
        }
      });
    });
    return false;
  }
  if (!reply_.is_coded) {
    CodeReply(worker_->compressor());
  }
  context_.keep_alive = context_.keep_alive && !finishing_ && !server.stopping;
  Account();
  deadline_ = worker_->now() + server.options.limits.write_time;
  phase_ = Phase::kSending;
  const std::string_view body = context_.is_head ? std::string_view() : reply_.body;
  if (!socket_->Write(shared_from_this(), reply_head_, body)) {
    return false;
  }
  phase_ = Phase::kSent;
  return true;
}

// Takes memory for a large answer from the budget. A write has happened and is told in any case.
bool Connection::HasRoomForReply() {
  const std::size_t bytes = reply_.body.size();
  if (bytes <= kUncountedBytes) {
    return true;
  }
  if (reply_.write_units == 0 && !worker_->server().budget.TryTake(bytes)) {
    return false;
  }
  if (reply_.write_units != 0) {
    worker_->server().budget.Take(bytes);
  }
  charged_ += bytes;
  return true;
}

void Connection::CodeReply(Compressor& compressor) {
  if (context_.answer_coding != ContentCoding::kIdentity && reply_.content_encoding.empty() &&
      reply_.body.size() >= kCodedBytesMin) {
    reply_.body = compressor.Compress(reply_.body, context_.answer_coding);
    reply_.content_encoding = NameOf(context_.answer_coding);
  }
  reply_.crc32 = Crc32(reply_.body);
  reply_.is_coded = true;
}

bool Connection::FinishRequest() {
  buffer_.Consume(request_size_);
  buffer_.Shrink();
  ReturnMemory();
  if (buffer_.capacity() > kUncountedBytes) {
    Charge(buffer_.capacity() - kUncountedBytes);  // Full of requests that follow.
  }
  base::KeepSpareText(std::exchange(reply_.body, {}));
  context_.inflated_body = {};
  searched_ = 0;
  begun_ = false;
  idles_ = false;
  has_served_ = true;
  chunked_.reset();
  if (!context_.keep_alive || finishing_) {
    phase_ = Phase::kLingering;
    deadline_ = worker_->now() + worker_->server().options.limits.linger_time;
    socket_->Linger(shared_from_this());
    return false;
  }
  phase_ = Phase::kHead;
  if (++served_in_a_row_ >= kServedInARowMax && buffer_.filled() > 0) {
    served_in_a_row_ = 0;
    worker_->Resume(shared_from_this());
    return false;
  }
  return true;
}

bool Connection::WaitForBytes() {
  if (buffer_.room().empty() && !Grow(2 * buffer_.capacity())) {
    return RefuseForMemory();
  }
  head_is_fresh_ = false;
  socket_->Read(shared_from_this(), buffer_.room());
  return false;
}

bool Connection::WaitForBody(std::size_t total) {
  if (expects_continue_ && buffer_.filled() == head_size_) {
    expects_continue_ = false;
    phase_ = Phase::kContinuing;
    if (!socket_->Write(shared_from_this(), kContinue, {})) {
      return false;
    }
    phase_ = Phase::kBody;
  }
  // As far as the client got, not as far as it promises.
  const std::size_t step = std::max(2 * buffer_.capacity(), kUncountedBytes);
  if (total > buffer_.capacity() && !Grow(std::min(total, step))) {
    return RefuseForMemory();
  }
  return WaitForBytes();
}

bool Connection::Grow(std::size_t capacity) {
  if (capacity > kUncountedBytes) {
    const std::size_t more = capacity - std::max(buffer_.capacity(), kUncountedBytes);
    if (!worker_->server().budget.TryTake(more)) {
      return false;
    }
    charged_ += more;
  }
  buffer_.Reserve(capacity);
  return true;
}

bool Connection::Refuse(Page page) {
  SetReply(std::move(page));
  context_ = {};
  context_.keep_alive = false;
  started_ = worker_->now();
  request_size_ = buffer_.filled();
  phase_ = Phase::kReply;
  return true;
}

bool Connection::RefuseForMemory() {
  return Refuse(
      ErrorPage({.code = ErrorCode::kUnavailable, .message = "Too many large requests at once"}));
}

void Connection::SkipEmptyLines() {
  // Some clients send one behind a body (RFC 9112, 2.2).
  const std::size_t text = std::min(buffer_.bytes().find_first_not_of("\r\n"), buffer_.filled());
  if (!begun_ && text > 0) {
    buffer_.Consume(text);
  }
}

void Connection::SetReply(Page page) {
  reply_ = {.status = page.status,
            .body = std::move(page.body),
            .content_type = page.content_type,
            .content_encoding = page.content_encoding,
            .fields = std::move(page.fields),
            .operation = {},
            .outcome = page.outcome};
}

void Connection::SetReply(wire::Answer answer) {
  KeepForInspector(answer.body);
  reply_ = {
      .status = context_.is_route ? StatusOfRoute(answer.status, answer.error) : answer.status,
      .body = std::move(answer.body),
      .content_type = context_.content_type,
      .content_encoding = {},
      .fields = AsOfLine(answer),
      .operation = answer.operation,
      .outcome = answer.error.empty() ? "ok" : answer.error,
      .read_units = answer.read_units,
      .write_units = answer.write_units};
}

void Connection::Charge(std::size_t bytes) {
  worker_->server().budget.Take(bytes);
  charged_ += bytes;
}

void Connection::ReturnMemory() {
  ServerState& server = worker_->server();
  const std::size_t bytes = std::exchange(charged_, 0);
  server.budget.Return(bytes);
  if (bytes > 0 && !server.stopping && server.CountFreed(bytes)) {
    server.executor.Post(base::Threads::kPool, &base::ReturnFreeMemory);
  }
}

}  // namespace stator::server

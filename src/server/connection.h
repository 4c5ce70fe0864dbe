// One client's connection: reads requests within limits, has them served one after the other, and
// writes the answers. Pipelined requests wait in the buffer and are answered in order.
//
// A request whose handler answers at once never leaves this thread, nor the stack. One that is
// answered later leaves the connection in kHandling, with nothing to read or write, until the
// answer comes back through the worker. What is long does not run here at all: bodies and answers
// above kLongBytes, and requests that use up their share of this thread (base/work.h) or have to
// wait, go to the server's executor; meanwhile the buffer, the context and the reply belong to
// the thread there.
//
// THREADS: the worker's, except for the completion that handlers get.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/chunked_body.h"
#include "base/executor.h"
#include "server/buffer.h"
#include "server/dispatch.h"
#include "server/http_request.h"
#include "server/socket.h"
#include "server/worker.h"
#include "stator/base/clock.h"
#include "wire/exchange.h"

namespace stator::server {

class Connection final : public SocketUser, public std::enable_shared_from_this<Connection> {
 public:
  // `remote` is the other end's address, for the log.
  Connection(std::shared_ptr<Worker> worker, std::unique_ptr<Socket> socket, std::string remote);
  ~Connection() override;

  void Start();

  // Instead of Start: says that there are too many, and ends.
  void TurnAway();

  // Goes on after others had their turn.
  void Resume() { Advance(); }

  // What the handler said.
  void TakeAnswer(wire::Answer answer);

  // Ends after the request under way, at once when there is none.
  void Finish();

  void Drop();
  void DropIfLate(Duration now);
  // A request that takes long is given up when its client has gone.
  void DropIfGone(Duration now);

  [[nodiscard]] bool IsIdle() const { return phase_ == Phase::kHead && buffer_.filled() == 0; }

  // Whether nothing that was asked for is lost with it: it idles, or is still asking.
  [[nodiscard]] bool CanBeMissed() const;

  // Since when it waits for its client: to ask, or to go on asking. Who waits longest gives way
  // when there are too many, so that nobody who asks at once is kept out by those who do not.
  [[nodiscard]] Duration waiting_since() const { return waiting_since_; }

  // Its place in the worker's list.
  std::size_t place = 0;

  void OnOpen(bool ok) override;
  void OnRead(std::size_t count) override;
  void OnWritten(bool ok) override;

 private:
  enum class Phase : std::uint8_t {
    kOpening,
    kHead,        // reading, or idle
    kBody,        // reading
    kContinuing,  // sending "100 Continue"
    kReady,       // a whole request is in the buffer
    kHandling,    // here, or in another thread
    kReply,       // an answer is there, not yet sent
    kCoding,      // being made ready for sending in another thread
    kSending,     // being written
    kSent,
    kLingering,  // said good-bye, waiting for the client to do so
    kClosed,
  };

  // An answer with what the log and the metrics want to know.
  struct Reply {
    int status = 200;
    std::string body;
    std::string_view content_type;
    std::string_view content_encoding;
    std::string fields;
    std::string_view operation;
    std::string_view outcome;
    double read_units = 0;
    double write_units = 0;
    bool is_coded = false;
    std::uint32_t crc32 = 0;  // of the body as it is sent, once it is coded
  };

  class Completion;

  // Each step returns whether the next may follow at once; else an event will resume.
  void Advance();
  bool ReadHead();
  bool ReadBody();
  bool ReadChunks();
  bool Serve();
  bool ServeElsewhere();
  void Handle(const wire::Request& request);
  bool HandleElsewhere(base::Threads threads, const wire::Request& request);
  bool SendReply();
  bool HasRoomForReply();
  void CodeReply(Compressor& compressor);
  bool FinishRequest();

  bool WaitForBytes();
  bool WaitForBody(std::size_t total);
  bool Grow(std::size_t capacity);
  bool Refuse(Page page);
  bool RefuseForMemory();
  void SkipEmptyLines();
  void SetReply(Page page);
  void SetReply(wire::Answer answer);
  void Account();
  void KeepForInspector(std::string_view answer);
  void TellInspector(std::string_view request_id, Duration duration, std::size_t answer_bytes);
  void Charge(std::size_t bytes);
  void ReturnMemory();

  const std::shared_ptr<Worker> worker_;
  const std::unique_ptr<Socket> socket_;
  const std::string remote_;
  Phase phase_ = Phase::kOpening;
  Duration deadline_ = Duration::max();
  Duration waiting_since_{};  // for a request, or the rest of one
  bool has_served_ = false;
  bool turned_away_ = false;
  bool finishing_ = false;
  int served_in_a_row_ = 0;  // without waiting for the network

  // The request being read.
  Buffer buffer_;
  std::size_t searched_ = 0;  // bytes known not to end the head
  bool idles_ = false;        // nothing of it is there yet
  bool begun_ = false;        // its first byte is there
  std::size_t head_size_ = 0;
  bool head_is_fresh_ = false;  // the worker's parsed head is this request's
  BodyFraming framing_;
  bool expects_continue_ = false;
  bool is_http_1_0_ = false;
  std::optional<base::ChunkedBody> chunked_;
  std::size_t payload_size_ = 0;
  std::size_t request_size_ = 0;  // in the buffer; the next request begins behind it
  std::size_t charged_ = 0;       // bytes taken from the memory budget

  // The request being answered.
  RequestContext context_;
  Duration started_{};
  bool in_handler_ = false;
  std::optional<wire::Answer> answer_at_once_;
  std::atomic<bool> gone_ = false;  // nobody waits for the answer; read by other threads
  Reply reply_;
  std::string reply_head_;
};

}  // namespace stator::server

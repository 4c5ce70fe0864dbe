// One conversation with a client: what the client can, which of its requests are open, and which of
// the server's questions it has not answered yet.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "mcp/client_capabilities.h"
#include "mcp/json_rpc.h"
#include "mcp/request_context.h"
#include "stator/base/mutex.h"
#include "stator/mcp/server.h"

namespace stator::mcp {

// The code of a question that the client did not answer, because it is gone.
inline constexpr std::int64_t kNoAnswer = 0;

// A request that is being worked on. Answered once, or not at all when the client took it back.
class OpenRequest {
 public:
  OpenRequest(Json id, std::shared_ptr<Stream> stream, RequestContext context)
      : id_(std::move(id)), stream_(std::move(stream)), context_(std::move(context)) {}

  // True for the first of them all, which sends something unless the client took the request back.
  bool Answer(Json result);
  bool Fail(const tasks::TaskFault& fault);

  // Nobody waits for it any more.
  void Cancel();
  [[nodiscard]] bool IsCancelled() const { return cancelled_ || !stream_->IsOpen(); }
  [[nodiscard]] bool IsDone() const { return done_; }

  [[nodiscard]] const Json& id() const { return id_; }
  [[nodiscard]] const std::shared_ptr<Stream>& stream() const { return stream_; }
  [[nodiscard]] const RequestContext& context() const { return context_; }

 private:
  bool End(const Json& message);

  const Json id_;
  const std::shared_ptr<Stream> stream_;
  const RequestContext context_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> done_ = false;
};

class Session {
 public:
  // What the client said to a question: a result, or an error.
  using Reply = std::expected<Json, tasks::TaskFault>;
  using ReplyHandler = std::move_only_function<void(Reply)>;

  Session(std::string id, tasks::Owner owner) : id_(std::move(id)), owner_(std::move(owner)) {}

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const tasks::Owner& owner() const { return owner_; }

  // The client has introduced itself, as those before 2026-07-28 do.
  void Initialize(std::string_view version, const Json& capabilities);
  [[nodiscard]] bool is_initialized() const { return initialized_; }
  [[nodiscard]] ClientCapabilities capabilities();
  [[nodiscard]] bool speaks_2025_11_25() const { return speaks_2025_11_25_; }
  // What a request of this session knows.
  [[nodiscard]] RequestContext Context();

  // A request of 2026-07-28 came, so none of the older ones will.
  void PinModern() { modern_ = true; }
  [[nodiscard]] bool is_modern() const { return modern_; }

  void SetLogLevel(LogLevel level);
  void Subscribe(const std::string& uri);
  void Unsubscribe(const std::string& uri);
  [[nodiscard]] bool IsSubscribed(const std::string& uri);

  // Null when a request of that id is open already, or when the session is closed.
  std::shared_ptr<OpenRequest> Begin(const Json& id, std::shared_ptr<Stream> stream,
                                     RequestContext context);
  void CancelRequest(const Json& id);
  [[nodiscard]] bool IsBusy();

  // Sends a request to the client and calls `handler` once: with its answer, or with kNoAnswer when
  // the client is gone or the session ends. Returns the number to withdraw it by.
  std::int64_t Ask(Stream& stream, std::string_view method, Json params, ReplyHandler handler);
  void Withdraw(std::int64_t number);
  void TakeReply(const Message& message);

  void Attach(std::shared_ptr<Stream> stream);
  // False when there is no stream for it.
  bool Notify(const Json& notification);

  void Close();
  [[nodiscard]] bool IsClosed() const { return closed_; }

 private:
  void ForgetDone() STATOR_REQUIRES(mutex_);

  const std::string id_;
  const tasks::Owner owner_;
  std::atomic<bool> speaks_2025_11_25_ = true;
  std::atomic<bool> initialized_ = false;
  std::atomic<bool> modern_ = false;
  std::atomic<bool> closed_ = false;
  Mutex mutex_;
  // By the text of the id.
  std::map<std::string, std::shared_ptr<OpenRequest>> open_ STATOR_GUARDED_BY(mutex_);
  std::map<std::int64_t, ReplyHandler> asked_ STATOR_GUARDED_BY(mutex_);
  std::int64_t next_number_ STATOR_GUARDED_BY(mutex_) = 1;
  std::shared_ptr<Stream> unsolicited_ STATOR_GUARDED_BY(mutex_);
  ClientCapabilities capabilities_ STATOR_GUARDED_BY(mutex_);
  std::string version_ STATOR_GUARDED_BY(mutex_);
  LogLevel log_level_ STATOR_GUARDED_BY(mutex_) = LogLevel::kInfo;
  std::set<std::string> subscriptions_ STATOR_GUARDED_BY(mutex_);  // of resources
};

}  // namespace stator::mcp

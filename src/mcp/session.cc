#include "mcp/session.h"

#include <utility>

namespace stator::mcp {

bool OpenRequest::Answer(Json result) {
  return End(MakeResult(id_, ShapedResult(std::move(result), context_)));
}

bool OpenRequest::Fail(const tasks::TaskFault& fault) {
  return End(MakeError(id_, fault));
}

bool OpenRequest::End(const Json& message) {
  if (done_.exchange(true)) {
    return false;
  }
  if (!cancelled_) {
    stream_->Send(message);
  }
  stream_->Finish();
  return true;
}

void OpenRequest::Cancel() {
  cancelled_ = true;
  if (!done_.exchange(true)) {
    stream_->Finish();
  }
}

void Session::Initialize(std::string_view version, const Json& capabilities) {
  const MutexLock lock(mutex_);
  capabilities_ = ReadCapabilities(capabilities);
  version_ = version;
  speaks_2025_11_25_ = version >= "2025-11-25";  // Versions are dates.
  initialized_ = true;
}

ClientCapabilities Session::capabilities() {
  const MutexLock lock(mutex_);
  return capabilities_;
}

RequestContext Session::Context() {
  const MutexLock lock(mutex_);
  return {
      .version = version_, .owner = owner_, .capabilities = capabilities_, .log_level = log_level_};
}

void Session::SetLogLevel(LogLevel level) {
  const MutexLock lock(mutex_);
  log_level_ = level;
}

void Session::Subscribe(const std::string& uri) {
  const MutexLock lock(mutex_);
  subscriptions_.insert(uri);
}

void Session::Unsubscribe(const std::string& uri) {
  const MutexLock lock(mutex_);
  subscriptions_.erase(uri);
}

bool Session::IsSubscribed(const std::string& uri) {
  const MutexLock lock(mutex_);
  return subscriptions_.contains(uri);
}

void Session::ForgetDone() {
  std::erase_if(open_, [](const auto& entry) { return entry.second->IsDone(); });
}

std::shared_ptr<OpenRequest> Session::Begin(const Json& id, std::shared_ptr<Stream> stream,
                                            RequestContext context) {
  const MutexLock lock(mutex_);
  ForgetDone();
  if (closed_) {
    return nullptr;
  }
  const auto [entry, added] = open_.try_emplace(id.ToText(), nullptr);
  if (!added) {
    return nullptr;
  }
  entry->second = std::make_shared<OpenRequest>(id, std::move(stream), std::move(context));
  return entry->second;
}

void Session::CancelRequest(const Json& id) {
  std::shared_ptr<OpenRequest> request;
  {
    const MutexLock lock(mutex_);
    const auto found = open_.find(id.ToText());
    if (found == open_.end()) {
      return;
    }
    request = found->second;
  }
  request->Cancel();
}

bool Session::IsBusy() {
  const MutexLock lock(mutex_);
  ForgetDone();
  return !open_.empty();
}

std::int64_t Session::Ask(Stream& stream, std::string_view method, Json params,
                          ReplyHandler handler) {
  std::int64_t number = 0;
  {
    const MutexLock lock(mutex_);
    number = next_number_++;
    asked_.emplace(number, std::move(handler));
  }
  if (closed_ || !stream.Send(MakeRequest(number, method, std::move(params)))) {
    TakeReply({.kind = MessageKind::kResponse,
               .id = number,
               .error = tasks::TaskFault{.code = kNoAnswer, .message = "the client is gone"}});
  }
  return number;
}

void Session::Withdraw(std::int64_t number) {
  const MutexLock lock(mutex_);
  asked_.erase(number);
}

void Session::TakeReply(const Message& message) {
  ReplyHandler handler;
  {
    const MutexLock lock(mutex_);
    const auto found = asked_.find(message.id.ToInt64().value_or(0));
    if (found == asked_.end()) {
      return;
    }
    handler = std::move(found->second);
    asked_.erase(found);
  }
  if (message.result) {
    handler(*message.result);
  } else {
    handler(std::unexpected(message.error.value_or(tasks::TaskFault{})));
  }
}

void Session::Attach(std::shared_ptr<Stream> stream) {
  std::shared_ptr<Stream> old;
  {
    const MutexLock lock(mutex_);
    old = std::exchange(unsolicited_, std::move(stream));
  }
  if (old) {
    old->Finish();
  }
}

bool Session::Notify(const Json& notification) {
  std::shared_ptr<Stream> stream;
  {
    const MutexLock lock(mutex_);
    stream = unsolicited_;
  }
  return stream && stream->IsOpen() && stream->Send(notification);
}

void Session::Close() {
  closed_ = true;
  std::map<std::string, std::shared_ptr<OpenRequest>> open;
  std::map<std::int64_t, ReplyHandler> asked;
  {
    const MutexLock lock(mutex_);
    open.swap(open_);
    asked.swap(asked_);
  }
  for (const auto& [id, request] : open) {
    request->Cancel();
  }
  for (auto& [number, handler] : asked) {
    handler(
        std::unexpected(tasks::TaskFault{.code = kNoAnswer, .message = "the session was closed"}));
  }
  Attach(nullptr);
}

}  // namespace stator::mcp

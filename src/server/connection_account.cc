// What is written down of a request that is answered: metrics, the access log, the inspector.

#include <string_view>
#include <utility>

#include "server/access_log.h"
#include "server/connection.h"
#include "server/request_inspector.h"
#include "server/response_head.h"

namespace stator::server {

// Writes the head, and counts and logs the answer, so that a client that has it finds it there.
void Connection::Account() {
  const ServerOptions& options = worker_->server().options;
  const std::string_view request_id = worker_->request_ids().Next();
  const Duration duration = worker_->Tick() - started_;
  reply_.fields += context_.cors_fields;
  WriteResponseHead({.status = reply_.status,
                     .date = worker_->HttpDate(),
                     .content_type = reply_.content_type,
                     .content_encoding = reply_.content_encoding,
                     .content_length = reply_.body.size(),
                     .keep_alive = context_.keep_alive,
                     .is_http_1_0 = is_http_1_0_,
                     .request_id = request_id,
                     .crc32 = reply_.crc32,
                     .further_lines = reply_.fields},
                    reply_head_);
  const std::size_t answer_bytes = reply_head_.size() + (context_.is_head ? 0 : reply_.body.size());
  worker_->counts().bytes_sent.Add(answer_bytes);
  worker_->counts().Record({.operation = reply_.operation,
                            .outcome = reply_.outcome,
                            .duration = duration,
                            .read_units = reply_.read_units,
                            .write_units = reply_.write_units});
  TellInspector(request_id, duration, answer_bytes);
  if (options.access_log != nullptr) {
    options.access_log->Append(
        {.time = options.clock.Now(),
         .request_id = request_id,
         .remote = remote_,
         .access_key_id = context_.caller.access_key_id,
         .operation = reply_.operation,
         .status = reply_.status,
         .error = reply_.outcome == "ok" ? std::string_view() : reply_.outcome,
         .request_bytes = request_size_,
         .answer_bytes = answer_bytes,
         .duration = duration});
  }
}

void Connection::KeepForInspector(std::string_view answer) {
  const RequestInspector* const inspector = worker_->server().options.inspector;
  if (inspector == nullptr || !inspector->IsWatched(worker_->now())) [[likely]] {
    return;
  }
  const std::string_view payload(buffer_.data() + head_size_, payload_size_);
  context_.seen =
      KeepBodies({buffer_.data(), head_size_},
                 context_.inflated_body.empty() ? payload : context_.inflated_body, answer);
}

// Of requests of the protocol, and of refusals; pages that were shown are not interesting.
void Connection::TellInspector(std::string_view request_id, Duration duration,
                               std::size_t answer_bytes) {
  const ServerOptions& options = worker_->server().options;
  if (options.inspector == nullptr || (reply_.operation.empty() && reply_.outcome == "ok")) {
    return;
  }
  options.inspector->Add(worker_->number(),
                         {.time = options.clock.Now(),
                          .duration = duration,
                          .operation = reply_.operation,
                          .outcome = reply_.outcome,
                          .status = reply_.status,
                          .read_units = reply_.read_units,
                          .write_units = reply_.write_units,
                          .request_bytes = request_size_,
                          .answer_bytes = answer_bytes,
                          .is_own = context_.is_console,
                          .id = ShortText<RequestIds::kLength>(request_id),
                          .remote = ShortText<56>(remote_),
                          .access_key_id = ShortText<64>(context_.caller.access_key_id),
                          .bodies = std::exchange(context_.seen, nullptr)});
}

}  // namespace stator::server

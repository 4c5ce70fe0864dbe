#include "event_server/event_handler.h"

#include <optional>
#include <utility>

#include "base/try.h"
#include "event_server/event_service.h"
#include "event_server/messages.h"
#include "value/plain_json.h"

namespace stator::event_server {
namespace {

using events::Event;
using events::EventStore;
using events::EventStream;

wire::Answer Refuse(int status, ErrorCode code, const std::string& message) {
  const std::string_view name = NameOf(code);
  return {.status = status,
          .body = value::ToPlainJson(Item{{"code", std::string(name)}, {"error", message}}),
          .error = name};
}

}  // namespace

EventHandler::EventHandler(EventStore& store, EventHandlerOptions options)
    : store_(&store), options_(options), executor_(options.threads) {}

EventHandler::~EventHandler() {
  executor_.Stop();
}

void EventHandler::Handle(const wire::Request& request, Done done) {
  if (executor_.LoadOf(base::Threads::kPool).waiting >= options_.waiting_max) {
    done(Refuse(503, ErrorCode::kUnavailable, "too many requests wait; ask again in a moment"));
    return;
  }
  // What it points to stays until it is answered.
  executor_.Post(base::Threads::kPool,
                 [this, request, done = std::move(done)]() mutable { done(Answer(request)); });
}

wire::Answer EventHandler::Answer(const wire::Request& request) {
  const bool is_append = request.path == "/append";
  const bool is_read = request.path == "/read";
  const bool is_head = request.path == "/head";
  if (!is_append && !is_read && !is_head) {
    return Refuse(404, ErrorCode::kUnknownOperation,
                  "there are GET and POST /read, POST /append and GET /head");
  }
  const bool posts = request.method == "POST";
  if (!posts && request.method != "GET" && request.method != "HEAD") {
    return Refuse(405, ErrorCode::kUnknownOperation, "this is neither GET nor POST");
  }
  if ((is_append && !posts) || (is_head && posts)) {
    return Refuse(405, ErrorCode::kUnknownOperation,
                  is_append ? "events are appended by POST" : "the head is asked for by GET");
  }
  Result<std::string> body = std::string();
  if (is_append) {
    body = Append(request);
  } else if (is_read) {
    body = Read(request);
  } else if (const Result<std::uint64_t> count = store_->CountEvents()) {
    body = value::ToPlainJson(Item{{"position", *count}});
  } else {
    body = std::unexpected(count.error());
  }
  if (!body) {
    return Refuse(HttpStatus(body.error().code), body.error().code, body.error().message);
  }
  return {.status = 200, .body = *std::move(body)};
}

Result<std::string> EventHandler::Read(const wire::Request& request) {
  const ReadRequest parsed =
      TRY(request.method == "POST" ? ParseReadBody(request.body) : ParseReadAddress(request.query));
  std::optional<EventStream> stream = TRY(OpenRead(*store_, parsed));
  std::string body = "[";
  while (stream) {
    const std::optional<Event> event = TRY(stream->Next());
    if (!event) {
      break;
    }
    body += body.size() > 1 ? "," : "";
    AppendEventJson(*event, body);
    if (body.size() > options_.answer_bytes_max) {
      return Fail(ErrorCode::kTooLarge,
                  "the answer would have more than " + std::to_string(options_.answer_bytes_max) +
                      " bytes; ask for fewer events with limit, and go on with from");
    }
  }
  return body + "]";
}

Result<std::string> EventHandler::Append(const wire::Request& request) {
  AppendRequest parsed = TRY(ParseAppendBody(request.body));
  const Clock& clock = *store_->environment().clock;
  const Duration began = clock.Elapsed();
  const AppendAnswer appended = TRY(AppendFor(*store_, std::move(parsed)));
  const Duration took = clock.Elapsed() - began;
  Item answer{{"appendConditionFailed", appended.refused.has_value()},
              {"durationInMicroseconds", static_cast<std::int64_t>(took.count())}};
  if (!appended.refused) {
    answer.Set("position", appended.position);
    answer.Set("repeated", appended.repeated);
  }
  return value::ToPlainJson(answer);
}

}  // namespace stator::event_server

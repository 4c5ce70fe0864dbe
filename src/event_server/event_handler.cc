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

// Why it is not for this handler.
std::optional<wire::Answer> Check(const wire::Request& request) {
  const bool is_append = request.path == "/append";
  const bool is_head = request.path == "/head";
  if (!is_append && !is_head && request.path != "/read") {
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
  return std::nullopt;
}

wire::Answer AnswerOf(Result<std::string> body) {
  if (!body) {
    return Refuse(HttpStatus(body.error().code), body.error().code, body.error().message);
  }
  return {.status = 200, .body = *std::move(body)};
}

Result<std::string> BodyOf(const Result<AppendAnswer>& appended, Duration took) {
  if (!appended) {
    return std::unexpected(appended.error());
  }
  Item answer{{"appendConditionFailed", appended->refused.has_value()},
              {"durationInMicroseconds", static_cast<std::int64_t>(took.count())}};
  if (!appended->refused) {
    answer.Set("position", appended->position);
    answer.Set("repeated", appended->repeated);
  }
  return value::ToPlainJson(answer);
}

}  // namespace

EventHandler::EventHandler(EventStore& store, EventHandlerOptions options)
    : store_(&store), options_(options), appends_(store), executor_(options.threads) {}

EventHandler::~EventHandler() {
  executor_.Stop();  // Starts appends until then.
  appends_.Wait();
}

void EventHandler::Handle(const wire::Request& request, Done done) {
  const std::size_t waiting = executor_.LoadOf(base::Threads::kPool).waiting + appends_.under_way();
  if (waiting >= options_.waiting_max) {
    done(Refuse(503, ErrorCode::kUnavailable, "too many requests wait; ask again in a moment"));
    return;
  }
  // What it points to stays until it is answered.
  executor_.Post(base::Threads::kPool, [this, request, done = std::move(done)]() mutable {
    Serve(request, std::move(done));
  });
}

void EventHandler::Serve(const wire::Request& request, Done done) {
  if (std::optional<wire::Answer> refused = Check(request)) {
    done(*std::move(refused));
  } else if (request.path == "/append") {
    StartAppend(request, std::move(done));
  } else {
    done(AnswerOf(request.path == "/read" ? Read(request) : Head()));
  }
}

Result<std::string> EventHandler::Head() {
  return value::ToPlainJson(Item{{"position", TRY(store_->CountEvents())}});
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

void EventHandler::StartAppend(const wire::Request& request, Done done) {
  Result<AppendRequest> parsed = ParseAppendBody(request.body);
  if (!parsed) {
    done(AnswerOf(std::unexpected(std::move(parsed).error())));
    return;
  }
  const Clock& clock = *store_->environment().clock;
  appends_.Start(*std::move(parsed), [&clock, began = clock.Elapsed(), done = std::move(done)](
                                         const Result<AppendAnswer>& appended) mutable {
    done(AnswerOf(BodyOf(appended, clock.Elapsed() - began)));
  });
}

}  // namespace stator::event_server

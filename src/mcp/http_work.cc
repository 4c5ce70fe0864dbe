// Workers over HTTP: POST /workers/claim, heartbeat, complete, fail.

#include <algorithm>
#include <utility>

#include "mcp/http_state.h"

namespace stator::mcp {
namespace {

constexpr std::string_view kWorkPath = "/workers/";
constexpr std::string_view kWorkScope = "workers";
constexpr double kWaitSecondsMax = 60;
// How soon a claim that waits looks whether this process has new work, and how soon whether another
// has, or a lease has lapsed.
constexpr std::chrono::milliseconds kGlance(20);
constexpr std::chrono::milliseconds kLook(500);

Duration WaitOf(const Json& body) {
  const Json* const given = body.Find("waitSeconds");
  const double seconds = given == nullptr ? 0 : given->ToDouble().value_or(0);
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, kWaitSecondsMax)));
}

}  // namespace

bool HttpServer::State::IsWork(const Request& request) const {
  return options.workers && View(request.target()).starts_with(kWorkPath);
}

// The store is asked on another thread. Nothing when the server stops.
net::awaitable<std::optional<Response>> HttpServer::State::AskDesk(const Request& request,
                                                                   const Json& body) {
  OpenStream open(streams, io, std::make_shared<HttpStream>(++last_stream));
  net::post(handlers, [this, body, what = std::string(View(request.target()).substr(9)),
                       stream = open.shared()] {
    WorkDesk::Answer answer = desk.Take(what, body);
    stream->Send(JsonObject{{"status", answer.status}, {"body", std::move(answer.body)}});
    stream->Finish();
  });
  while (open.stream().IsOpen()) {
    if (const std::optional<HttpStream::Event> event = open.stream().Take()) {
      const Json answer = Json::Parse(event->text).value_or(JsonObject());
      const Json* const status = answer.Find("status");
      const auto number = static_cast<unsigned>(status->ToInt64().value_or(500));
      if (number == 204) {
        co_return Page(request, http::status::no_content, "");
      }
      co_return JsonPage(request, static_cast<http::status>(number), answer.Find("body")->ToText());
    }
    if (open.stream().IsFinished()) {
      break;
    }
    open.timer().expires_after(options.keep_alive);
    co_await open.timer().async_wait(kAsTuple);
  }
  co_return std::nullopt;
}

net::awaitable<bool> HttpServer::State::Work(beast::tcp_stream& connection, const Request& request,
                                             const HttpCaller& caller) {
  if (auto refusal = access->CheckScopes(request, caller, {std::string(kWorkScope)})) {
    co_return co_await Write(connection, *std::move(refusal));
  }
  if (request.method() != http::verb::post ||
      !View(request[http::field::content_type]).starts_with("application/json")) {
    co_return co_await Write(connection, Page(request, http::status::unsupported_media_type,
                                              "workers POST application/json"));
  }
  const Result<Json> body = Json::Parse(request.body());
  if (!body) {
    co_return co_await Write(connection,
                             Page(request, http::status::bad_request, body.error().message));
  }
  const Duration until = options.clock->Elapsed() + WaitOf(*body);
  // A client that went away while it waited is given no task.
  OpenStream client(streams, io, std::make_shared<HttpStream>(++last_stream));
  const DisconnectWatch watch(connection.socket(), client.shared());
  while (client.stream().IsOpen()) {
    const std::uint64_t seen = server.core().work_count();
    std::optional<Response> answer = co_await AskDesk(request, *body);
    if (!answer) {
      break;
    }
    if (answer->result() != http::status::no_content || options.clock->Elapsed() >= until) {
      co_return co_await Write(connection, *std::move(answer));
    }
    const Duration next = std::min<Duration>(until, options.clock->Elapsed() + kLook);
    do {
      client.timer().expires_after(kGlance);
      co_await client.timer().async_wait(kAsTuple);
    } while (client.stream().IsOpen() && server.core().work_count() == seen &&
             options.clock->Elapsed() < next);
  }
  co_return false;
}

}  // namespace stator::mcp

#include "test_server.h"

#include <chrono>
#include <stdexcept>

#include "base/check.h"

namespace stator::server {
namespace {

wire::Answer AnswerWith(std::string body) {
  return {.status = 200,
          .body = std::move(body),
          .operation = "Echo",
          .read_units = 0.5,
          .write_units = 1};
}

}  // namespace

ObedientHandler::~ObedientHandler() {
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void ObedientHandler::Handle(const wire::Request& request, Done done) {
  const std::string_view wish = request.target.substr(request.target.find('.') + 1);
  if (wish == "Big") {
    done(AnswerWith(std::string(std::stoul(std::string(request.body)), 'x')));
  } else if (wish == "Thread") {
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([body = request.body, done = std::move(done)]() mutable {
      done(AnswerWith(std::string(body)));  // The body must still be there.
    });
  } else if (wish == "Later") {
    const std::lock_guard lock(mutex_);
    later_.emplace_back(request.body, std::move(done));
    arrived_.notify_all();
  } else if (wish == "Throw") {
    throw std::runtime_error("as it was told to");
  } else if (wish != "Forget") {
    done(AnswerWith(std::string(request.body)));
  }
}

void ObedientHandler::WaitForLater(std::size_t count) {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return later_.size() >= count; });
}

void ObedientHandler::AnswerLater() {
  std::vector<std::pair<std::string, Done>> later;
  {
    const std::lock_guard lock(mutex_);
    later.swap(later_);
  }
  for (auto& [body, done] : later) {
    done(AnswerWith(std::move(body)));
  }
}

TestServer::TestServer(ServerOptions options) {
  // The options refer to a clock and a source of randomness, so they are made anew with ours.
  ServerOptions own = {.host = options.host,
                       .port = 0,
                       .threads = options.threads == 0 ? 2 : options.threads,
                       .limits = options.limits,
                       .tls = std::move(options.tls),
                       .credentials = std::move(options.credentials),
                       .region = std::move(options.region),
                       .hosts = std::move(options.hosts),
                       .cors_origins = std::move(options.cors_origins),
                       .access_log = options.access_log,
                       .metrics_key = std::move(options.metrics_key),
                       .report_fault = std::move(options.report_fault),
                       .clock = clock,
                       .random = random};
  own.limits.check_interval = std::chrono::milliseconds(2);
  Result<std::unique_ptr<Server>> started = Server::Start(std::move(own), handler);
  CHECK_THAT(started.has_value(), started.error().message);
  server = *std::move(started);
}

bool TestServer::Serves() {
  Client client = Connect();
  client.Send(Post("Echo", R"({"are":"you there"})"));
  const HttpAnswer answer = client.ReadAnswer();
  return answer.status == 200 && answer.body == R"({"are":"you there"})";
}

bool TestServer::AdvanceUntilDropped(const Client& client) {
  for (int attempt = 0; attempt < 5000; ++attempt) {
    if (client.IsClosedAlready()) {
      return true;
    }
    clock.Advance(std::chrono::seconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

double TestServer::Metric(std::string_view name) {
  Client client = Connect();
  client.Send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const HttpAnswer answer = client.ReadAnswer();
  CHECK(answer.status == 200);
  const std::string line = "\n" + std::string(name) + " ";
  const std::size_t at = answer.body.find(line);
  CHECK_THAT(at != std::string::npos, name);
  return std::stod(answer.body.substr(at + line.size()));
}

bool TestServer::WaitForMetric(std::string_view name, double value) {
  for (int attempt = 0; attempt < 2000; ++attempt) {
    if (Metric(name) == value) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace stator::server

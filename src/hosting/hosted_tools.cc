#include "hosting/hosted_tools.h"

#include <optional>
#include <utility>

#include "hosting/outcome.h"
#include "stator/base/mutex.h"

namespace stator::hosting {
namespace {

using mcp::ToolCall;
using mcp::ToolRoutine;
using HostedPointer = std::shared_ptr<const HostedTool>;

// A child that ends with the call, however that ends.
class HeldChild {
 public:
  HeldChild(ChildKeeper& keeper, ChildRequest request)
      : keeper_(keeper), child_(keeper.Start(std::move(request))) {}
  HeldChild(const HeldChild&) = delete;
  HeldChild& operator=(const HeldChild&) = delete;
  ~HeldChild() { keeper_.Drop(*child_); }

  Child* operator->() const { return child_.get(); }

 private:
  ChildKeeper& keeper_;
  const std::shared_ptr<Child> child_;
};

// An exchange that is broken off with the call.
class HeldExchange {
 public:
  HeldExchange(transport::HttpExchanges& exchanges, transport::HttpRequest request,
               std::string body)
      : exchanges_(exchanges),
        number_(exchanges.Start(std::move(request), std::move(body),
                                [answer = answer_](Result<transport::HttpResponse> response) {
                                  {
                                    const MutexLock lock(answer->mutex);
                                    answer->response = std::move(response);
                                  }
                                  answer->news->Set();
                                })) {}
  HeldExchange(const HeldExchange&) = delete;
  HeldExchange& operator=(const HeldExchange&) = delete;
  ~HeldExchange() { exchanges_.Cancel(number_); }

  [[nodiscard]] const std::shared_ptr<mcp::Signal>& news() const { return answer_->news; }
  std::optional<Result<transport::HttpResponse>> Take() {
    const MutexLock lock(answer_->mutex);
    return std::exchange(answer_->response, std::nullopt);
  }

 private:
  struct Answer {
    const std::shared_ptr<mcp::Signal> news = std::make_shared<mcp::Signal>();
    Mutex mutex;
    std::optional<Result<transport::HttpResponse>> response STATOR_GUARDED_BY(mutex);
  };

  transport::HttpExchanges& exchanges_;
  const std::shared_ptr<Answer> answer_ = std::make_shared<Answer>();
  const std::uint64_t number_;
};

mcp::ToolResult Cancelled() {
  return mcp::ErrorResult("the call was cancelled");
}

// What a coroutine is given by value or lives longer than the server.
ToolRoutine RunCommand(ToolCall& call, HostedPointer tool, Places& places, ChildKeeper& keeper) {
  const Places::Place place(places, call.owner(), tool->tool.name, tool->running_max);
  while (!place.IsGranted()) {
    if (!co_await call.Arrival(place.signal())) {
      co_return Cancelled();
    }
  }
  const HeldChild child(keeper, {.command = std::get<Command>(tool->target),
                                 .input = call.arguments().ToText() + "\n",
                                 .time_limit = tool->time_limit,
                                 .output_bytes_max = tool->output_bytes_max});
  for (;;) {
    if (!co_await call.Arrival(child->news())) {
      co_return Cancelled();
    }
    // First, so that no progress that came before it is missed.
    std::optional<ChildOutcome> outcome = child->TakeOutcome();
    if (std::optional<ProgressLine> progress = child->TakeProgress()) {
      if (progress->message) {
        progress->message = Told(*tool, *std::move(progress->message));
      }
      call.Progress(progress->done, progress->total, std::move(progress->message));
    }
    if (outcome) {
      co_return ResultOf(*tool, *std::move(outcome));
    }
  }
}

ToolRoutine AskEndpoint(ToolCall& call, HostedPointer tool, Places& places,
                        transport::HttpExchanges& exchanges) {
  const Places::Place place(places, call.owner(), tool->tool.name, tool->running_max);
  while (!place.IsGranted()) {
    if (!co_await call.Arrival(place.signal())) {
      co_return Cancelled();
    }
  }
  const Endpoint& endpoint = std::get<Endpoint>(tool->target);
  transport::HttpRequest request{.url = endpoint.url,
                                 .fields = {{"content-type", "application/json"}},
                                 .timeout = tool->time_limit,
                                 .body_bytes_max = tool->output_bytes_max};
  request.fields.insert(request.fields.end(), endpoint.headers.begin(), endpoint.headers.end());
  HeldExchange exchange(exchanges, std::move(request), call.arguments().ToText());
  for (;;) {
    if (!co_await call.Arrival(exchange.news())) {
      co_return Cancelled();
    }
    if (std::optional<Result<transport::HttpResponse>> response = exchange.Take()) {
      co_return ResultOf(*tool, *std::move(response));
    }
  }
}

std::vector<HostedPointer> Shared(std::vector<HostedTool> tools) {
  std::vector<HostedPointer> shared;
  for (HostedTool& tool : tools) {
    shared.push_back(std::make_shared<const HostedTool>(std::move(tool)));
  }
  return shared;
}

}  // namespace

HostedTools::HostedTools(std::vector<HostedTool> tools, const PlaceLimits& limits)
    : tools_(Shared(std::move(tools))), places_(limits) {}

std::vector<mcp::Tool> HostedTools::Tools() {
  std::vector<mcp::Tool> made;
  for (const HostedPointer& hosted : tools_) {
    mcp::Tool tool = hosted->tool;
    if (std::holds_alternative<Command>(hosted->target)) {
      tool.run = [this, hosted](ToolCall& call) {
        return RunCommand(call, hosted, places_, keeper_);
      };
    } else if (std::holds_alternative<Endpoint>(hosted->target)) {
      tool.run = [this, hosted](ToolCall& call) {
        return AskEndpoint(call, hosted, places_, exchanges_);
      };
    }
    made.push_back(std::move(tool));
  }
  return made;
}

}  // namespace stator::hosting

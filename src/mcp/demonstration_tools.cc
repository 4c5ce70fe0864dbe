#include "stator/mcp/demonstration_tools.h"

#include <algorithm>
#include <string>

namespace stator::mcp {
namespace {

constexpr int kSteps = 5;
constexpr std::int64_t kDefaultMilliseconds = 1000;
constexpr std::int64_t kLongestMilliseconds = 600'000;

Json Schema(JsonObject properties) {
  return JsonObject{{"type", "object"}, {"properties", std::move(properties)}};
}

ToolResult RunSlow(ToolCall& call) {
  const Json* const given = call.arguments().Find("ms");
  const std::int64_t asked =
      given == nullptr ? kDefaultMilliseconds : given->ToInt64().value_or(kDefaultMilliseconds);
  const std::chrono::milliseconds step(std::clamp<std::int64_t>(asked, 0, kLongestMilliseconds) /
                                       kSteps);
  for (int done = 0; done < kSteps; ++done) {
    call.Progress(done, kSteps, "step " + std::to_string(done + 1));
    if (!call.SleepFor(step)) {
      return ErrorResult("cancelled");
    }
  }
  call.Progress(kSteps, kSteps, std::nullopt);
  return TextResult("done in attempt " + std::to_string(call.attempt()));
}

ToolResult RunFails(ToolCall& /*call*/) {
  return ErrorResult("this tool always fails");
}

ToolRoutine RunAsks(ToolCall& call) {
  const Json schema =
      JsonObject{{"type", "object"},
                 {"properties", JsonObject{{"name", JsonObject{{"type", "string"}}}}},
                 {"required", JsonArray{"name"}}};
  const Result<Json> answer = co_await call.Ask(FormQuestion("What is your name?", schema));
  if (!answer) {
    co_return ErrorResult(answer.error().message);
  }
  const std::string action = answer->TextOf("action").value_or("cancel");
  if (action != "accept") {
    co_return ErrorResult("no name was given: " + action);
  }
  const Json* const content = answer->Find("content");
  const std::string name = content == nullptr ? "" : content->TextOf("name").value_or("");
  co_return TextResult("Hello, " + (name.empty() ? "whoever you are" : name));
}

ToolResult RunPlain(ToolCall& /*call*/) {
  return TextResult("plain");
}

}  // namespace

std::vector<Tool> DemonstrationTools() {
  return {
      {.name = "slow",
       .description = "Takes about a second, or the given milliseconds, and reports progress",
       .input_schema = Schema({{"ms", JsonObject{{"type", "integer"}}}}),
       .task_support = TaskSupport::kOptional,
       .restartable = true,
       .run = RunSlow},
      {.name = "fails",
       .description = "Answers with an error",
       .input_schema = Schema({}),
       .task_support = TaskSupport::kOptional,
       .restartable = true,
       .run = RunFails},
      {.name = "asks",
       .description = "Asks for a name",
       .input_schema = Schema({}),
       .task_support = TaskSupport::kOptional,
       .restartable = true,
       .run = RunAsks},
      {.name = "req",
       .description = "Runs as a task only",
       .input_schema = Schema({{"ms", JsonObject{{"type", "integer"}}}}),
       .task_support = TaskSupport::kRequired,
       .run = RunSlow},
      {.name = "plain",
       .description = "Answers at once",
       .input_schema = Schema({}),
       .run = RunPlain},
  };
}

}  // namespace stator::mcp

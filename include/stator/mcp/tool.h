// Tools: the functions that an MCP server offers to its clients.
//
//   Tool add{.name = "add",
//            .description = "Adds two numbers",
//            .input_schema = JsonObject{{"type", "object"}, {"required", JsonArray{"a", "b"}}},
//            .run = [](ToolCall& call) {
//              const auto a = call.arguments().Find("a")->ToInt64();
//              ...
//              return TextResult(std::to_string(*a + *b));
//            }};
//
// A tool that takes longer says that it supports tasks. It then runs as a task when the client asks
// for one, and the same function serves both ways.

#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "stator/stores/tasks/json.h"
#include "stator/stores/tasks/task.h"
#include "stator/stores/tasks/task_context.h"

namespace stator::mcp {

using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

// Whether a client may, or must, call the tool as a task.
enum class TaskSupport : std::uint8_t { kForbidden, kOptional, kRequired };

// What a call gives: a CallToolResult, in which the tool itself may say that it failed (isError),
// or an error of the protocol.
using ToolResult = std::expected<Json, tasks::TaskFault>;

ToolResult TextResult(std::string_view text);
// The tool ran and failed; the model reads why.
ToolResult ErrorResult(std::string_view text);
ToolResult Fault(std::int64_t code, std::string message);

// One call, as the tool sees it.
//
// THREADS: belongs to the thread that runs the tool.
class ToolCall {
 public:
  ToolCall() = default;
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;
  virtual ~ToolCall() = default;

  // An object; empty when the client gave none.
  [[nodiscard]] virtual const Json& arguments() const = 0;

  // The task that the call runs as, if it does.
  [[nodiscard]] virtual std::optional<tasks::TaskContext> task() const = 0;

  // How often the task was begun, this time included; more than 1 after a crash.
  [[nodiscard]] virtual std::int64_t attempt() const = 0;

  // Tells the client how far the work is; does nothing when nobody wants to know. `message` also
  // becomes the status message of the task.
  virtual void Progress(double progress, std::optional<double> total,
                        std::optional<std::string> message) = 0;

  // Asks the person behind the client for a form to be filled in, and waits. Gives the answer,
  // {"action": "accept" | "decline" | "cancel", "content"?: …}. Fails with kUnavailable when the
  // client cannot ask, with kTimeout when no answer came, and when the call was cancelled.
  virtual Result<Json> Elicit(std::string_view message, Json requested_schema) = 0;

  // Whether the result is still wanted: not when the client cancelled, when another worker took
  // over, or when the server stops.
  [[nodiscard]] virtual bool IsCancelled() const = 0;

  // Returns early, with false, when the result is not wanted any more.
  virtual bool SleepFor(Duration duration) = 0;
};

struct Tool {
  std::string name;
  std::string description;
  Json input_schema = JsonObject{{"type", "object"}};
  TaskSupport task_support = TaskSupport::kForbidden;
  // May be run again from the beginning when the process that ran it was lost. Otherwise such a
  // task fails, and says so.
  bool restartable = false;
  std::function<ToolResult(ToolCall&)> run = nullptr;
};

}  // namespace stator::mcp

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
// for one, and the same function serves both ways. A tool that waits for people is best written as
// a coroutine (routine.h); a plain function may wait, too, and then occupies a thread.

#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/mcp/question.h"
#include "stator/mcp/routine.h"
#include "stator/mcp/waits.h"
#include "stator/stores/tasks/task_context.h"

namespace stator::mcp {

// Whether a client may, or must, call the tool as a task.
enum class TaskSupport : std::uint8_t { kForbidden, kOptional, kRequired };

enum class LogLevel : std::uint8_t {
  kDebug,
  kInfo,
  kNotice,
  kWarning,
  kError,
  kCritical,
  kAlert,
  kEmergency
};

ToolResult TextResult(std::string_view text);
// The tool ran and failed; the model reads why.
ToolResult ErrorResult(std::string_view text);
ToolResult Fault(std::int64_t code, std::string message);

// One call, as the tool sees it.
//
// THREADS: belongs to the tool; a routine may be moved from one thread to another.
class ToolCall {
 public:
  ToolCall() = default;
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;
  virtual ~ToolCall() = default;

  // Whose call it is.
  [[nodiscard]] virtual const std::string& owner() const = 0;

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

  // A message for whoever watches the client; nothing when nobody does. `data` is any JSON.
  virtual void Log(LogLevel level, Json data) = 0;

  // Whether the client takes questions of this kind.
  [[nodiscard]] virtual bool CanAsk(QuestionKind kind) const = 0;

  // Puts a question to the client; `co_await` it or Wait() for the answer. It fails with
  // kUnavailable when the client cannot be asked or too many threads wait, with kTimeout when no
  // answer came, and when the call was cancelled.
  [[nodiscard]] Asking Ask(Question question) { return {*this, std::move(question)}; }
  // The same for several at once; the answers in their order.
  [[nodiscard]] AskingAll AskAll(std::vector<Question> questions) {
    return {*this, std::move(questions)};
  }
  // Asks the person behind the client for a form to be filled in, and waits.
  Result<Json> Elicit(std::string_view message, Json requested_schema) {
    return Ask(FormQuestion(message, std::move(requested_schema))).Wait();
  }

  // Whether the result is still wanted: not when the client cancelled, when another worker took
  // over, or when the server stops.
  [[nodiscard]] virtual bool IsCancelled() const = 0;

  // `co_await` it: true after that time, false at once when the result is not wanted any more.
  [[nodiscard]] Pausing Pause(Duration duration) { return {*this, duration}; }
  // `co_await` it: true when the signal was set, false when the result is not wanted any more.
  [[nodiscard]] Arriving Arrival(std::shared_ptr<Signal> signal) {
    return {*this, std::move(signal)};
  }
  // Pause for a tool that is a plain function.
  virtual bool SleepFor(Duration duration) = 0;

  // What Asking, Pausing and Arriving are made of; tools do not call these. `done` is called once, where
  // tools run, unless the call ends before.
  virtual void BeginAsking(std::vector<Question> questions, AnswerHandler done) = 0;
  virtual Result<std::vector<Json>> AskAndWait(std::vector<Question> questions) = 0;
  virtual void BeginPause(Duration duration, PauseHandler done) = 0;
  virtual void BeginArrival(std::shared_ptr<Signal> signal, PauseHandler done) = 0;
};

// A tool's function: plain, or a coroutine.
class ToolFunction {
 public:
  using Plain = std::function<ToolResult(ToolCall&)>;
  using Routine = std::function<ToolRoutine(ToolCall&)>;

  // NOLINTBEGIN(google-explicit-constructor): a tool is made with `.run = Function`.
  ToolFunction() = default;
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, ToolFunction> &&
             std::invocable<Function&, ToolCall&>)
  ToolFunction(Function function) {
    if constexpr (std::same_as<std::invoke_result_t<Function&, ToolCall&>, ToolRoutine>) {
      routine_ = std::move(function);
    } else {
      plain_ = std::move(function);
    }
  }
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const Plain& plain() const { return plain_; }
  [[nodiscard]] const Routine& routine() const { return routine_; }  // empty for a plain function

 private:
  Plain plain_ = nullptr;
  Routine routine_ = nullptr;
};

// How often a task is tried, and how long it waits between: a time by chance that grows to twice
// the one before, at most to the longest.
struct RetryPolicy {
  std::int64_t attempts_max = 5;
  Duration first_pause = std::chrono::seconds(1);
  Duration longest_pause = std::chrono::minutes(5);
};

struct Tool {
  std::string name;
  std::string description;
  Json input_schema = JsonObject{{"type", "object"}};
  TaskSupport task_support = TaskSupport::kForbidden;
  // May be run again from the beginning when the process that ran it was lost. Otherwise such a
  // task fails, and says so.
  bool restartable = false;
  std::optional<std::string> title = std::nullopt;
  // What structuredContent of its results satisfies; results that do not are errors.
  std::optional<Json> output_schema = std::nullopt;
  std::optional<Json> annotations = std::nullopt;  // readOnlyHint, destructiveHint…
  std::optional<Json> icons = std::nullopt;        // [{"src", "mimeType"?, "sizes"?, "theme"?}…]
  // Questions that every call needs; clients that cannot be asked are refused before it runs.
  std::vector<QuestionKind> needs = {};
  // Questions that are asked before a call becomes a task, where the protocol can (2026-07-28). The
  // function asks them again, under the same keys, and has the answers at once.
  std::function<std::vector<Question>(const Json& arguments)> ask_first = nullptr;
  // What a caller over HTTP must be allowed, if the server asks for tokens (http.h).
  std::vector<std::string> scopes = {};
  // Its tasks are done by workers outside of this process (work_desk.h), and it has no function.
  // Clients have to call it as a task. Only a restartable one is tried more than once.
  std::optional<RetryPolicy> for_workers = std::nullopt;
  // A task of it that fails is tried again so often, if it is restartable; then it is kept as a dead
  // letter. Calls that are no tasks fail at once.
  std::optional<RetryPolicy> retry = std::nullopt;
  // How many of its calls may occupy a thread at once; 0: as many as there are threads.
  std::size_t running_max = 0;
  ToolFunction run = {};
};

}  // namespace stator::mcp

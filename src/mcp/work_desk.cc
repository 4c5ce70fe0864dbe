#include "mcp/work_desk.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/base64.h"
#include "mcp/json_schema.h"
#include "stator/base/backoff.h"
#include "stator/mcp/content.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;

constexpr std::size_t kLookedAtMax = 32;
constexpr std::size_t kToolsMax = 32;
constexpr std::size_t kNameBytesMax = 128;
constexpr double kLeaseSecondsMax = 3600;
constexpr double kLeaseSecondsMin = 0.1;
constexpr double kLeaseSeconds = 30;
// Of what a worker says about a failure.
constexpr std::size_t kMessageBytesMax = 4096;

WorkDesk::Answer ErrorAnswer(unsigned status, std::string_view error) {
  return {.status = status, .body = JsonObject{{"error", error}}};
}

std::optional<Duration> LeaseOf(const Json& body) {
  const Json* const given = body.Find("leaseSeconds");
  const double seconds = given == nullptr ? kLeaseSeconds : given->ToDouble().value_or(-1);
  if (!(seconds >= kLeaseSecondsMin && seconds <= kLeaseSecondsMax)) {
    return std::nullopt;
  }
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

// One of the three ways to say what a tool gave; nothing when it is none of them.
std::optional<Json> ResultOf(const Json& body) {
  if (const Json* const structured = body.Find("structured")) {
    return StructuredResult(*structured).value();
  }
  if (const std::optional<std::string> text = body.TextOf("text")) {
    return TextResult(*text).value();
  }
  const Json* const result = body.Find("result");
  const Json* const content = result == nullptr ? nullptr : result->Find("content");
  return content != nullptr && content->Is<JsonArray>() ? std::optional(*result) : std::nullopt;
}

// A task was stored as if the queue had tried it first.
std::int64_t AttemptOf(const tasks::TaskRecord& record) {
  return record.lease ? record.lease->attempt - 1 : 0;
}

std::int64_t AttemptsMax(const Tool& tool) {
  return tool.restartable ? tool.for_workers->attempts_max : 1;
}

}  // namespace

std::string WorkGroup(std::string_view tool) {
  return "work:" + std::string(tool);
}

std::string WorkDesk::Encode(const ClaimedTask& held) {
  const auto lease = std::chrono::duration_cast<std::chrono::milliseconds>(held.lease).count();
  return base::EncodeBase64(Json(JsonArray{held.owner, held.task, held.worker, lease}).ToText());
}

std::optional<WorkDesk::ClaimedTask> WorkDesk::Decode(const Json& body) {
  const auto bytes = base::DecodeBase64(body.TextOf("claim").value_or(""));
  const Result<Json> json = Json::Parse(bytes.value_or(""));
  const auto* const parts = json ? json->If<JsonArray>() : nullptr;
  if (parts == nullptr || parts->size() != 4 || !(*parts)[0].Is<std::string>() ||
      !(*parts)[1].Is<std::string>() || !(*parts)[2].Is<std::string>()) {
    return std::nullopt;
  }
  const std::int64_t lease = (*parts)[3].ToInt64().value_or(0);
  if (lease < 1 || lease > static_cast<std::int64_t>(kLeaseSecondsMax * 1000)) {
    return std::nullopt;
  }
  return ClaimedTask{.owner = *(*parts)[0].If<std::string>(),
                     .task = *(*parts)[1].If<std::string>(),
                     .worker = *(*parts)[2].If<std::string>(),
                     .lease = std::chrono::milliseconds(lease)};
}

WorkDesk::Answer WorkDesk::Take(std::string_view what, const Json& body) {
  if (!body.Is<JsonObject>()) {
    return ErrorAnswer(400, "the body must be a JSON object");
  }
  if (what == "claim") {
    return Claim(body);
  }
  const std::optional<ClaimedTask> held = Decode(body);
  if (!held) {
    return ErrorAnswer(400, "\"claim\" must be what claiming a task gave");
  }
  if (what == "heartbeat") {
    return Heartbeat(*held, body);
  }
  if (what == "complete") {
    return Complete(*held, body);
  }
  return what == "fail" ? Fail(*held, body)
                        : ErrorAnswer(404, "there are claim, heartbeat, complete and fail");
}

WorkDesk::Answer WorkDesk::Refused(const Error& error) const {
  if (tasks::IsStoreFailure(error.code) || error.code == ErrorCode::kConflict) {
    return ErrorAnswer(503, "the store fails; send this again");
  }
  if (error.code == ErrorCode::kTooLarge) {
    return ErrorAnswer(413, error.message);
  }
  if (error.code == ErrorCode::kValidation) {
    return ErrorAnswer(400, error.message);
  }
  return ErrorAnswer(410, "the task has ended, or belongs to another worker; leave it");
}

WorkDesk::Answer WorkDesk::Claim(const Json& body) {
  const std::string worker = body.TextOf("worker").value_or("");
  const Json* const listed = body.Find("tools");
  const auto* const tools = listed == nullptr ? nullptr : listed->If<JsonArray>();
  const std::optional<Duration> lease = LeaseOf(body);
  if (worker.empty() || worker.size() > kNameBytesMax) {
    return ErrorAnswer(400, "\"worker\" must be a name of up to 128 bytes");
  }
  if (tools == nullptr || tools->empty() || tools->size() > kToolsMax) {
    return ErrorAnswer(400, "\"tools\" must be a list of 1 to 32 names");
  }
  if (!lease) {
    return ErrorAnswer(400, "\"leaseSeconds\" must be a number from 0.1 to 3600");
  }
  for (const Json& name : *tools) {
    const auto tool = name.Is<std::string>() ? core_.FindTool(*name.If<std::string>()) : nullptr;
    if (!tool || !tool->for_workers) {
      return ErrorAnswer(400, "there is no tool " + name.ToText() + " for workers");
    }
    const Result<std::vector<tasks::RecordKey>> waiting = Waiting(tool->name);
    if (!waiting) {
      return Refused(waiting.error());
    }
    for (const tasks::RecordKey& key : *waiting) {
      if (Json claimed = ClaimOne(*tool, key, worker, *lease); !claimed.is_null()) {
        return {.body = std::move(claimed)};
      }
    }
  }
  return {.status = 204};
}

Result<std::vector<tasks::RecordKey>> WorkDesk::Waiting(const std::string& tool) {
  Result<std::vector<tasks::RecordKey>> keys =
      core_.store().ListLapsed(WorkGroup(tool), kLookedAtMax);
  if (keys) {
    const MutexLock lock(mutex_);
    const std::string& last = last_owner_[tool];
    std::ranges::stable_partition(*keys, [&](const auto& key) { return key.owner != last; });
  }
  return keys;
}

Json WorkDesk::ClaimOne(const Tool& tool, const tasks::RecordKey& key, const std::string& worker,
                        Duration lease) {
  const ClaimedTask held{.owner = key.owner,
                         .task = key.task,
                         .worker = worker + "/" + core_.options().random->Uuid(),
                         .lease = lease};
  const auto record =
      core_.store().Claim(key.owner, key.task, held.worker, WorkGroup(tool.name), lease);
  if (!record) {
    return nullptr;
  }
  const std::int64_t attempt = AttemptOf(*record);
  if (attempt > AttemptsMax(tool)) {
    Bury(held, "the worker was lost");
    return nullptr;
  }
  {
    const MutexLock lock(mutex_);
    last_owner_[tool.name] = key.owner;
  }
  core_.Note(TaskEvent::kClaimed, key.owner, key.task, "worker " + worker,
             "attempt " + std::to_string(attempt));
  return JsonObject{{"claim", Encode(held)},
                    {"taskId", key.task},
                    {"owner", key.owner},
                    {"tool", tool.name},
                    {"arguments", record->arguments.value_or(JsonObject())},
                    {"attempt", attempt},
                    {"attemptsMax", AttemptsMax(tool)}};
}

WorkDesk::Answer WorkDesk::Heartbeat(const ClaimedTask& held, const Json& body) {
  const auto renewed = core_.store().Renew(held.owner, held.task, held.worker, held.lease);
  if (!renewed) {
    return Refused(renewed.error());
  }
  const std::optional<std::string> message = body.TextOf("message");
  if (message && message != renewed->status_message) {
    const auto told =
        core_.store().SetMessage(held.owner, held.task, message->substr(0, kMessageBytesMax));
    if (!told) {
      return Refused(told.error());
    }
    core_.TaskChanged(held.owner, held.task);
  }
  return {};
}

WorkDesk::Answer WorkDesk::Finish(const ClaimedTask& held,
                                  const tasks::CompleteTaskInput& completion) {
  const auto done = core_.store().Complete(held.owner, held.task, completion);
  if (!done) {
    // The answer to the first time may have been lost.
    const auto record = core_.store().Get(held.owner, held.task);
    const bool is_told_again =
        record && record->task.status == completion.status && record->result == completion.result;
    return is_told_again ? Answer{} : Refused(done.error());
  }
  core_.NoteEnd(*done, "worker " + held.worker);
  core_.TaskChanged(held.owner, held.task);
  return {};
}

WorkDesk::Answer WorkDesk::Complete(const ClaimedTask& held, const Json& body) {
  std::optional<Json> result = ResultOf(body);
  if (!result) {
    return ErrorAnswer(400, "\"text\", \"structured\" or \"result\" (with content) must be there");
  }
  const auto record = core_.store().Get(held.owner, held.task);
  if (!record) {
    return Refused(record.error());
  }
  const auto tool = core_.FindTool(record->tool_name.value_or(""));
  if (tool && tool->output_schema) {
    const Json* const structured = result->Find("structuredContent");
    const std::string problem =
        structured == nullptr ? "\"structured\" is missing, which the tool's output schema wants"
                              : ProblemWith(*structured, *tool->output_schema, "structured");
    if (!problem.empty()) {
      return ErrorAnswer(400, problem);
    }
  }
  return Finish(
      held,
      {.status = TaskStatus::kCompleted, .result = *std::move(result), .worker = held.worker});
}

WorkDesk::Answer WorkDesk::Fail(const ClaimedTask& held, const Json& body) {
  const std::string why = body.TextOf("message").value_or("").substr(0, kMessageBytesMax);
  if (why.empty()) {
    return ErrorAnswer(400, "\"message\" must say why");
  }
  const auto record = core_.store().Get(held.owner, held.task);
  if (!record) {
    return Refused(record.error());
  }
  const auto tool = core_.FindTool(record->tool_name.value_or(""));
  const Json* const retry = body.Find("retry");
  const bool may_retry = retry == nullptr || *retry == Json(true);
  const bool is_held = record->lease && record->lease->worker == held.worker;
  if (is_held && may_retry && tool && tool->for_workers &&
      AttemptOf(*record) < AttemptsMax(*tool)) {
    return Again(held, *tool, AttemptOf(*record), why);
  }
  const Answer answer = Finish(held, {.status = TaskStatus::kFailed,
                                      .message = why,
                                      .result = ErrorResult(why).value(),
                                      .worker = held.worker});
  if (answer.status == 200) {
    static_cast<void>(core_.store().KeepDead(held.owner, held.task));
  }
  return answer;
}

WorkDesk::Answer WorkDesk::Again(const ClaimedTask& held, const Tool& tool, std::int64_t attempt,
                                 const std::string& why) {
  const RetryPolicy& policy = *tool.for_workers;
  const Duration pause = BackoffBefore(static_cast<int>(attempt - 1), policy.first_pause,
                                       policy.longest_pause, *core_.options().random);
  const auto moved = core_.store().Renew(held.owner, held.task, held.worker, pause);
  if (!moved) {
    return Refused(moved.error());
  }
  core_.Note(TaskEvent::kRetried, held.owner, held.task, "worker " + held.worker, why);
  static_cast<void>(core_.store().SetMessage(
      held.owner, held.task, "attempt " + std::to_string(attempt) + " failed: " + why));
  core_.TaskChanged(held.owner, held.task);
  return {.body = JsonObject{{"retryInSeconds", std::chrono::duration<double>(pause).count()}}};
}

void WorkDesk::Bury(const ClaimedTask& held, const std::string& why) {
  const std::string message = why + ", and the task was tried as often as it may be";
  const auto failed =
      core_.store().Complete(held.owner, held.task,
                             {.status = TaskStatus::kFailed,
                              .message = message,
                              .error = tasks::TaskFault{.code = kInternalError, .message = message},
                              .worker = held.worker});
  if (failed) {
    core_.NoteEnd(*failed, core_.ThisServer(), message);
    static_cast<void>(core_.store().KeepDead(held.owner, held.task));
    core_.TaskChanged(held.owner, held.task);
  }
}

}  // namespace stator::mcp

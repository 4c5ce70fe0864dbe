#include "console/store_changes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "console/guarded_database.h"
#include "console/json_page.h"
#include "stator/stores/sessions/session_store.h"
#include "stator/stores/tasks/json.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::console {
namespace {

// The code of the failure is a name of ours, so the page need not read messages. `cause` is what the
// database said, if that is why.
server::Page FailurePage(const Error& error, const Error& cause) {
  if (cause.code == ErrorCode::kAccessDenied) {
    return Failure(403, "AccessDenied", cause.message);
  }
  switch (error.code) {
    case ErrorCode::kNotFound:
    case ErrorCode::kExpired:
      return Failure(404, "NotFound", error.message);
    case ErrorCode::kIllegalTransition:
    case ErrorCode::kConflict:
    case ErrorCode::kStale:
      return Failure(409, "Conflict", error.message);
    case ErrorCode::kValidation:
      return Failure(400, "BadRequest", error.message);
    default:
      return Failure(cause.code == ErrorCode::kResourceNotFound ? 404 : 503, NameOf(cause.code),
                     cause.message);
  }
}

server::Page TaskFailure(const Error& error) {
  return FailurePage(error, tasks::FactsOf(error).cause.value_or(error));
}

server::Page SessionFailure(const Error& error) {
  return FailurePage(error, sessions::FactsOf(error).cause.value_or(error));
}

struct InvalidationAsked {
  std::string table;
  std::string session;
  std::string step;
  bool with_step = false;  // and all behind it; or only those
  const sessions::Workflow* workflow = nullptr;
};

Result<InvalidationAsked> ParseInvalidation(std::span<const sessions::Workflow> workflows,
                                            std::string_view body) {
  const tasks::Json json = TRY(tasks::Json::Parse(body));
  std::optional<std::string> table = json.TextOf("table");
  std::optional<std::string> session = json.TextOf("session");
  std::optional<std::string> from = json.TextOf("from");
  std::optional<std::string> after = json.TextOf("after");
  const std::optional<std::string> name = json.TextOf("workflow");
  if (!table || !session || !name || from.has_value() == after.has_value()) {
    return Invalid(
        "The body is {\"table\": …, \"workflow\": …, \"session\": …, \"from\" or \"after\": a "
        "step}.");
  }
  const auto workflow = std::ranges::find(
      workflows, *name, [](const sessions::Workflow& each) { return each.spec().name; });
  if (workflow == workflows.end()) {
    return Invalid("There is no workflow '" + *name + "' here; --workflow names its file.");
  }
  return InvalidationAsked{.table = *std::move(table),
                           .session = *std::move(session),
                           .step = from ? *std::move(from) : *std::move(after),
                           .with_step = from.has_value(),
                           .workflow = &*workflow};
}

tasks::Json ToArray(const std::vector<std::string>& texts) {
  return tasks::JsonArray(texts.begin(), texts.end());
}

server::Page InvalidationPage(const std::vector<std::string>& steps,
                              const Result<sessions::Invalidation>& done) {
  if (!done && done.error().code != ErrorCode::kIncomplete) {
    return SessionFailure(done.error());
  }
  const std::vector<std::string> none;
  return Json(tasks::Json(tasks::JsonObject{
                              {"steps", ToArray(steps)},
                              {"deleted", ToArray(done ? done->deleted : none)},
                              {"remaining",
                               ToArray(done ? none : sessions::FactsOf(done.error()).remaining)}})
                  .ToText());
}

}  // namespace

server::Page CancelTask(Database& database, const wire::Caller& caller, std::string_view body) {
  const Result<tasks::Json> asked = tasks::Json::Parse(body);
  const std::optional<std::string> table = asked ? asked->TextOf("table") : std::nullopt;
  const std::optional<std::string> owner = asked ? asked->TextOf("owner") : std::nullopt;
  const std::optional<std::string> task = asked ? asked->TextOf("task") : std::nullopt;
  if (!table || !owner || !task) {
    return Failure(400, "BadRequest", "The body is {\"table\": …, \"owner\": …, \"task\": …}.");
  }
  GuardedDatabase guarded(database, caller);
  auto store =
      tasks::TaskStore::Open(guarded, {.table = *table, .retry = {.budget = Duration::zero()}});
  if (!store) {
    return TaskFailure(store.error());
  }
  const Result<tasks::TaskRecord> cancelled = store->Cancel(*owner, *task);
  return cancelled ? Json(tasks::Json(tasks::ToJson(cancelled->task)).ToText())
                   : TaskFailure(cancelled.error());
}

server::Page InvalidateSession(Database& database, std::span<const sessions::Workflow> workflows,
                               const wire::Caller& caller, std::string_view body) {
  const Result<InvalidationAsked> asked = ParseInvalidation(workflows, body);
  if (!asked) {
    return Failure(400, "BadRequest", asked.error().message);
  }
  const Result<std::vector<std::string>> steps = asked->with_step
                                                     ? asked->workflow->StepsFrom(asked->step)
                                                     : asked->workflow->StepsAfter(asked->step);
  if (!steps) {
    return Failure(400, "BadRequest", steps.error().message);
  }
  GuardedDatabase guarded(database, caller);
  const auto store =
      sessions::SessionStore::Open(guarded, {.workflow = *asked->workflow, .table = asked->table});
  if (!store) {
    return SessionFailure(store.error());
  }
  const Result<sessions::Session> session = store->AsWorker(asked->session);
  if (!session) {
    return SessionFailure(session.error());
  }
  return InvalidationPage(*steps, asked->with_step ? session->InvalidateFrom(asked->step)
                                                   : session->InvalidateAfter(asked->step));
}

}  // namespace stator::console

#include "console/store_changes.h"

#include <optional>
#include <string>

#include "console/guarded_database.h"
#include "console/json_page.h"
#include "stator/stores/tasks/json.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::console {
namespace {

// The code of the failure is a name of ours, so the page need not read messages.
server::Page FailurePage(const Error& error) {
  const Error& cause = tasks::FactsOf(error).cause.value_or(error);
  if (cause.code == ErrorCode::kAccessDenied) {
    return Failure(403, "AccessDenied", cause.message);
  }
  switch (error.code) {
    case ErrorCode::kNotFound:
    case ErrorCode::kExpired:
      return Failure(404, "NotFound", error.message);
    case ErrorCode::kIllegalTransition:
    case ErrorCode::kConflict:
      return Failure(409, "Conflict", error.message);
    case ErrorCode::kValidation:
      return Failure(400, "BadRequest", error.message);
    default:
      return Failure(cause.code == ErrorCode::kResourceNotFound ? 404 : 503, NameOf(cause.code),
                     cause.message);
  }
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
    return FailurePage(store.error());
  }
  const Result<tasks::TaskRecord> cancelled = store->Cancel(*owner, *task);
  return cancelled ? Json(tasks::Json(tasks::ToJson(cancelled->task)).ToText())
                   : FailurePage(cancelled.error());
}

}  // namespace stator::console

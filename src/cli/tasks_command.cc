#include "cli/tasks_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/print_line.h"
#include "cli/shared_options.h"
#include "stator/base/random.h"
#include "stator/blobs/open_blobs.h"
#include "stator/home/open.h"
#include "stator/stores/tasks/database_backend.h"
#include "stator/stores/tasks/task_store.h"
#include "stator/stores/tasks/task_survey.h"

namespace stator::cli {
namespace {

using tasks::Json;

// Beyond every time for which something waits.
constexpr Duration kForEver = std::chrono::years(100);

// The store and what it stands on, for one command.
struct Opened {
  std::unique_ptr<Database> database;
  std::unique_ptr<tasks::DatabaseBackend> backend;
  std::unique_ptr<BlobStore> blobs;
  std::optional<tasks::TaskStore> store;
};

Result<Opened> OpenStore(const TasksArguments& arguments) {
  Opened opened;
  opened.database = TRY(Open(arguments.data, {.create_if_missing = false}));
  opened.backend = std::make_unique<tasks::DatabaseBackend>(
      *opened.database, tasks::DatabaseBackendOptions{.table = arguments.table});
  if (!arguments.blobs.empty()) {
    opened.blobs = TRY(OpenBlobs(arguments.blobs));
  }
  opened.store.emplace(TRY(tasks::TaskStore::Open(*opened.backend, {.blobs = opened.blobs.get()})));
  return opened;
}

// Whoever types commands may see what the database said; a task's client may not.
Error FailureOf(Error error) {
  if (const std::optional<Error>& cause = tasks::FactsOf(error).cause) {
    error.message += ": " + cause->message;
  }
  return error;
}

void PrintTask(const tasks::Task& task, bool as_json) {
  const Json json = tasks::ToJson(task);
  if (as_json) {
    PrintLine(json.ToText());
    return;
  }
  std::printf(
      "%s  %-14s  %s  %s\n", task.id.c_str(), std::string(tasks::NameOf(task.status)).c_str(),
      json.TextOf("createdAt").value_or("").c_str(), task.status_message.value_or("").c_str());
}

Result<int> List(const TasksArguments& arguments) {
  Opened opened = TRY(OpenStore(arguments));
  std::size_t left = arguments.limit;
  std::optional<std::string> cursor;
  do {
    const auto page = opened.store->List(arguments.owner, cursor, std::min<std::size_t>(left, 100));
    if (!page) {
      return std::unexpected(FailureOf(page.error()));
    }
    for (const tasks::Task& task : page->tasks) {
      PrintTask(task, arguments.json);
    }
    left -= page->tasks.size();
    cursor = page->next_cursor;
  } while (cursor && left > 0);
  return kSuccess;
}

Result<int> Show(const TasksArguments& arguments) {
  Opened opened = TRY(OpenStore(arguments));
  const auto record = opened.backend->Get({.owner = arguments.owner, .task = arguments.task});
  const auto task = opened.store->Get(arguments.owner, arguments.task);
  if (!task || !record) {
    return std::unexpected(!task ? FailureOf(task.error()) : record.error());
  }
  if (arguments.json) {
    PrintLine(record->data);
    return kSuccess;
  }
  PrintTask(task->task, /*as_json=*/false);
  std::printf("version    %llu\n", static_cast<unsigned long long>(task->version));
  PrintLine("tool       " + task->tool_name.value_or("-"));
  PrintLine("arguments  " + task->arguments.value_or(nullptr).ToText());
  PrintLine("variables  " + Json(task->variables).ToText());
  PrintLine("result     " + (task->result        ? task->result->ToText()
                             : task->result_blob ? "in --blobs: " + *task->result_blob
                                                 : "-"));
  if (task->error) {
    PrintLine("error      " + std::to_string(task->error->code) + " " + task->error->message);
  }
  if (task->lease) {
    PrintLine("worker     " + task->lease->worker + ", attempt " +
              std::to_string(task->lease->attempt));
  }
  return kSuccess;
}

Result<int> Cancel(const TasksArguments& arguments) {
  Opened opened = TRY(OpenStore(arguments));
  const auto cancelled = opened.store->Cancel(arguments.owner, arguments.task);
  if (!cancelled) {
    return std::unexpected(FailureOf(cancelled.error()));
  }
  PrintTask(cancelled->task, arguments.json);
  return kSuccess;
}

Result<int> Purge(const TasksArguments& arguments) {
  Opened opened = TRY(OpenStore(arguments));
  std::size_t removed = 0;
  std::optional<std::string> cursor;
  do {
    const auto page = opened.store->List(arguments.owner, cursor, 100);
    if (!page) {
      return std::unexpected(FailureOf(page.error()));
    }
    for (const tasks::Task& task : page->tasks) {
      if (!arguments.all && !tasks::IsTerminal(task.status)) {
        continue;
      }
      ++removed;
      if (arguments.dry_run) {
        continue;
      }
      if (const auto deleted = opened.store->Delete(arguments.owner, task.id); !deleted) {
        return std::unexpected(FailureOf(deleted.error()));
      }
    }
    cursor = page->next_cursor;
  } while (cursor);
  PrintLine((arguments.dry_run ? "would remove " : "removed ") + std::to_string(removed) +
            " tasks");
  return kSuccess;
}

// The numbers of an owner, or of all.
void PrintTasks(const std::string& owner, const tasks::OwnerTasks& tasks, bool as_json) {
  tasks::JsonObject statuses;
  std::string text;
  for (const auto& [status, count] : tasks.by_status) {
    statuses.Set(status, count);
    text += "  " + status + " " + std::to_string(count);
  }
  if (as_json) {
    PrintLine(Json(tasks::JsonObject{{"owner", owner},
                                     {"tasks", std::move(statuses)},
                                     {"leased", tasks.leased},
                                     {"lapsed", tasks.lapsed},
                                     {"dead", tasks.dead}})
                  .ToText());
    return;
  }
  PrintLine(owner + text + "  (leases held " + std::to_string(tasks.leased) + ", lapsed " +
            std::to_string(tasks.lapsed) + ", dead " + std::to_string(tasks.dead) + ")");
}

Result<int> Survey(const TasksArguments& arguments) {
  const std::unique_ptr<Database> database =
      TRY(Open(arguments.data, {.create_if_missing = false}));
  const auto owners = TRY(tasks::SurveyTasks(*database, arguments.table, SystemClock().Now()));
  tasks::OwnerTasks all;
  for (const auto& [owner, tasks] : owners) {
    if (arguments.action == TasksAction::kOwners) {
      PrintTasks(owner, tasks, arguments.json);
    }
    for (const auto& [status, count] : tasks.by_status) {
      all.by_status[status] += count;
    }
    all.leased += tasks.leased;
    all.lapsed += tasks.lapsed;
    all.dead += tasks.dead;
  }
  if (arguments.action == TasksAction::kStats) {
    PrintTasks(std::to_string(owners.size()) + " owners", all, arguments.json);
  }
  return kSuccess;
}

// Those that wait for somebody or for their time.
Result<int> ListWaiting(const TasksArguments& arguments) {
  Opened opened = TRY(OpenStore(arguments));
  const bool of_time = arguments.action == TasksAction::kSchedules;
  const auto keys = arguments.action == TasksAction::kDead ? opened.store->ListDead(arguments.limit)
                    : of_time ? opened.store->ListDue(arguments.group, arguments.limit, kForEver)
                              : opened.store->ListLapsed(arguments.group, arguments.limit);
  if (!keys) {
    return std::unexpected(FailureOf(keys.error()));
  }
  for (const tasks::RecordKey& key : *keys) {
    const auto task = opened.store->Poll(key.owner, key.task);
    const std::string status = task ? std::string(tasks::NameOf(task->status)) : "gone";
    const std::string message = task ? task->status_message.value_or("") : "";
    PrintLine(arguments.json ? Json(tasks::JsonObject{{"owner", key.owner},
                                                      {"taskId", key.task},
                                                      {"status", status},
                                                      {"statusMessage", message}})
                                   .ToText()
                             : key.task + "  " + status + "  " + key.owner + "  " + message);
  }
  return kSuccess;
}

Result<int> Retry(const TasksArguments& arguments) {
  Opened opened = TRY(OpenStore(arguments));
  const auto old = opened.store->Get(arguments.owner, arguments.task);
  if (!old) {
    return std::unexpected(FailureOf(old.error()));
  }
  const Json* const group = old->context ? old->context->Find(tasks::kGroupContext) : nullptr;
  const auto made = opened.store->TryAgain(
      arguments.owner, arguments.task,
      group != nullptr && group->Is<std::string>() ? *group->If<std::string>() : arguments.group);
  if (!made) {
    return std::unexpected(FailureOf(made.error()));
  }
  PrintTask(made->task, arguments.json);
  return kSuccess;
}

Result<int> MakeSchedule(const TasksArguments& arguments) {
  const Result<Json> called_with = Json::Parse(arguments.arguments);
  if (!called_with || !called_with->Is<tasks::JsonObject>()) {
    return Invalid("--arguments must be a JSON object");
  }
  tasks::JsonObject rules{{"missed", arguments.missed}};
  for (const auto& [name, text] :
       {std::pair("every", arguments.every), std::pair("cron", arguments.cron)}) {
    if (!text.empty()) {
      rules.Set(name, text);
    }
  }
  const tasks::Schedule schedule = TRY(tasks::Schedule::FromJson(rules));
  Opened opened = TRY(OpenStore(arguments));
  tasks::CreateTaskInput input{
      .method = "tools/call",
      .tool_name = arguments.tool,
      .arguments = *called_with,
      .created_by = "stator tasks schedule",
      .later = tasks::LaterRequest{
          .worker = SystemRandom().Uuid(), .group = arguments.group, .schedule = schedule}};
  if (!arguments.key.empty()) {
    input.idempotency_key = arguments.key;
  }
  const auto made = opened.store->Create({.id = arguments.owner}, input);
  if (!made) {
    return std::unexpected(FailureOf(made.error()));
  }
  PrintTask(made->task, arguments.json);
  return kSuccess;
}

Result<int> Sweep(const TasksArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  const std::size_t removed = TRY(
      tasks::SweepResults(*opened.database, arguments.table, *opened.blobs, SystemClock().Now()));
  PrintLine("removed " + std::to_string(removed) + " results that no task has");
  return kSuccess;
}

Result<int> Run(const TasksArguments& arguments) {
  switch (arguments.action) {
    case TasksAction::kList:
      return List(arguments);
    case TasksAction::kShow:
      return Show(arguments);
    case TasksAction::kCancel:
      return Cancel(arguments);
    case TasksAction::kOwners:
    case TasksAction::kStats:
      return Survey(arguments);
    case TasksAction::kLapsed:
    case TasksAction::kDead:
    case TasksAction::kSchedules:
      return ListWaiting(arguments);
    case TasksAction::kSchedule:
      return MakeSchedule(arguments);
    case TasksAction::kRetry:
      return Retry(arguments);
    case TasksAction::kSweep:
      return Sweep(arguments);
    case TasksAction::kPurge:
      break;
  }
  return Purge(arguments);
}

CLI::App* AddAction(CLI::App& parent, TasksArguments& arguments, TasksAction action,
                    const std::string& name, const std::string& help) {
  CLI::App* command = parent.add_subcommand(name, help);
  AddData(*command, arguments.data);
  command->add_option("--table", arguments.table, "Name of the table; $STATOR_TASKS_TABLE")
      ->capture_default_str();
  command->callback([&arguments, action] { arguments.action = action; });
  return command;
}

void AddOwner(CLI::App& command, TasksArguments& arguments) {
  command.add_option("--owner", arguments.owner, "Whose tasks")->capture_default_str();
}

void AddSurveys(CLI::App& parent, TasksArguments& arguments) {
  CLI::App* owners = AddAction(parent, arguments, TasksAction::kOwners, "owners",
                               "Who has tasks, and how many of which status");
  CLI::App* stats =
      AddAction(parent, arguments, TasksAction::kStats, "stats", "The same, of all together");
  CLI::App* lapsed =
      AddAction(parent, arguments, TasksAction::kLapsed, "lapsed",
                "Tasks that wait for a worker, or whose worker was lost; the oldest first");
  lapsed
      ->add_option("--group", arguments.group, "Of which processes; work:TOOL for those of workers")
      ->capture_default_str();
  CLI::App* dead = AddAction(parent, arguments, TasksAction::kDead, "dead",
                             "Tasks that were tried as often as they may be");
  CLI::App* schedules =
      AddAction(parent, arguments, TasksAction::kSchedules, "schedules",
                "Schedules and tasks that begin later, of all owners; the next ones first");
  schedules->add_option("--group", arguments.group, "Of which processes")->capture_default_str();
  for (CLI::App* command : {lapsed, dead, schedules}) {
    command->add_option("--limit", arguments.limit, "At most so many")->capture_default_str();
  }
  for (CLI::App* command : {owners, stats, lapsed, dead, schedules}) {
    command->add_flag("--json", arguments.json, "Lines of JSON");
  }
}

void AddSchedule(CLI::App& parent, TasksArguments& arguments) {
  CLI::App* schedule =
      AddAction(parent, arguments, TasksAction::kSchedule, "schedule",
                "Call a tool again and again, as tasks of servers that run; `cancel` ends it");
  AddOwner(*schedule, arguments);
  schedule->add_option("tool", arguments.tool, "Name of the tool")->required();
  schedule->add_option("--every", arguments.every, "How often: 30s, 15m, 6h, 1d");
  schedule->add_option("--cron", arguments.cron, "When, in UTC: \"30 2 * * mon-fri\"");
  schedule->add_option("--arguments", arguments.arguments, "A JSON object")->capture_default_str();
  schedule
      ->add_option("--missed", arguments.missed,
                   "What becomes of times that passed while no server ran: one task for them, or "
                   "all")
      ->check(CLI::IsMember({"one", "all"}))
      ->capture_default_str();
  schedule->add_option("--key", arguments.key,
                       "A name: repeating the command with it gives the same schedule");
  schedule->add_option("--group", arguments.group, "Of which processes")->capture_default_str();
  schedule->add_flag("--json", arguments.json, "As JSON");
}

}  // namespace

void AddTasks(CLI::App& app, TasksArguments& arguments) {
  DefaultToEnvironment(arguments.data);
  DefaultToEnvironment(arguments.table, "STATOR_TASKS_TABLE");
  CLI::App* parent = app.add_subcommand("tasks", "Look into the task store");
  parent->require_subcommand(1);
  parent->footer(
      "Examples:\n"
      "  stator tasks ls --data ./data --owner local\n"
      "  stator tasks stats --data http://127.0.0.1:8000\n"
      "  stator tasks schedule report --cron \"30 2 * * mon-fri\" --data ./data\n"
      "  stator tasks purge --data ./data --dry-run");
  CLI::App* list = AddAction(*parent, arguments, TasksAction::kList, "ls", "List tasks");
  AddOwner(*list, arguments);
  list->add_option("--limit", arguments.limit, "At most so many")->capture_default_str();
  list->add_flag("--json", arguments.json, "A line of JSON per task");
  CLI::App* show = AddAction(*parent, arguments, TasksAction::kShow, "show", "Show one task");
  CLI::App* cancel = AddAction(*parent, arguments, TasksAction::kCancel, "cancel", "Cancel a task");
  CLI::App* retry = AddAction(*parent, arguments, TasksAction::kRetry, "retry",
                              "Do again what a task was to do that failed; prints the new one");
  for (CLI::App* command : {show, cancel, retry}) {
    AddOwner(*command, arguments);
    command->add_option("task", arguments.task, "Id of the task")->required();
    command->add_flag("--json", arguments.json, "As JSON");
  }
  constexpr const char* kBlobs =
      "Where large results are: a directory, s3://BUCKET/PREFIX?region=…";
  show->add_option("--blobs", arguments.blobs, kBlobs);
  AddAction(*parent, arguments, TasksAction::kSweep, "sweep",
            "Remove large results that no task has any more, older than 1 h")
      ->add_option("--blobs", arguments.blobs, kBlobs)
      ->required();
  CLI::App* purge =
      AddAction(*parent, arguments, TasksAction::kPurge, "purge", "Remove tasks that have ended");
  AddOwner(*purge, arguments);
  AddSurveys(*parent, arguments);
  AddSchedule(*parent, arguments);
  purge->add_flag("--all", arguments.all, "Those that have not ended, too");
  purge->add_flag("--dry-run", arguments.dry_run, "Only say how many");
}

int RunTasks(const TasksArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli

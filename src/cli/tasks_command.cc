#include "cli/tasks_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/print_line.h"
#include "cli/shared_options.h"
#include "stator/home/open.h"
#include "stator/stores/tasks/database_backend.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::cli {
namespace {

using tasks::Json;

// The store and what it stands on, for one command.
struct Opened {
  std::unique_ptr<Database> database;
  std::unique_ptr<tasks::DatabaseBackend> backend;
  std::optional<tasks::TaskStore> store;
};

Result<Opened> OpenStore(const TasksArguments& arguments) {
  Opened opened;
  opened.database = TRY(Open(arguments.data, {.create_if_missing = false}));
  opened.backend = std::make_unique<tasks::DatabaseBackend>(
      *opened.database, tasks::DatabaseBackendOptions{.table = arguments.table});
  opened.store.emplace(TRY(tasks::TaskStore::Open(*opened.backend)));
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
  PrintLine("result     " + (task->result ? task->result->ToText() : "-"));
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

Result<int> Run(const TasksArguments& arguments) {
  switch (arguments.action) {
    case TasksAction::kList:
      return List(arguments);
    case TasksAction::kShow:
      return Show(arguments);
    case TasksAction::kCancel:
      return Cancel(arguments);
    case TasksAction::kPurge:
      break;
  }
  return Purge(arguments);
}

CLI::App* AddAction(CLI::App& parent, TasksArguments& arguments, TasksAction action,
                    const std::string& name, const std::string& help) {
  CLI::App* command = parent.add_subcommand(name, help);
  AddData(*command, arguments.data);
  command->add_option("--table", arguments.table, "Name of the table")->capture_default_str();
  command->callback([&arguments, action] { arguments.action = action; });
  return command;
}

void AddOwner(CLI::App& command, TasksArguments& arguments) {
  command.add_option("--owner", arguments.owner, "Whose tasks")->capture_default_str();
}

}  // namespace

void AddTasks(CLI::App& app, TasksArguments& arguments) {
  DefaultToEnvironment(arguments.data);
  CLI::App* parent = app.add_subcommand("tasks", "Look into the task store");
  parent->require_subcommand(1);
  parent->footer(
      "Examples:\n"
      "  stator tasks ls --data ./data --owner local\n"
      "  stator tasks purge --data ./data --dry-run");
  CLI::App* list = AddAction(*parent, arguments, TasksAction::kList, "ls", "List tasks");
  AddOwner(*list, arguments);
  list->add_option("--limit", arguments.limit, "At most so many")->capture_default_str();
  list->add_flag("--json", arguments.json, "A line of JSON per task");
  CLI::App* show = AddAction(*parent, arguments, TasksAction::kShow, "show", "Show one task");
  CLI::App* cancel = AddAction(*parent, arguments, TasksAction::kCancel, "cancel", "Cancel a task");
  for (CLI::App* command : {show, cancel}) {
    AddOwner(*command, arguments);
    command->add_option("task", arguments.task, "Id of the task")->required();
    command->add_flag("--json", arguments.json, "As JSON");
  }
  CLI::App* purge =
      AddAction(*parent, arguments, TasksAction::kPurge, "purge", "Remove tasks that have ended");
  AddOwner(*purge, arguments);
  purge->add_flag("--all", arguments.all, "Those that have not ended, too");
  purge->add_flag("--dry-run", arguments.dry_run, "Only say how many");
}

int RunTasks(const TasksArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli

#include "cli/rewind_command.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/print_line.h"
#include "cli/shared_options.h"
#include "engine/history.h"
#include "stator/api/database.h"
#include "stator/home/open.h"
#include "value/plain_json.h"
#include "wire/moment.h"

namespace stator::cli {
namespace {

constexpr std::chrono::milliseconds kLook{200};

std::string TextOf(TimePoint time) {
  return engine::CommitTimeText(engine::CommitTimeOf(time));
}

// A rewind of much goes on behind its answer.
Result<void> AwaitRewound(Database& database, const std::string& table) {
  while (true) {
    const TableDescription now = TRY(database.DescribeTable({.table_name = table})).table;
    if (now.table_status == TableStatus::kActive) {
      return {};
    }
    SystemClock().SleepFor(kLook);
  }
}

Result<int> Rewind(const RewindArguments& arguments) {
  const std::optional<TimePoint> to = wire::ParseMoment(arguments.to);
  if (!to || *to == TimePoint::max()) {
    return Invalid("--to \"" + arguments.to +
                   "\" is no moment to go back to: give seconds since 1970 or a time like "
                   "2026-11-17T08:00:00Z, each with at most six decimals");
  }
  const std::unique_ptr<Database> database =
      TRY(Open(arguments.data, {.create_if_missing = false}));
  const RewindTableOutput rewound =
      TRY(database->RewindTable({.table_name = arguments.table, .rewind_date_time = *to}));
  if (rewound.rewind_in_progress) {
    std::fprintf(stderr,
                 "stator: much was changed since; the table is what it was when all of it is "
                 "taken back\n");
    TRY_VOID(AwaitRewound(*database, arguments.table));
  }
  if (arguments.json) {
    Item line{{"table", arguments.table},
              {"to", TextOf(rewound.rewind_date_time)},
              {"undo", TextOf(rewound.undo_date_time)}};
    if (!rewound.rewind_in_progress) {
      line.Set("items", rewound.items_changed);
    }
    PrintLine(value::ToPlainJson(line));
    return kSuccess;
  }
  PrintLine("table " + arguments.table + " is what it was at " + TextOf(rewound.rewind_date_time) +
            (rewound.rewind_in_progress
                 ? std::string()
                 : "; " + std::to_string(rewound.items_changed) + " items changed"));
  PrintLine("to undo it: stator rewind " + arguments.table + " --to " +
            TextOf(rewound.undo_date_time) + " --data " + arguments.data);
  return kSuccess;
}

Item LineOf(const CheckpointDescription& checkpoint) {
  return {{"name", checkpoint.checkpoint_name},
          {"time", TextOf(checkpoint.creation_date_time)},
          {"tables", checkpoint.table_count}};
}

void PrintCheckpoint(const CheckpointDescription& checkpoint, const std::string& what, bool json) {
  PrintLine(json ? value::ToPlainJson(LineOf(checkpoint))
                 : "checkpoint " + checkpoint.checkpoint_name + what);
}

Result<void> Restore(Database& database, const CheckpointArguments& arguments) {
  const RestoreCheckpointOutput restored =
      TRY(database.RestoreCheckpoint({.checkpoint_name = arguments.name}));
  if (arguments.json) {
    Item line = LineOf(restored.checkpoint_description);
    line.Set("items_changed", restored.items_changed);
    line.Set("tables_removed", restored.tables_removed);
    line.Set("tables_returned", restored.tables_returned);
    PrintLine(value::ToPlainJson(line));
    return {};
  }
  PrintLine("everything is what it was at the checkpoint " + arguments.name + ": " +
            std::to_string(restored.items_changed) + " items changed, " +
            std::to_string(restored.tables_removed) + " tables removed, " +
            std::to_string(restored.tables_returned) + " are there again");
  return {};
}

Result<void> List(Database& database, bool json) {
  for (const CheckpointDescription& checkpoint : TRY(database.ListCheckpoints({})).checkpoints) {
    PrintLine(json ? value::ToPlainJson(LineOf(checkpoint))
                   : TextOf(checkpoint.creation_date_time) + "  " + checkpoint.checkpoint_name +
                         "  (" + std::to_string(checkpoint.table_count) + " tables)");
  }
  return {};
}

Result<int> Checkpoint(const CheckpointArguments& arguments) {
  const std::unique_ptr<Database> database =
      TRY(Open(arguments.data, {.create_if_missing = false}));
  if (arguments.action == "list") {
    TRY_VOID(List(*database, arguments.json));
  } else if (arguments.action == "restore") {
    TRY_VOID(Restore(*database, arguments));
  } else if (arguments.action == "delete") {
    const auto gone = TRY(database->DeleteCheckpoint({.checkpoint_name = arguments.name}));
    PrintCheckpoint(gone.checkpoint_description, " is gone", arguments.json);
  } else {
    const auto made = TRY(database->CreateCheckpoint(
        {.checkpoint_name = arguments.name, .replace = arguments.replace}));
    PrintCheckpoint(made.checkpoint_description,
                    " has " + std::to_string(made.checkpoint_description.table_count) + " tables",
                    arguments.json);
  }
  return kSuccess;
}

}  // namespace

void AddRewind(CLI::App& app, RewindArguments& arguments) {
  CLI::App* rewind = app.add_subcommand("rewind", "Take a table back to what it was, in place");
  rewind->footer(
      "Example:\n  stator rewind orders --to 2026-11-17T08:00:00Z --data http://127.0.0.1:8000\n\n"
      "Of a table with point-in-time recovery. It is a change like any other: rewinding to the "
      "moment\nbefore, which it tells, undoes it.");
  rewind->add_option("table", arguments.table, "Name of the table")->required();
  rewind->add_option("--to", arguments.to, "The moment")->required();
  DefaultToEnvironment(arguments.data);
  AddData(*rewind, arguments.data);
  rewind->add_flag("--json", arguments.json, "What was done, as JSON");
}

void AddCheckpoint(CLI::App& app, CheckpointArguments& arguments) {
  CLI::App* checkpoint =
      app.add_subcommand("checkpoint", "Name a moment of a database, and go back to it");
  checkpoint->footer(
      "Example:\n  stator checkpoint create fixtures --data http://127.0.0.1:8000\n"
      "  stator checkpoint restore fixtures --data http://127.0.0.1:8000\n\n"
      "For tests: going back takes as long as what was changed since, and leaves no trace of it.");
  checkpoint->require_subcommand(1);
  DefaultToEnvironment(arguments.data);
  const auto add = [&](const char* action, const char* what, bool named) {
    CLI::App* command = checkpoint->add_subcommand(action, what);
    if (named) {
      command->add_option("name", arguments.name, "Name of the checkpoint")->required();
    }
    AddData(*command, arguments.data);
    command->add_flag("--json", arguments.json, "The answer as JSON");
    command->callback([&arguments, action] { arguments.action = action; });
    return command;
  };
  add("create", "Name this moment", true)
      ->add_flag("--replace", arguments.replace, "Take the place of one of that name");
  add("restore", "Go back to it", true);
  add("list", "Show those that there are", false);
  add("delete", "Forget it", true);
}

int RunRewind(const RewindArguments& arguments) {
  return ExitCodeOf(Rewind(arguments));
}

int RunCheckpoint(const CheckpointArguments& arguments) {
  return ExitCodeOf(Checkpoint(arguments));
}

}  // namespace stator::cli

#include "cli/sessions_command.h"

#include <CLI/CLI.hpp>

#include <ctime>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/console_sources.h"
#include "cli/print_line.h"
#include "cli/sessions_actions.h"
#include "cli/shared_options.h"
#include "stator/blobs/open_blobs.h"
#include "stator/home/open.h"
#include "stator/stores/sessions/session_store.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

std::string TimeText(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::string text(20, '\0');
  std::strftime(text.data(), text.size() + 1, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Result<int> List(const SessionsArguments& arguments) {
  const OpenedSessions opened = TRY(OpenSessions(arguments));
  for (const sessions::SessionLine& line :
       TRY(Plain(opened.store->ListSessions(arguments.limit)))) {
    if (arguments.json) {
      PrintLine(value::ToPlainJson(Item{{"id", line.id},
                                        {"owner", line.owner},
                                        {"state", line.state},
                                        {"createdAt", line.created_at},
                                        {"expiresAt", line.expires_at}}));
    } else {
      PrintLine(line.id + "  " + line.state + "  " + TimeText(line.created_at) + "  " +
                TimeText(line.expires_at) + "  " + line.owner);
    }
  }
  return kSuccess;
}

Item ToItem(const sessions::Record& record) {
  Item item{{"kind", record.kind},
            {"id", record.id},
            {"rev", record.revision()},
            {"expiresAt", record.expires_at},
            {"value", record.value}};
  if (record.lease) {
    item.Set("worker", record.lease->worker);
  }
  return item;
}

Result<int> Show(const SessionsArguments& arguments) {
  const OpenedSessions opened = TRY(OpenSessions(arguments));
  const sessions::Session session = TRY(Plain(opened.store->AsWorker(arguments.session)));
  const sessions::Summary summary = TRY(Plain(session.Load()));
  if (arguments.json) {
    stator::List records;
    for (const sessions::Record& record : summary.records) {
      records.emplace_back(ToItem(record));
    }
    PrintLine(value::ToPlainJson(Item{{"id", session.id()},
                                      {"session", summary.session.value},
                                      {"expiresAt", summary.session.expires_at},
                                      {"records", std::move(records)},
                                      {"unknown", summary.unknown.size()},
                                      {"hidden", summary.hidden}}));
    return kSuccess;
  }
  PrintLine("session  " + session.id() + "  " + summary.session.state + "  until " +
            TimeText(summary.session.expires_at));
  PrintLine("         " + value::ToPlainJson(summary.session.value));
  for (const sessions::Record& record : summary.records) {
    PrintLine(LineOf(record));
  }
  if (!summary.unknown.empty() || summary.hidden > 0) {
    PrintLine(std::to_string(summary.unknown.size()) + " items of unknown kinds, " +
              std::to_string(summary.hidden) + " invisible ones");
  }
  return kSuccess;
}

void PrintInvalidation(const sessions::Invalidation& done, bool json) {
  if (json) {
    PrintLine(
        value::ToPlainJson(Item{{"steps", stator::List(done.steps.begin(), done.steps.end())},
                                {"deleted", stator::List(done.deleted.begin(), done.deleted.end())},
                                {"blobsRemoved", done.blobs_removed}}));
    return;
  }
  for (const std::string& key : done.deleted) {
    PrintLine("removed " + key);
  }
  PrintLine(std::to_string(done.deleted.size()) + " records and " +
            std::to_string(done.blobs_removed) + " files removed");
}

Result<int> Invalidate(const SessionsArguments& arguments) {
  const OpenedSessions opened = TRY(OpenSessions(arguments));
  const sessions::Session session = TRY(Plain(opened.store->AsWorker(arguments.session)));
  PrintInvalidation(TRY(Plain(arguments.from.empty() ? session.InvalidateAfter(arguments.after)
                                                     : session.InvalidateFrom(arguments.from))),
                    arguments.json);
  return kSuccess;
}

Result<int> Expire(const SessionsArguments& arguments) {
  const OpenedSessions opened = TRY(OpenSessions(arguments));
  const sessions::Session session = TRY(Plain(opened.store->AsWorker(arguments.session)));
  PrintInvalidation(TRY(Plain(session.Expire())), arguments.json);
  return kSuccess;
}

Result<int> Run(const SessionsArguments& arguments) {
  switch (arguments.action) {
    case SessionsAction::kList:
      return List(arguments);
    case SessionsAction::kShow:
      return Show(arguments);
    case SessionsAction::kWatch:
      return WatchSessions(arguments);
    case SessionsAction::kInvalidate:
      return Invalidate(arguments);
    case SessionsAction::kSweep:
      return SweepSessions(arguments);
    case SessionsAction::kHeal:
      return HealSessions(arguments);
    case SessionsAction::kExpire:
      break;
  }
  return Expire(arguments);
}

CLI::App* AddAction(CLI::App& parent, SessionsArguments& arguments, SessionsAction action,
                    const std::string& name, const std::string& help) {
  CLI::App* command = parent.add_subcommand(name, help);
  AddData(*command, arguments.data);
  command->add_option("--table", arguments.table, "Name of the table")->capture_default_str();
  command->callback([&arguments, action] { arguments.action = action; });
  return command;
}

}  // namespace

Result<OpenedSessions> OpenSessions(const SessionsArguments& arguments) {
  sessions::Workflow workflow = TRY(ReadWorkflow(arguments.workflow));
  OpenedSessions opened;
  opened.database = TRY(Open(arguments.data, {.create_if_missing = false}));
  if (!arguments.blobs.empty()) {
    opened.blobs = TRY(OpenBlobs(arguments.blobs));
  }
  opened.store = TRY(sessions::SessionStore::Open(
      *opened.database,
      {.workflow = std::move(workflow), .table = arguments.table, .blobs = opened.blobs.get()}));
  return opened;
}

std::string LineOf(const sessions::Record& record) {
  std::string line = record.kind + "  " + record.id + "  " +
                     (record.state.empty() ? std::string("-") : record.state) + "  rev " +
                     std::to_string(record.revision());
  if (record.progress) {
    line += "  " + std::to_string(record.progress->done) + " of " +
            std::to_string(record.progress->total);
  }
  if (record.lease) {
    line += "  worker " + record.lease->worker;
  }
  return line;
}

void AddSessions(CLI::App& app, SessionsArguments& arguments) {
  DefaultToEnvironment(arguments.data);
  CLI::App* parent = app.add_subcommand("sessions", "Look into the session store");
  parent->require_subcommand(1);
  parent->footer(
      "Examples:\n"
      "  stator sessions ls --data ./data\n"
      "  stator sessions show 0f8fad5b-d9cb-469f-a165-70867728950e --json\n"
      "  stator sessions invalidate 0f8fad5b-d9cb-469f-a165-70867728950e --from enhancement\n"
      "  stator sessions heal");
  CLI::App* list =
      AddAction(*parent, arguments, SessionsAction::kList, "ls", "List living sessions");
  list->add_option("--limit", arguments.limit, "At most so many")->capture_default_str();
  CLI::App* show = AddAction(*parent, arguments, SessionsAction::kShow, "show", "Show a session");
  CLI::App* invalidate = AddAction(*parent, arguments, SessionsAction::kInvalidate, "invalidate",
                                   "Take away what steps have made");
  // One of the two.
  CLI::Option_group* steps = invalidate->add_option_group("Steps");
  steps->add_option("--from", arguments.from, "This step and all behind it");
  steps->add_option("--after", arguments.after, "Only those behind this step");
  steps->require_option(1);
  CLI::App* watch = AddAction(*parent, arguments, SessionsAction::kWatch, "watch",
                              "Print what changes in a session, until it ends");
  watch->add_option("--interval", arguments.interval, "Seconds between two looks")
      ->capture_default_str()
      ->check(CLI::Range(0.05, 3600.0));
  CLI::App* sweep = AddAction(*parent, arguments, SessionsAction::kSweep, "sweep",
                              "Remove what invalidations have left behind");
  CLI::App* heal = AddAction(*parent, arguments, SessionsAction::kHeal, "heal",
                             "Count items anew, and end work whose last worker died");
  CLI::App* expire = AddAction(*parent, arguments, SessionsAction::kExpire, "expire",
                               "End a session and remove what is in it");
  for (CLI::App* command : {show, watch, invalidate, expire}) {
    command->add_option("session", arguments.session, "Id of the session")->required();
  }
  for (CLI::App* command : {sweep, heal}) {
    command->add_option("session", arguments.session, "Id of the session; all if not given");
  }
  for (CLI::App* command : {invalidate, expire}) {
    command->add_option("--blobs", arguments.blobs,
                        "Where the sessions' files are: a directory, s3://BUCKET/PREFIX?region=…");
  }
  for (CLI::App* command : {list, show, watch, invalidate, sweep, heal, expire}) {
    command->add_option("--workflow", arguments.workflow,
                        "File with the workflow as JSON; the media workflow if not given");
    command->add_flag("--json", arguments.json, "As JSON");
  }
}

int RunSessions(const SessionsArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli

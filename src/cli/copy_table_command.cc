#include "cli/copy_table_command.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <signal.h>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/print_line.h"
#include "cli/shared_options.h"
#include "cli/stop_signals.h"
#include "copy/compare_tables.h"
#include "copy/copy_items.h"
#include "copy/follow_changes.h"
#include "copy/side.h"
#include "schema/files.h"
#include "stator/api/database.h"
#include "stator/home/open.h"
#include "stator/patterns/environment.h"
#include "stator/provision/ensure_table.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

// Polls without a change after which the copy has caught up: an answer may be empty in between.
constexpr int kQuietPolls = 3;
constexpr Duration kPollInterval = std::chrono::milliseconds(500);

std::string TargetName(const CopyTableArguments& arguments) {
  return arguments.as.empty() ? arguments.table : arguments.as;
}

std::string Subject(const CopyTableArguments& arguments) {
  return arguments.table + " of " + arguments.from + " to " + TargetName(arguments) + " of " +
         (arguments.to.empty() ? arguments.from : arguments.to);
}

Result<copy::Side> OpenTarget(const CopyTableArguments& arguments, const copy::Side& from,
                              Database& database) {
  const std::string name = TargetName(arguments);
  if (arguments.create) {
    TRY_VOID(
        provision::EnsureTable(database, copy::SpecOf(from, name), provision::EnsureMode::kCreate));
  }
  Result<copy::Side> to = copy::LookAt(database, name);
  if (!to && to.error().code == ErrorCode::kTableNotFound) {
    return Fail(ErrorCode::kTableNotFound,
                "there is no table " + name + " to copy to; --create makes it like the first");
  }
  return to;
}

Result<bool> IsEmpty(const copy::Side& side) {
  const ScanOutput page = TRY(side.database->Scan(
      {.table_name = side.layout.table_name, .limit = 1, .consistent_read = true}));
  return page.count == 0 && !page.last_evaluated_key;
}

Result<copy::CopyState> Begin(const CopyTableArguments& arguments, const copy::Side& to) {
  if (!arguments.progress.empty() && std::filesystem::exists(arguments.progress)) {
    const std::string text = TRY(schema::ReadText(arguments.progress));
    copy::CopyState state = TRY(copy::ParseCopyState(text));
    if (state.subject != Subject(arguments)) {
      return Fail(ErrorCode::kValidation, arguments.progress + " is of another copy: " +
                                              state.subject + "; give another --progress file");
    }
    return state;
  }
  if (!arguments.overwrite && !TRY(IsEmpty(to))) {
    return Fail(ErrorCode::kValidation,
                "table " + to.layout.table_name +
                    " is not empty; --overwrite copies over what is there, item by item");
  }
  return copy::CopyState{
      .subject = Subject(arguments),
      .begun = SystemClock().Now(),
      .segments = std::vector<copy::SegmentState>(static_cast<std::size_t>(arguments.segments))};
}

void Say(const CopyTableArguments& arguments, const std::string& line) {
  std::fprintf(arguments.json ? stderr : stdout, "%s\n", line.c_str());
  std::fflush(stdout);
}

Result<std::uint64_t> Copy(const CopyTableArguments& arguments, const copy::Side& from,
                           const copy::Side& to, copy::CopyState& state,
                           const std::stop_token& stop) {
  const std::uint64_t before = state.items();
  const auto note = [&](const copy::CopyState& now) -> Result<void> {
    return arguments.progress.empty() ? Result<void>()
                                      : schema::WriteText(arguments.progress, copy::ToJson(now));
  };
  // The moment from which changes have to be followed must survive an interruption, too.
  TRY_VOID(note(state));
  TRY_VOID(copy::CopyItems(from, to, state, {.stop = stop, .on_page = note}));
  Say(arguments, std::to_string(state.items() - before) + " items copied" +
                     (before > 0 ? ", " + std::to_string(before) + " before" : ""));
  return state.items();
}

Result<std::uint64_t> CatchUp(copy::ChangeFollower& follower, const std::stop_token& stop) {
  std::uint64_t changes = 0;
  for (int quiet = 0; quiet < kQuietPolls && !stop.stop_requested();) {
    const std::uint64_t more = TRY(follower.Poll());
    changes += more;
    quiet = more == 0 ? quiet + 1 : 0;
  }
  return changes;
}

Result<std::uint64_t> Follow(const CopyTableArguments& arguments, copy::ChangeFollower& follower,
                             const std::stop_token& stop) {
  std::uint64_t changes = TRY(CatchUp(follower, stop));
  Say(arguments, std::to_string(changes) + " changes followed; caught up");
  if (!arguments.follow) {
    return changes;
  }
  Say(arguments, "following; end with Ctrl-C");
  while (patterns::SleepUnlessStopped(SystemClock(), kPollInterval, stop)) {
    changes += TRY(follower.Poll());
  }
  // What came before the signal.
  changes += TRY(CatchUp(follower, {}));
  return changes;
}

Result<bool> Verify(const CopyTableArguments& arguments, const copy::Side& from,
                    const copy::Side& to, copy::ChangeFollower* follower) {
  copy::CompareOptions options;
  if (follower != nullptr) {
    options.settle = [follower]() -> Result<void> {
      TRY_VOID(CatchUp(*follower, {}));
      return {};
    };
  }
  const copy::CompareReport report = TRY(copy::CompareTables(from, to, options));
  for (const std::string& example : report.examples) {
    Say(arguments, example);
  }
  Say(arguments, report.is_same()
                     ? "verified: " + std::to_string(report.items) + " items are the same"
                     : "DIFFERENT: " + std::to_string(report.missing) + " missing, " +
                           std::to_string(report.different) + " different, " +
                           std::to_string(report.extra) + " extra");
  return report.is_same();
}

Result<int> CopyTable(const CopyTableArguments& arguments) {
  if ((arguments.to.empty() || arguments.to == arguments.from) &&
      TargetName(arguments) == arguments.table) {
    return Fail(ErrorCode::kValidation, "a table is not copied onto itself; give --to or --as");
  }
  const std::stop_token stop = StopOnSignal();
  const std::unique_ptr<Database> home = TRY(Open(arguments.from, {.create_if_missing = false}));
  const copy::Side from = TRY(copy::LookAt(*home, arguments.table));
  // Opened only now: a mistyped table leaves no empty database behind.
  std::unique_ptr<Database> other;
  if (!arguments.to.empty() && arguments.to != arguments.from) {
    other = TRY(Open(arguments.to, {.create_if_missing = arguments.create}));
  }
  const copy::Side to = TRY(OpenTarget(arguments, from, other != nullptr ? *other : *home));
  std::optional<copy::CopyState> state;
  if (!arguments.only_verify) {
    state = TRY(Begin(arguments, to));
  }
  std::optional<copy::ChangeFollower> follower;
  if (arguments.follow || arguments.catch_up) {
    // Asked before the first item is copied, so that nobody waits for hours to be told.
    follower =
        TRY(copy::ChangeFollower::Open(from, to, state ? state->begun : SystemClock().Now()));
  }
  std::uint64_t items = 0;
  std::uint64_t changes = 0;
  if (state) {
    items = TRY(Copy(arguments, from, to, *state, stop));
  }
  if (follower) {
    changes = TRY(Follow(arguments, *follower, stop));
  }
  bool is_same = true;
  if (arguments.verify || arguments.only_verify) {
    is_same = TRY(Verify(arguments, from, to, follower ? &*follower : nullptr));
  }
  if (arguments.json) {
    PrintLine(value::ToPlainJson(Item{{"items", items}, {"changes", changes}, {"same", is_same}}));
  }
  return is_same ? kSuccess : kFailure;
}

}  // namespace

void AddCopyTable(CLI::App& app, CopyTableArguments& arguments) {
  CLI::App* const copy = app.add_subcommand("copy-table", "Copy a table, also while it is in use");
  copy->footer(
      "Examples:\n"
      "  stator copy-table orders --from ./data --to aws:eu-central-1 --create --verify\n"
      "  stator copy-table orders --from ./data --as orders2 --progress copy.json --catch-up\n\n"
      "A copy that was interrupted goes on when it is called again with the same --progress.\n"
      "Exit code 1 when something does not pass.");
  DefaultToEnvironment(arguments.from);
  copy->add_option("table", arguments.table, "The table")->required();
  copy->add_option("--from", arguments.from,
                   "Where it is: a directory, a URL or aws:REGION; $STATOR_DATABASE if not given")
      ->required(arguments.from.empty());
  copy->add_option("--to", arguments.to, "Where the copy goes; the same place if not given");
  copy->add_option("--as", arguments.as, "The copy's name; the same if not given");
  copy->add_flag("--create", arguments.create,
                 "Make the table there with the same keys, indexes and expiry, if it is missing");
  copy->add_flag("--overwrite", arguments.overwrite, "Copy into a table that has items");
  copy->add_option("--progress", arguments.progress, "File in which the copy notes how far it is");
  copy->add_option("--segments", arguments.segments, "Parts that are copied at a time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  CLI::Option* const follow = copy->add_flag(
      "--follow", arguments.follow, "Then apply what changes, until the command is stopped");
  copy->add_flag("--catch-up", arguments.catch_up, "Then apply what has changed meanwhile, and end")
      ->excludes(follow);
  CLI::Option* const verify =
      copy->add_flag("--verify", arguments.verify, "Compare both tables in the end");
  copy->add_flag("--only-verify", arguments.only_verify, "Copy nothing, compare")
      ->excludes(verify)
      ->excludes(follow);
  copy->add_flag("--json", arguments.json, "Print the result as JSON");
}

int RunCopyTable(const CopyTableArguments& arguments) {
  return ExitCodeOf(CopyTable(arguments));
}

}  // namespace stator::cli

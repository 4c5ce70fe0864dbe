#include "cli/backup_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>

#include "cli/check_command.h"
#include "cli/command_line.h"
#include "engine/copy_database.h"

namespace stator::cli {
namespace {

int Copy(const std::string& from, const std::string& into, bool json) {
  const Result<engine::CheckReport> report = engine::CopyDatabase(from, into);
  if (!report) {
    std::fprintf(stderr, "stator: %s\n", report.error().message.c_str());
    return kFailure;
  }
  if (!json) {
    std::printf("copied %s to %s\n", from.c_str(), into.c_str());
  }
  PrintReport(*report, json);
  return kSuccess;
}

}  // namespace

void AddBackup(CLI::App& app, BackupArguments& arguments) {
  CLI::App* backup = app.add_subcommand("backup", "Copy a data directory, also one that is in use");
  backup->footer(
      "Example:\n  stator backup ./copy --data ./data\n\n"
      "The copy has everything that was acknowledged before it was begun. It is checked, and it "
      "is\n"
      "a data directory like any other: stator serve --data ./copy");
  backup->add_option("directory", arguments.directory, "Where the copy is to be; must be new")
      ->required();
  backup->add_option("--data", arguments.data, "Directory of the data")->required();
  backup->add_flag("--json", arguments.json, "What is in the copy, as JSON");
}

void AddRestore(CLI::App& app, RestoreArguments& arguments) {
  CLI::App* restore = app.add_subcommand("restore", "Make a data directory of a copy");
  restore->footer(
      "Example:\n  stator restore ./copy --data ./data\n\n"
      "For single tables there are RestoreTableFromBackup and RestoreTableToPointInTime.");
  restore->add_option("directory", arguments.directory, "The copy that stator backup made")
      ->required();
  restore->add_option("--data", arguments.data, "Directory of the data; must be new")->required();
  restore->add_flag("--json", arguments.json, "What is in it, as JSON");
}

int RunBackup(const BackupArguments& arguments) {
  return Copy(arguments.data, arguments.directory, arguments.json);
}

int RunRestore(const RestoreArguments& arguments) {
  return Copy(arguments.directory, arguments.data, arguments.json);
}

}  // namespace stator::cli

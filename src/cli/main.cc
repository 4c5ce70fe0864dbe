#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "cli/check_command.h"
#include "cli/command_line.h"
#include "cli/console_command.h"
#include "cli/copy_table_command.h"
#include "cli/events_command.h"
#include "cli/mcp_command.h"
#include "cli/new_entity_command.h"
#include "cli/schema_command.h"
#include "cli/serve_command.h"
#include "cli/sessions_command.h"
#include "cli/shell_command.h"
#include "cli/tables_command.h"
#include "cli/tasks_command.h"

namespace stator::cli {
namespace {

struct Runner {
  int operator()(const Message& message) const {
    std::fputs(message.text.c_str(), message.exit_code == kSuccess ? stdout : stderr);
    return message.exit_code;
  }
  int operator()(const ServeArguments& arguments) const { return RunServe(arguments); }
  int operator()(const CheckArguments& arguments) const { return RunCheck(arguments); }
  int operator()(const ConsoleArguments& arguments) const { return RunConsole(arguments); }
  int operator()(const CopyTableArguments& arguments) const { return RunCopyTable(arguments); }
  int operator()(const ExportArguments& arguments) const { return RunExport(arguments); }
  int operator()(const ImportArguments& arguments) const { return RunImport(arguments); }
  int operator()(const BackupArguments& arguments) const { return RunBackup(arguments); }
  int operator()(const RestoreArguments& arguments) const { return RunRestore(arguments); }
  int operator()(const HistoryArguments& arguments) const { return RunHistory(arguments); }
  int operator()(const InsightsArguments& arguments) const { return RunInsights(arguments); }
  int operator()(const DiffArguments& arguments) const { return RunDiff(arguments); }
  int operator()(const RewindArguments& arguments) const { return RunRewind(arguments); }
  int operator()(const CheckpointArguments& arguments) const { return RunCheckpoint(arguments); }
  int operator()(const TasksArguments& arguments) const { return RunTasks(arguments); }
  int operator()(const McpArguments& arguments) const { return RunMcp(arguments); }
  int operator()(const EventsArguments& arguments) const { return RunEvents(arguments); }
  int operator()(const SchemaArguments& arguments) const { return RunSchema(arguments); }
  int operator()(const TablesArguments& arguments) const { return RunTables(arguments); }
  int operator()(const NewEntityArguments& arguments) const { return RunNewEntity(arguments); }
  int operator()(const SessionsArguments& arguments) const { return RunSessions(arguments); }
  int operator()(const ShellArguments& arguments) const { return RunShell(arguments); }
};

}  // namespace
}  // namespace stator::cli

int main(int count, char** values) {
  try {
    const std::vector<std::string> arguments(values + 1, values + count);
    return std::visit(stator::cli::Runner(), stator::cli::ParseCommandLine(arguments));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stator: %s\n", error.what());
    return stator::cli::kFailure;
  }
}

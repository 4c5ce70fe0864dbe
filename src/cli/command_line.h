// What the arguments of the program ask for. Flags may also be given by environment variables and
// come with defaults; `--help` of each command shows them.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/backup_command.h"
#include "cli/console_command.h"
#include "cli/console_sources.h"
#include "cli/copy_table_command.h"
#include "cli/events_command.h"
#include "cli/export_command.h"
#include "cli/history_command.h"
#include "cli/insights_command.h"
#include "cli/mcp_command.h"
#include "cli/new_entity_command.h"
#include "cli/rewind_command.h"
#include "cli/schema_command.h"
#include "cli/sessions_command.h"
#include "cli/shell_command.h"
#include "cli/tables_command.h"
#include "cli/tasks_command.h"

namespace stator::cli {

// Exit codes of the program.
inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

struct ServeArguments {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
  std::string data = "stator-data";
  bool memory = false;
  bool relaxed = false;
  bool like_dynamodb_local = false;
  bool separate_tables = false;
  std::string buckets;      // a directory; empty: below that of the data
  std::string s3_endpoint;  // of the buckets in S3; "aws": Amazon's; empty: they are directories
  std::string kinesis_endpoint;          // where changes are sent; "aws": Amazon's; empty: nowhere
  std::uint32_t transient_state_ms = 0;  // 0: tables arrive at once
  std::uint32_t restorable_after_s = 0;  // 0: what was written can be restored at once
  std::size_t threads = 0;
  std::size_t connections_max = 4096;
  std::size_t body_bytes_max = 16 * 1024 * 1024;
  std::size_t header_bytes_max = 16 * 1024;
  std::size_t request_memory_max = 256 * 1024 * 1024;
  std::uint32_t idle_seconds = 120;
  std::uint32_t head_seconds = 10;
  std::uint32_t request_seconds = 60;
  std::uint32_t write_seconds = 60;
  std::string region = "us-east-1";
  std::string credentials_file;
  std::string tls_certificate;
  std::string tls_key;
  bool tls_self_signed = false;
  std::string allowed_hosts;
  std::string cors;
  std::string access_log;  // a path, or "-" for standard output
  bool no_metrics = false;
  bool no_console = false;
  ConsoleFiles console_files;
  std::string metrics_key_file;
  bool die_with_parent = false;
};

struct CheckArguments {
  std::string path;
  std::string repair_into;  // empty: only look
  bool json = false;
};

// Nothing to do but to print: help, the version, or what is wrong with the arguments.
struct Message {
  std::string text;
  int exit_code = kSuccess;
};

using Command = std::variant<Message, ServeArguments, CheckArguments, TasksArguments, McpArguments,
                             EventsArguments, SchemaArguments, TablesArguments, NewEntityArguments,
                             SessionsArguments, ConsoleArguments, ShellArguments,
                             CopyTableArguments, HistoryArguments, DiffArguments, BackupArguments,
                             RestoreArguments, ExportArguments, ImportArguments, RewindArguments,
                             CheckpointArguments, InsightsArguments>;

// `arguments` without the program's name.
Command ParseCommandLine(std::vector<std::string> arguments);

}  // namespace stator::cli

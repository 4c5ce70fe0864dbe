#include "cli/shell_command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "shell/history_file.h"
#include "shell/interrupts.h"
#include "shell/line_editor.h"
#include "shell/output.h"
#include "shell/printable.h"
#include "shell/session.h"
#include "shell/statement_reader.h"
#include "stator/home/open.h"
#include "wire/moment.h"

namespace stator::cli {
namespace {

using shell::Entry;
using shell::Session;
using shell::SessionOptions;
using shell::StatementReader;

shell::Format FormatOf(const ShellArguments& arguments) {
  if (arguments.json) {
    return shell::Format::kJson;
  }
  return arguments.csv ? shell::Format::kCsv : shell::Format::kTable;
}

// Where nothing else says how wide it is: in a file, or a pipe.
constexpr std::size_t kWidthOfFiles = 1000;
// How long somebody who pressed Tab may wait for the names of tables.
constexpr std::chrono::milliseconds kCompletionMost{2000};

Result<TimePoint> MomentOf(const std::string& text) {
  const std::optional<TimePoint> moment = wire::ParseMoment(text);
  if (!moment) {
    return Invalid("\\asof is followed by a moment, " + std::string(wire::kMomentForms) +
                   ", or by now");
  }
  return *moment;
}

std::string HistoryPath() {
  if (const char* const file = std::getenv("STATOR_HISTORY")) {
    return file;
  }
  const char* const home = std::getenv("HOME");
  return home == nullptr ? "" : std::string(home) + "/.stator_history";
}

// Ends with the first statement that fails.
class Script {
 public:
  Script(Database& database, const ShellArguments& arguments)
      : session_(database, std::cout,
                 {.format = FormatOf(arguments),
                  .shows_figures = FormatOf(arguments) == shell::Format::kTable,
                  .width = [] { return shell::TerminalWidth().value_or(kWidthOfFiles); },
                  .parse_moment = MomentOf}) {}

  void Append(std::string_view text) {
    reader_.Append(text);
    while (goes_on()) {
      const std::optional<Entry> entry = reader_.Next();
      if (!entry) {
        return;
      }
      Run(*entry);
    }
  }
  // What the text so far ends with; text that follows counts its lines from 1.
  void End() {
    const std::optional<Entry> last = goes_on() ? reader_.Last() : std::nullopt;
    if (last) {
      Run(*last);
    }
    reader_.Clear();
  }
  [[nodiscard]] bool goes_on() const { return !failed_ && !session_.wants_to_end(); }
  [[nodiscard]] int exit_code() const { return failed_ ? kFailure : kSuccess; }

 private:
  void Run(const Entry& entry) {
    std::optional<std::string> error = session_.Run(entry);
    if (!error && !std::cout) {
      error = "the output cannot be written";
    }
    if (error) {
      std::cerr << "stator: line " << entry.line << ": " << *error << '\n';
      failed_ = true;
    }
  }

  Session session_;
  StatementReader reader_;
  bool failed_ = false;
};

Result<int> RunInput(Script& script) {
  std::array<char, 65536> block{};
  while (script.goes_on()) {
    const ssize_t count = read(STDIN_FILENO, block.data(), block.size());
    if (count < 0 && errno != EINTR) {
      return Fail(ErrorCode::kIo, std::string("standard input: ") + std::strerror(errno));
    }
    if (count == 0) {
      break;
    }
    script.Append(
        std::string_view(block.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count))));
  }
  script.End();
  return script.exit_code();
}

int RunPrompt(Database& database, const ShellArguments& arguments) {
  shell::Interrupts interrupts;
  Session session(
      database, std::cout,
      {.format = FormatOf(arguments),
       .width = [] { return shell::TerminalWidth().value_or(kWidthOfFiles); },
       .run = [&](std::function<void()> work) { return interrupts.Run(std::move(work)); },
       .run_briefly =
           [&](std::function<void()> work) {
             return interrupts.Run(std::move(work), kCompletionMost);
           },
       .parse_moment = MomentOf});
  shell::LineEditor editor(shell::HistoryFile(HistoryPath()),
                           [&](const shell::Word& word) { return session.Complete(word); });
  std::cout << "stator shell on " << shell::Printable(arguments.location) << "; \\? for help\n"
            << std::flush;
  StatementReader reader;
  while (!session.wants_to_end()) {
    const std::optional<shell::LineEditor::Line> line =
        editor.Read(reader.is_within() ? "   ...> " : "stator> ");
    if (!line) {
      std::cout << '\n';
      break;
    }
    interrupts.Forget();
    if (line->interrupted) {
      reader.Clear();
      continue;
    }
    reader.Append(line->text);
    while (const std::optional<Entry> entry =
               session.wants_to_end() ? std::nullopt : reader.Next()) {
      if (const std::optional<std::string> error = session.Run(*entry)) {
        std::cout << "ERROR " << *error << '\n' << std::flush;
      }
      interrupts.Forget();
    }
  }
  return kSuccess;
}

Result<int> Run(const ShellArguments& arguments) {
  // A mistyped path is no new database.
  const std::unique_ptr<Database> database =
      TRY(Open(arguments.location, {.create_if_missing = false}));
  const bool is_terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  if (arguments.statements.empty() && is_terminal) {
    return RunPrompt(*database, arguments);
  }
  Script script(*database, arguments);
  if (arguments.statements.empty()) {
    return RunInput(script);
  }
  for (const std::string& text : arguments.statements) {
    script.Append(text);
    script.End();
  }
  return script.exit_code();
}

}  // namespace

void AddShell(CLI::App& app, ShellArguments& arguments) {
  DefaultToEnvironment(arguments.location);
  CLI::App* shell = app.add_subcommand("shell", "Statements of PartiQL at a prompt");
  shell->footer(
      "Examples:\n"
      "  stator shell ./data\n"
      "  stator shell http://127.0.0.1:8000 -c \"SELECT * FROM orders WHERE pk = 'a'\" --json\n"
      "  stator shell aws:eu-central-1 < script.sql\n\n"
      "Exit code 1 when a statement of a script failed; those behind it are not run.");
  shell
      ->add_option("location", arguments.location,
                   "memory:, a directory, http://HOST or aws:REGION")
      ->capture_default_str();
  shell
      ->add_option("-c,--command", arguments.statements,
                   "Run these statements and leave; may be given several times")
      ->allow_extra_args(false);
  CLI::Option* json = shell->add_flag("--json", arguments.json, "Print items as lines of JSON");
  shell->add_flag("--csv", arguments.csv, "Print items as CSV")->excludes(json);
}

int RunShell(const ShellArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli

#include "cli/history_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/try.h"
#include "cli/command_line.h"
#include "engine/history.h"
#include "engine/read_history.h"
#include "value/dynamodb_json.h"
#include "wire/moment.h"

namespace stator::cli {
namespace {

void Print(const std::string& line) {
  std::printf("%s\n", line.c_str());
}

int CodeOf(const Result<void>& done) {
  if (!done) {
    std::fprintf(stderr, "stator: %s\n", done.error().message.c_str());
    return kFailure;
  }
  return kSuccess;
}

std::string JsonOrNull(const std::optional<Item>& item) {
  return item ? value::ToDynamoDbJson(*item) : "null";
}

std::string VersionLine(const engine::ItemVersion& version, bool json) {
  const std::string since = version.since ? engine::CommitTimeText(*version.since) : "";
  if (json) {
    return R"({"Since":)" + (since.empty() ? "null" : "\"" + since + "\"") + R"(,"Item":)" +
           JsonOrNull(version.item) + "}";
  }
  return (since.empty() ? "before that            " : since) + "  " +
         (version.item ? value::ToDynamoDbJson(*version.item) : "(none)");
}

std::string DifferenceLine(const engine::ItemDifference& difference, bool json) {
  if (json) {
    return R"({"OldImage":)" + JsonOrNull(difference.before) + R"(,"NewImage":)" +
           JsonOrNull(difference.after) + "}";
  }
  std::string lines;
  if (difference.before) {
    lines += "- " + value::ToDynamoDbJson(*difference.before);
  }
  if (difference.after) {
    lines += (lines.empty() ? "+ " : "\n+ ") + value::ToDynamoDbJson(*difference.after);
  }
  return lines;
}

Result<TimePoint> MomentOf(const std::string& text) {
  const std::optional<TimePoint> moment = wire::ParseMoment(text);
  if (!moment) {
    return Invalid("\"" + text + "\" must be " + std::string(wire::kMomentForms));
  }
  return *moment;
}

Result<void> ShowVersions(const HistoryArguments& arguments) {
  const Result<Item> key = value::ParseDynamoDbItem(arguments.key);
  if (!key) {
    return Invalid("--key must be the key as DynamoDB JSON, such as '{\"pk\":{\"S\":\"a\"}}': " +
                   key.error().message);
  }
  const engine::HistoryReader reader =
      TRY(engine::HistoryReader::Open(arguments.data, arguments.table));
  for (const engine::ItemVersion& version : TRY(reader.VersionsOf(*key))) {
    Print(VersionLine(version, arguments.json));
  }
  return {};
}

Result<void> ShowDifferences(const DiffArguments& arguments) {
  const TimePoint from = TRY(MomentOf(arguments.from));
  const TimePoint to = TRY(MomentOf(arguments.to));
  const engine::HistoryReader reader =
      TRY(engine::HistoryReader::Open(arguments.data, arguments.table));
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
  TRY_VOID(reader.Compare(from, to, [&](const engine::ItemDifference& difference) -> Result<void> {
    ++(!difference.before ? added : !difference.after ? removed : changed);
    Print(DifferenceLine(difference, arguments.json));
    return {};
  }));
  if (!arguments.json) {
    Print(std::to_string(added) + " added, " + std::to_string(changed) + " changed, " +
          std::to_string(removed) + " removed");
  }
  return {};
}

}  // namespace

void AddHistory(CLI::App& app, HistoryArguments& arguments) {
  CLI::App* history = app.add_subcommand("history", "Show the versions of an item");
  history->footer(
      "Example:\n  stator history orders --data ./data --key '{\"customer\":{\"S\":\"ann\"}}'\n\n"
      "Of a table with point-in-time recovery. Reads the directory, beside a server or not.");
  history->add_option("table", arguments.table, "Name of the table")->required();
  history->add_option("--data", arguments.data, "Directory of the data")->required();
  history->add_option("--key", arguments.key, "Key of the item, as DynamoDB JSON")->required();
  history->add_flag("--json", arguments.json, "A line of JSON for each version");
}

void AddDiff(CLI::App& app, DiffArguments& arguments) {
  CLI::App* diff = app.add_subcommand("diff", "Show what of a table differs between two moments");
  diff->footer(
      "Example:\n  stator diff orders --data ./data --from 2026-11-17T08:00:00Z\n\n"
      "Of a table with point-in-time recovery. Reads the directory, beside a server or not.");
  diff->add_option("table", arguments.table, "Name of the table")->required();
  diff->add_option("--data", arguments.data, "Directory of the data")->required();
  diff->add_option("--from", arguments.from, "The earlier moment")->required();
  diff->add_option("--to", arguments.to, "The later moment; latest when left out");
  diff->add_flag("--json", arguments.json, "A line of JSON for each item that differs");
}

int RunHistory(const HistoryArguments& arguments) {
  return CodeOf(ShowVersions(arguments));
}

int RunDiff(const DiffArguments& arguments) {
  return CodeOf(ShowDifferences(arguments));
}

}  // namespace stator::cli

#include "cli/insights_command.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/print_line.h"
#include "cli/shared_options.h"
#include "stator/api/database.h"
#include "stator/home/open.h"
#include "value/dynamodb_json.h"
#include "wire/http_date.h"

namespace stator::cli {
namespace {

// Units have at most one digit behind the point.
std::string Figure(double units) {
  std::ostringstream text;
  text << units;
  return text.str();
}

std::optional<std::string> IndexOf(const InsightsArguments& arguments) {
  return arguments.index.empty() ? std::nullopt : std::optional(arguments.index);
}

void PrintKeys(const char* title, const char* kind, const std::vector<CountedKey>& keys,
               bool json) {
  if (!json) {
    PrintLine(std::string(title) + (keys.empty() ? ": none" : ":"));
  }
  for (const CountedKey& key : keys) {
    const std::string text = value::ToDynamoDbJson(key.key);
    if (json) {
      PrintLine(R"({"Kind":")" + std::string(kind) + R"(","Key":)" + text + R"(,"Count":)" +
                Figure(key.count) + R"(,"CountErrorMax":)" + Figure(key.count_error_max) + "}");
    } else {
      PrintLine("  " + Figure(key.count) + "  " + text +
                (key.count_error_max > 0
                     ? "  (at most " + Figure(key.count_error_max) + " too many)"
                     : ""));
    }
  }
}

Result<int> ShowAll(Database& database) {
  ListContributorInsightsInput input;
  do {
    const ListContributorInsightsOutput page = TRY(database.ListContributorInsights(input));
    for (const ContributorInsightsSummary& each : page.contributor_insights_summaries) {
      const bool on = each.contributor_insights_status == ContributorInsightsStatus::kEnabled;
      PrintLine(each.table_name + (each.index_name ? "  index " + *each.index_name : "") +
                (on ? "  on" : "  off"));
    }
    input.next_token = page.next_token;
  } while (input.next_token);
  return kSuccess;
}

Result<int> ShowOne(Database& database, const InsightsArguments& arguments) {
  const DescribeContributorInsightsOutput state = TRY(database.DescribeContributorInsights(
      {.table_name = arguments.table, .index_name = IndexOf(arguments)}));
  if (state.contributor_insights_status != ContributorInsightsStatus::kEnabled) {
    return Invalid("the keys of " + arguments.table + " are not counted; --on begins it");
  }
  if (!state.counted_keys) {
    return Invalid("this database shows what it counts in CloudWatch, not here");
  }
  const CountedKeys& counted = *state.counted_keys;
  if (!arguments.json) {
    PrintLine("since " + wire::FormatHttpDate(counted.since) + ", in capacity units");
  }
  PrintKeys("most used partitions", "accessed_partition", counted.accessed_partitions,
            arguments.json);
  PrintKeys("most used items", "accessed_item", counted.accessed_items, arguments.json);
  PrintKeys("most throttled partitions", "throttled_partition", counted.throttled_partitions,
            arguments.json);
  PrintKeys("most throttled items", "throttled_item", counted.throttled_items, arguments.json);
  return kSuccess;
}

Result<int> Run(const InsightsArguments& arguments) {
  const std::unique_ptr<Database> database =
      TRY(Open(arguments.data, {.create_if_missing = false}));
  if (arguments.on || arguments.off) {
    TRY_VOID(database->UpdateContributorInsights(
        {.table_name = arguments.table,
         .index_name = IndexOf(arguments),
         .contributor_insights_action = arguments.on ? ContributorInsightsAction::kEnable
                                                     : ContributorInsightsAction::kDisable}));
    return kSuccess;
  }
  return arguments.table.empty() ? ShowAll(*database) : ShowOne(*database, arguments);
}

}  // namespace

void AddInsights(CLI::App& app, InsightsArguments& arguments) {
  CLI::App* insights = app.add_subcommand("insights", "Show which keys of a table are used most");
  insights->footer(
      "Examples:\n"
      "  stator insights orders --on\n"
      "  stator insights orders\n"
      "  stator insights orders --index by_date --json\n"
      "  stator insights                               which tables and indexes are counted\n\n"
      "Keys are counted in the process that serves them, from when it is switched on, or started.");
  CLI::Option* table = insights->add_option("table", arguments.table, "Name of the table");
  DefaultToEnvironment(arguments.data);
  AddData(*insights, arguments.data);
  insights->add_option("--index", arguments.index, "A global index of it")->needs(table);
  CLI::Option* on = insights->add_flag("--on", arguments.on, "Begin to count")->needs(table);
  insights->add_flag("--off", arguments.off, "Count no more")->needs(table)->excludes(on);
  insights->add_flag("--json", arguments.json, "A line of JSON for each key");
}

int RunInsights(const InsightsArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli

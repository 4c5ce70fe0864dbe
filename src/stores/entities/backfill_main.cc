#include "stator/stores/entities/backfill_main.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "value/plain_json.h"

namespace stator::entities {

namespace {

constexpr int kSuccess = 0;
constexpr int kFailure = 1;
constexpr int kUsage = 2;

constexpr const char* kHelp =
    "Stores items of old versions in the shape of today.\n\n"
    "  [ENTITY…]                of which entities; all when there is none\n"
    "  --data LOCATION          a directory, a URL or aws:REGION; else $STATOR_DATABASE\n"
    "  --table NAME             instead of the table that is called as the entity\n"
    "  --dry-run                only counts\n"
    "  --everything             completes items of the current version, too: keys of indexes,\n"
    "                           guards of unique fields\n"
    "  --begin-lives            with --everything: items that never expire begin a life now\n"
    "  --segments N             scanned at the same time; 4\n"
    "  --units-per-second N     capacity that it may use; otherwise as fast as it goes\n"
    "  --restart                from the beginning, not where an interrupted one stopped\n"
    "  --json                   a line of JSON per entity\n";

struct Arguments {
  std::set<std::string> entities = {};
  std::string data = {};
  RepositoryOptions repository = {};
  BackfillOptions backfill = {};
  bool json = false;
  bool help = false;
};

template <class Value>
Result<Value> NumberOf(std::string_view option, std::string_view text) {
  Value value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0) {
    return Invalid(std::string(option) + " needs a number above 0, not '" + std::string(text) +
                   "'");
  }
  return value;
}

Result<void> TakeValue(const std::string& option, const std::string& value, Arguments& arguments) {
  if (option == "--data") {
    arguments.data = value;
  } else if (option == "--table") {
    arguments.repository.table_name = value;
  } else if (option == "--segments") {
    arguments.backfill.scan.segments = TRY(NumberOf<int>(option, value));
  } else {
    arguments.backfill.scan.units_per_second = TRY(NumberOf<double>(option, value));
  }
  return {};
}

// Whether there is such a flag.
bool TakeFlag(const std::string& option, Arguments& arguments) {
  if (option == "--dry-run") {
    arguments.backfill.dry_run = true;
  } else if (option == "--everything") {
    arguments.backfill.everything = true;
  } else if (option == "--begin-lives") {
    arguments.backfill.begin_lives = true;
  } else if (option == "--restart") {
    arguments.backfill.resume = false;
  } else if (option == "--json") {
    arguments.json = true;
  } else if (option == "--help" || option == "-h") {
    arguments.help = true;
  } else {
    return false;
  }
  return true;
}

Result<Arguments> Parse(const std::vector<std::string>& given,
                        const std::vector<BackfillTask>& tasks) {
  static const std::set<std::string> with_value = {"--data", "--table", "--segments",
                                                   "--units-per-second"};
  Arguments arguments;
  for (std::size_t at = 0; at < given.size(); ++at) {
    const std::string& word = given[at];
    if (with_value.contains(word)) {
      if (++at == given.size()) {
        return Invalid(word + " needs a value");
      }
      TRY_VOID(TakeValue(word, given[at], arguments));
    } else if (word.starts_with('-')) {
      if (!TakeFlag(word, arguments)) {
        return Invalid("there is no option " + word);
      }
    } else if (std::ranges::find(tasks, word, &BackfillTask::entity) == tasks.end()) {
      std::string names;
      for (const BackfillTask& task : tasks) {
        names += (names.empty() ? "" : ", ") + task.entity;
      }
      return Invalid("this program has no entity " + word + "; it has " + names);
    } else {
      arguments.entities.insert(word);
    }
  }
  if (arguments.data.empty()) {
    const char* const location = std::getenv("STATOR_DATABASE");
    arguments.data = location == nullptr ? "" : location;
  }
  if (arguments.data.empty() && !arguments.help) {
    return Invalid("where are the items? --data LOCATION");
  }
  return arguments;
}

void Print(const std::string& entity, const BackfillReport& report, bool json) {
  if (!json) {
    std::fputs((entity + ": " + report.Text()).c_str(), stdout);
    return;
  }
  Map versions;
  for (const auto& [version, count] : report.versions) {
    versions.Set(std::to_string(version), count);
  }
  List problems;
  for (const BackfillProblem& problem : report.problems) {
    problems.emplace_back(Map{{"key", problem.key}, {"why", problem.why}});
  }
  std::fputs((value::ToPlainJson(Item{{"entity", entity},
                                      {"read", report.progress.scanned},
                                      {"migrated", report.migrated},
                                      {"completed", report.completed},
                                      {"lost", report.lost},
                                      {"failed", report.failed},
                                      {"resumed", report.resumed},
                                      {"complete", report.complete},
                                      {"versions", std::move(versions)},
                                      {"problems", std::move(problems)}}) +
              "\n")
                 .c_str(),
             stdout);
}

Result<int> Run(const Arguments& arguments, const OpenDatabase& open,
                const std::vector<BackfillTask>& tasks) {
  const std::unique_ptr<Database> database = TRY(open(arguments.data));
  int code = kSuccess;
  for (const BackfillTask& task : tasks) {
    if (!arguments.entities.empty() && !arguments.entities.contains(task.entity)) {
      continue;
    }
    Result<BackfillReport> report = task.run(*database, arguments.repository, arguments.backfill);
    if (!report) {
      report.error().message = task.entity + ": " + report.error().message;
      return std::unexpected(std::move(report).error());
    }
    Print(task.entity, *report, arguments.json);
    code = report->complete && report->failed == 0 ? code : kFailure;
  }
  return code;
}

}  // namespace

int RunBackfills(const std::vector<std::string>& arguments, const OpenDatabase& open,
                 const std::vector<BackfillTask>& tasks) {
  const Result<Arguments> parsed = Parse(arguments, tasks);
  if (!parsed) {
    std::fputs((parsed.error().message + "\n\n" + kHelp).c_str(), stderr);
    return kUsage;
  }
  if (parsed->help) {
    std::fputs(kHelp, stdout);
    return kSuccess;
  }
  const Result<int> code = Run(*parsed, open, tasks);
  if (!code) {
    std::fputs((code.error().message + "\n").c_str(), stderr);
    return kFailure;
  }
  return *code;
}

}  // namespace stator::entities

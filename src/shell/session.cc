#include "shell/session.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "shell/describe.h"
#include "shell/figure.h"
#include "shell/printable.h"

namespace stator::shell {
namespace {

constexpr std::string_view kHelp =
    "Statements of PartiQL end with a semicolon.\n"
    "  EXPLAIN statement;   what it would do\n"
    "  \\d                   tables\n"
    "  \\d TABLE             keys and indexes of a table\n"
    "  \\asof MOMENT         SELECT reads what was then, until \\asof now\n"
    "  \\timing              how long statements take, on or off\n"
    "  \\table \\json \\csv    how items are shown\n"
    "  \\? \\help             this\n"
    "  \\q                   leave\n"
    "Tab completes, Ctrl-C ends a statement, Ctrl-D leaves.\n";

// The statement behind EXPLAIN; nothing when it does not begin so.
std::optional<std::string> Explained(const std::string& statement) {
  constexpr std::string_view kExplain = "explain";
  const auto lower = [](char character) {
    return std::tolower(static_cast<unsigned char>(character));
  };
  if (statement.size() <= kExplain.size() ||
      !std::ranges::equal(statement.substr(0, kExplain.size()), kExplain, {}, lower, lower) ||
      std::isspace(static_cast<unsigned char>(statement[kExplain.size()])) == 0) {
    return std::nullopt;
  }
  return statement.substr(kExplain.size() + 1);
}

std::unexpected<Error> Canceled(bool is_write) {
  return Fail(ErrorCode::kUnavailable,
              is_write ? "canceled; it may have been carried out" : "canceled");
}

// Asks the database on whatever thread `run` has; what is asked may outlive the wait for it, so it
// owns its input.
template <class Output, class Ask>
Result<Output> Await(const Runner& run, bool is_write, Ask ask) {
  auto outcome = std::make_shared<std::optional<Result<Output>>>();
  if (!run([outcome, ask = std::move(ask)] { *outcome = ask(); })) {
    return Canceled(is_write);
  }
  return **std::move(outcome);
}

Result<TableDescription> Describe(Database& database, const Runner& run, const std::string& table) {
  return Await<TableDescription>(run, false, [&database, table]() -> Result<TableDescription> {
    DescribeTableOutput output = TRY(database.DescribeTable({.table_name = table}));
    return std::move(output.table);
  });
}

Result<std::vector<std::string>> TableNames(Database& database, const Runner& run) {
  using Names = std::vector<std::string>;
  return Await<Names>(run, false, [&database]() -> Result<Names> {
    Names names;
    ListTablesInput input;
    do {
      ListTablesOutput page = TRY(database.ListTables(input));
      std::ranges::move(page.table_names, std::back_inserter(names));
      input.exclusive_start_table_name = std::move(page.last_evaluated_table_name);
    } while (input.exclusive_start_table_name);
    return names;
  });
}

}  // namespace

Session::Session(Database& database, std::ostream& out, SessionOptions options)
    : database_(database),
      out_(out),
      options_(std::move(options)),
      explainer_(
          [this](const std::string& table) { return Describe(database_, options_.run, table); }) {}

std::optional<std::string> Session::Run(const Entry& entry) {
  const Result<void> done = RunEntry(entry);
  out_.flush();
  if (done) {
    return std::nullopt;
  }
  explainer_.Forget();  // perhaps the table is another one now
  return std::string(NameOf(done.error().code)) + ": " + Printable(done.error().message);
}

Result<void> Session::RunEntry(const Entry& entry) {
  if (entry.is_command) {
    return RunCommand(entry.text);
  }
  if (const std::optional<std::string> explained = Explained(entry.text)) {
    out_ << TRY(explainer_.Explain(*explained));
    return {};
  }
  return RunStatement(entry.text);
}

void Session::Show(const std::vector<Item>& items, const std::vector<std::string>& keys) {
  constexpr std::size_t kAttributesMax = 10'000;
  for (const Item& item : items) {
    for (const auto& [name, value] : item) {
      if (attributes_.size() < kAttributesMax) {
        attributes_.insert(name);
      }
    }
  }
  if (!items.empty()) {
    out_ << ShowItems(items, keys, options_.format, options_.width());
  }
}

Result<void> Session::RunStatement(const std::string& statement) {
  const Duration begin = options_.clock->Elapsed();
  const Result<std::string> summary =
      options_.shows_figures ? explainer_.Summary(statement) : Result<std::string>("");
  if (!summary && summary.error().code == ErrorCode::kUnavailable) {
    return std::unexpected(summary.error());  // it was not even begun
  }
  // What is no statement is refused by the database, in its words; and who may read a table need not
  // be somebody who may describe it.
  const bool is_read = Explainer::IsRead(statement);
  const Used used = TRY(RunPages(statement, !is_read));
  if (options_.shows_figures) {
    out_ << "(" << used.items << (used.items == 1 ? " item" : " items");
    out_ << (summary ? "; " + *summary : "") << "; " << Figure(used.units);
    out_ << (is_read ? " read units)" : " write units)") << '\n';
  }
  if (has_timing_) {
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(options_.clock->Elapsed() - begin);
    out_ << "Time: " << Figure(static_cast<double>(took.count()) / 1000) << " ms\n";
  }
  return {};
}

Result<Session::Used> Session::RunPages(const std::string& statement, bool is_write) {
  constexpr std::size_t kDrawnMax = 1000;  // items in one table; pages may be as small as none
  const std::vector<std::string> keys =
      options_.format == Format::kJson ? std::vector<std::string>() : explainer_.KeysOf(statement);
  ExecuteStatementInput input{.statement = statement,
                              .return_consumed_capacity = ReturnConsumedCapacity::kTotal,
                              .as_of = as_of_};
  std::vector<Item> kept;
  Used used;
  do {
    Result<ExecuteStatementOutput> page = Await<ExecuteStatementOutput>(
        options_.run, is_write,
        [&database = database_, input] { return database.ExecuteStatement(input); });
    if (!page) {
      Show(kept, keys);
      return std::unexpected(std::move(page).error());
    }
    used.items += page->items.size();
    used.units += page->consumed_capacity ? page->consumed_capacity->capacity_units : 0;
    std::ranges::move(page->items, std::back_inserter(kept));
    // The columns of CSV are those of all items.
    if (options_.format != Format::kCsv && kept.size() >= kDrawnMax) {
      Show(kept, keys);
      kept.clear();
    }
    input.next_token = std::move(page->next_token);
    input.as_of = page->as_of;  // all pages are of one moment
  } while (input.next_token);
  Show(kept, keys);
  return used;
}

Result<void> Session::SetTiming(const std::string& argument) {
  if (!argument.empty() && argument != "on" && argument != "off") {
    return Invalid("\\timing is on or off, not " + argument);
  }
  has_timing_ = argument.empty() ? !has_timing_ : argument == "on";
  out_ << (has_timing_ ? "Timing is on.\n" : "Timing is off.\n");
  return {};
}

Result<void> Session::SetMoment(const std::string& argument) {
  if (argument == "now") {
    as_of_.reset();
    out_ << "Statements read what is.\n";
    return {};
  }
  as_of_ = TRY(options_.parse_moment(argument));
  out_ << "SELECT reads what was at " << argument << "; \\asof now ends it.\n";
  return {};
}

Result<void> Session::RunCommand(const std::string& command) {
  const std::size_t blank = command.find_first_of(" \t");
  std::string name = command.substr(0, blank);
  name.erase(name.find_last_not_of(';') + 1);
  std::string argument = blank == std::string::npos ? "" : command.substr(blank);
  argument.erase(0, argument.find_first_not_of(" \t"));
  argument.erase(argument.find_last_not_of(" \t;") + 1);
  if (argument.size() > 1 && argument.front() == '"' && argument.back() == '"') {
    argument = argument.substr(1, argument.size() - 2);
  }
  if (name == "\\d") {
    return argument.empty() ? ListTables() : DescribeTable(argument);
  }
  if (name == "\\timing") {
    return SetTiming(argument);
  }
  if (name == "\\asof" && options_.parse_moment) {
    return SetMoment(argument);
  }
  if (name == "\\table") {
    options_.format = Format::kTable;
  } else if (name == "\\json") {
    options_.format = Format::kJson;
  } else if (name == "\\csv") {
    options_.format = Format::kCsv;
  } else if (name == "\\q") {
    wants_to_end_ = true;
  } else if (name == "\\?" || name == "\\help" || name == "\\h") {
    out_ << kHelp;
  } else {
    return Invalid("there is no command " + name + "; \\? lists them");
  }
  return {};
}

Result<void> Session::ListTables() {
  std::vector<TableDescription> tables;
  for (const std::string& name : TRY(TableNames(database_, options_.run))) {
    Result<TableDescription> described = Describe(database_, options_.run, name);
    if (described) {
      tables.push_back(*std::move(described));
    } else if (described.error().code != ErrorCode::kTableNotFound) {  // deleted meanwhile
      return std::unexpected(std::move(described).error());
    }
  }
  out_ << (tables.empty() ? "There are no tables.\n" : DrawTables(tables, options_.width()));
  return {};
}

Result<void> Session::DescribeTable(const std::string& table) {
  out_ << DrawDescription(TRY(Describe(database_, options_.run, table)), options_.width());
  return {};
}

void Session::LearnKeys(const std::vector<std::string>& tables) {
  constexpr std::size_t kDescribedMax = 20;  // in a row, while somebody waits for a completion
  std::size_t described_now = 0;
  for (const std::string& table : tables) {
    if (described_.contains(table)) {
      continue;
    }
    if (++described_now > kDescribedMax) {
      return;
    }
    const Result<TableDescription> described = Describe(database_, options_.run_briefly, table);
    if (!described) {
      return;
    }
    described_.insert(table);
    if (described->attribute_definitions) {
      for (const AttributeDefinition& definition : *described->attribute_definitions) {
        attributes_.insert(definition.attribute_name);
      }
    }
  }
}

std::vector<std::string> Session::Complete(const Word& word) {
  std::vector<std::string> names;
  if (!word.is_text && !word.text.starts_with('\\')) {
    names = TableNames(database_, options_.run_briefly).value_or(std::vector<std::string>());
    if (!word.is_table) {
      LearnKeys(names);
      names.insert(names.end(), attributes_.begin(), attributes_.end());
    }
  }
  return CompletionsOf(word, names);
}

}  // namespace stator::shell

// What the shell does with one entry: runs a statement and shows what it gave, or carries out a
// command. Everything that asks the database goes through a Runner, so somebody who does not want to
// wait for the answer need not.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "shell/completion.h"
#include "shell/explainer.h"
#include "shell/output.h"
#include "shell/statement_reader.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"

namespace stator::shell {

// Runs what may take long; false when nobody waits for it any longer. It may then still be running.
using Runner = std::function<bool(std::function<void()> work)>;

inline bool RunHere(const std::function<void()>& work) {
  work();
  return true;
}

struct SessionOptions {
  Format format = Format::kTable;
  bool shows_figures = true;  // what was used and what it cost, behind each statement
  std::function<std::size_t()> width = [] { return std::size_t{80}; };
  Runner run = RunHere;
  Runner run_briefly = RunHere;  // for what nobody asked for: completion
  Clock* clock = &SystemClock();
  // What the argument of \asof means; null: there is no such command. Tells of the forms that there are.
  std::function<Result<TimePoint>(const std::string& text)> parse_moment = nullptr;
};

class Session {
 public:
  Session(Database& database, std::ostream& out, SessionOptions options);

  // What is wrong, if something is, printable. Everything else has been written to `out`.
  std::optional<std::string> Run(const Entry& entry);

  [[nodiscard]] bool wants_to_end() const { return wants_to_end_; }

  // What the word could become: keywords, functions, tables, attributes that were seen, commands.
  std::vector<std::string> Complete(const Word& word);

 private:
  struct Used {
    std::size_t items = 0;
    double units = 0;
  };
  Result<void> RunEntry(const Entry& entry);
  Result<void> RunStatement(const std::string& statement);
  Result<Used> RunPages(const std::string& statement, bool is_write);
  Result<void> RunCommand(const std::string& command);
  Result<void> SetTiming(const std::string& argument);
  Result<void> SetMoment(const std::string& argument);
  Result<void> ListTables();
  Result<void> DescribeTable(const std::string& table);
  void Show(const std::vector<Item>& items, const std::vector<std::string>& keys);
  void LearnKeys(const std::vector<std::string>& tables);

  Database& database_;
  std::ostream& out_;
  SessionOptions options_;
  Explainer explainer_;
  bool has_timing_ = false;
  std::optional<TimePoint> as_of_;  // of which statements read; nothing: what is
  bool wants_to_end_ = false;
  std::set<std::string> attributes_;  // that were seen, for completion
  std::set<std::string> described_;   // tables whose key attributes are among them
};

}  // namespace stator::shell

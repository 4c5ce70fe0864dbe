// What a statement would do, told from its text and the descriptions of tables: Query or Scan, on
// which index, by which keys, what is left to filter, and what that costs as far as it is known.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "partiql/statement.h"
#include "stator/api/table_types.h"
#include "stator/base/result.h"

namespace stator::shell {

class Explainer {
 public:
  using Describer = std::function<Result<TableDescription>(const std::string& table)>;
  explicit Explainer(Describer describe) : describe_(std::move(describe)) {}

  // False for what is no statement.
  static bool IsRead(const std::string& statement);

  // "Query on orders.by_date", "UpdateItem on orders". Printable, as all that comes from here.
  Result<std::string> Summary(const std::string& statement);
  // The same and the reasons, a line each, from descriptions as they are now.
  Result<std::string> Explain(const std::string& statement);

  // The names of the key attributes, in the order of the key; none of an unknown table.
  std::vector<std::string> KeysOf(const std::string& statement);

  // Descriptions are remembered until then; tables change seldom, but they do.
  void Forget() { tables_.clear(); }

 private:
  Result<const TableDescription*> Describe(const std::string& table);
  using Lines = std::vector<std::string>;  // the summary, and the reasons when `in_full`
  Result<Lines> LinesOf(const partiql::Statement& statement, bool in_full);
  Result<Lines> LinesOfSelect(const partiql::Statement& statement, const partiql::Select& select,
                              bool in_full);
  Result<Lines> LinesOfWrite(const partiql::Statement& statement, bool in_full);
  Result<void> AddKeyOfWrite(const partiql::Statement& statement, const TableDescription& table,
                             Lines& lines);

  Describer describe_;
  std::map<std::string, TableDescription> tables_;
};

}  // namespace stator::shell

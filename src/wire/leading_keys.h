// The partition keys that a request names, as text: what policies call dynamodb:LeadingKeys.
//
// COST: a description of every table that the request names; so it is done only for callers whose
// policy looks at them.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "partiql/statement.h"
#include "stator/api/database.h"
#include "stator/base/result.h"

namespace stator::wire {

// What a statement says about keys.
struct StatementKeys {
  std::vector<std::string> leading_keys;
  std::optional<bool> full_table_scan;  // of a SELECT
};

class LeadingKeys {
 public:
  using Texts = std::vector<std::string>;

  explicit LeadingKeys(Database& database) : database_(&database) {}

  // Of an item, or of its key. None of a table that does not exist and of an item without them: the
  // operation itself refuses those.
  Result<Texts> OfItem(const std::string& table, const Item& item);

  // Of the partition that is read. Fails as the operation would when it cannot be told.
  Result<Texts> OfQuery(const QueryInput& input);

  // Of the partitions that a statement reads or of the item that it writes; none of one that the
  // operation refuses.
  Result<StatementKeys> OfStatement(const partiql::Statement& statement,
                                    const std::optional<std::vector<AttributeValue>>& parameters);

 private:
  // Null when there is no such table.
  Result<const TableDescription*> Describe(const std::string& table);
  // The names of the partition attributes.
  Result<Texts> AttributesOf(const std::string& table, const std::optional<std::string>& index);

  Database* database_;
  std::map<std::string, TableDescription> tables_;
};

}  // namespace stator::wire

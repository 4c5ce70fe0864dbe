// The keys of a table or an index, as its description has them, for the planner.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expression/key_condition.h"
#include "stator/api/table_types.h"

namespace stator::partiql {

// Borrows the names of the description.
class TableKeys {
 public:
  // Null when there is no such index, or no key is described.
  static const std::vector<KeySchemaElement>* Find(const TableDescription& table,
                                                   const std::optional<std::string>& index);

  TableKeys(const TableDescription& table, const std::vector<KeySchemaElement>& keys);

  // Whether statements can be planned on it: not on keys of several attributes.
  [[nodiscard]] bool is_plannable() const { return partition_.size() == 1 && sort_.size() <= 1; }
  [[nodiscard]] expression::KeySchema schema() const {
    return {.partition = partition_, .sort = sort_};
  }

 private:
  std::vector<expression::KeyAttribute> partition_;
  std::vector<expression::KeyAttribute> sort_;
};

}  // namespace stator::partiql

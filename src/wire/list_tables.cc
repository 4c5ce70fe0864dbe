#include "stator/api/list_tables.h"

#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<ListTablesInput> {
  static constexpr std::string_view kName = "ListTablesInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("ExclusiveStartTableName", input.exclusive_start_table_name);
    visit.Optional("Limit", input.limit);
  }
};

template <>
struct Shape<ListTablesOutput> {
  static constexpr std::string_view kName = "ListTablesOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableNames", output.table_names);
    visit.Optional("LastEvaluatedTableName", output.last_evaluated_table_name);
  }
};

template struct Body<ListTablesInput>;
template struct Body<ListTablesOutput>;

}  // namespace stator::wire

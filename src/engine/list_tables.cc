#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/operations.h"

namespace stator::engine {

Result<ListTablesOutput> ListTables(EngineCore& core, const ListTablesInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const auto limit = static_cast<std::size_t>(input.limit.value_or(limits::kListTablesLimitMax));
  ListTablesOutput output;
  const std::string after = input.exclusive_start_table_name.value_or("");
  output.table_names = core.catalog.NamesAfter(after, limit + 1);
  core.transient_states.AddDeleting(after, limit + 1, output.table_names);
  if (output.table_names.size() > limit) {
    output.table_names.pop_back();
    output.last_evaluated_table_name = output.table_names.back();
  }
  return output;
}

}  // namespace stator::engine

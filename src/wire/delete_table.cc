#include "stator/api/delete_table.h"

#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_description.h"

namespace stator::wire {

template <>
struct Shape<DeleteTableInput> {
  static constexpr std::string_view kName = "DeleteTableInput";
  static void Visit(auto& visit, auto& input) { visit.Required("TableName", input.table_name); }
};

template <>
struct Shape<DeleteTableOutput> {
  static constexpr std::string_view kName = "DeleteTableOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableDescription", output.table_description);
  }
};

template struct Body<DeleteTableInput>;
template struct Body<DeleteTableOutput>;

}  // namespace stator::wire

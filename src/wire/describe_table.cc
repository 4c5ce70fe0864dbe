#include "stator/api/describe_table.h"

#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_description.h"

namespace stator::wire {

template <>
struct Shape<DescribeTableInput> {
  static constexpr std::string_view kName = "DescribeTableInput";
  static void Visit(auto& visit, auto& input) { visit.Required("TableName", input.table_name); }
};

template <>
struct Shape<DescribeTableOutput> {
  static constexpr std::string_view kName = "DescribeTableOutput";
  static void Visit(auto& visit, auto& output) { visit.Required("Table", output.table); }
};

template struct Body<DescribeTableInput>;
template struct Body<DescribeTableOutput>;

}  // namespace stator::wire

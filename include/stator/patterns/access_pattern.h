// The queries of a program, by name. An item, a key or an index that serves none of them is not
// needed, and a query that is none of them deserves a second look.
//
//   const AccessPattern kOrdersOfCustomer{.name = "orders of a customer", .table = kOrders,
//                                         .partition_key = "customer", .sort_key = "number"};
//   items.Query(kOrdersOfCustomer, {.partition = "ann"});        // patterns/live_items.h

#pragma once

#include <optional>
#include <span>
#include <string>

#include "stator/patterns/table_layout.h"

namespace stator::patterns {

struct AccessPattern {
  std::string name;
  TableLayout table;
  std::string partition_key;
  std::optional<std::string> sort_key = std::nullopt;
  // Of a secondary index. A global one lags behind the table and is never read consistently.
  std::optional<std::string> index_name = std::nullopt;
  bool local_index = false;
};

// A query that was not declared: spelled out where it is used, and why.
AccessPattern AdHoc(std::string why, TableLayout table, std::string partition_key,
                    std::optional<std::string> sort_key = std::nullopt);

// All of them as a Markdown table, for a program's own documentation.
std::string DescribeAccessPatterns(std::span<const AccessPattern> patterns);

}  // namespace stator::patterns

// TableTools: the tables of a Database as tools of an MCP server, so that an assistant can look
// into them: list_tables, describe_table, get_item, query and select (PartiQL), which change
// nothing. Tools that do (put_item, delete_item, execute_statement) are there only when asked for.
//
// INVARIANTS
// 1. An answer has at most `answer_bytes_max` bytes of items: a page that would be larger is read
//    again with fewer, and an item that alone is larger is refused with a way out.
// 2. A table of `hidden` is neither listed nor reached, by no name that it has: names are plain
//    ones, never ARNs.
// 3. Without `writable` no call can write: a statement is parsed, and only a SELECT is sent.
//
// THREADS: the tools may be called from many threads. The database must outlive them.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stator/api/database.h"
#include "stator/mcp/tool.h"

namespace stator::hosting {

struct TableToolOptions {
  bool writable = false;
  // Tables that are nobody's business, such as that of the server's own tasks.
  std::vector<std::string> hidden = {};
  std::size_t answer_bytes_max = 64 << 10;
};

std::vector<mcp::Tool> TableTools(Database& database, TableToolOptions options);

}  // namespace stator::hosting

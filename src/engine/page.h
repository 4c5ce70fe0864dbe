// One page of rows in key order, read at one moment: at most `limit` of them, at most about 1 MB
// (of rows, and of items that are fetched from the table for an index), at most kPageUnitsMax of
// work. A page that ends by the last goes on from its last_evaluated_key like any other.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/capacity.h"
#include "engine/engine_core.h"
#include "engine/read_source.h"
#include "expression/condition.h"
#include "expression/projection.h"
#include "keyspace/key_range.h"

namespace stator::engine {

// A quarter of a second, about (base/work.h). What fits into 1 MB takes less unless its filter has
// hundreds of long comparisons.
inline constexpr std::uint64_t kPageUnitsMax = 256 * 1024 * 1024;

// What a page has taken of its bounds.
struct PageSpent {
  std::size_t bytes = 0;    // of rows, and of items fetched for them
  std::uint64_t units = 0;  // of work
};

struct PageRequest {
  const ReadSource& source;
  keyspace::KeyRange range;
  bool forward = true;
  std::optional<std::int32_t> limit;         // rows read, before the filter
  const std::optional<Item>& start_key;      // exclusive
  const expression::Condition* filter;       // null for none
  const expression::Projection* projection;  // null for none
  Selection selection;
  bool consistent_read = false;
  PageSpent spent = {};  // of the same page, before this range
  // The leased moment of the past that is read; nothing for what is. REQUIRES: the table is read.
  std::optional<std::uint64_t> as_of = std::nullopt;
  // Whether the range is one item of the table, and begins with its key.
  bool is_one_item = false;
};

struct Page {
  std::vector<Item> items;  // empty when only counting
  std::int32_t count = 0;
  std::int32_t scanned_count = 0;
  // The last row read, when the page ended before the range did. There may be no more behind it.
  std::optional<Item> last_evaluated_key;
  PageSpent spent = {};  // with what was spent before
};

// Adds what was read to `usage`, filtered or not.
Result<Page> ReadPage(const EngineCore& core, const PageRequest& request, Usage& usage);

}  // namespace stator::engine

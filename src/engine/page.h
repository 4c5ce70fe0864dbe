// One page of rows in key order: at most `limit` of them, at most about 1 MB, read at one moment.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/capacity.h"
#include "engine/core.h"
#include "engine/read_source.h"
#include "expression/condition.h"
#include "expression/projection.h"
#include "keyspace/key_range.h"

namespace stator::engine {

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
};

struct Page {
  std::vector<Item> items;  // empty when only counting
  std::int32_t count = 0;
  std::int32_t scanned_count = 0;
  // The last row read, when the page ended before the range did. There may be no more behind it.
  std::optional<Item> last_evaluated_key;
};

// Adds what was read to `usage`, filtered or not.
Result<Page> ReadPage(const Core& core, const PageRequest& request, Usage& usage);

}  // namespace stator::engine

// What a Query or Scan reads, the table or one of its indexes, and the rules that depend on it:
// which attributes can be had, which keys a page begins with.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/layers.h"
#include "engine/engine_core.h"
#include "engine/table.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/projection.h"
#include "stator/api/common.h"
#include "stator/base/result.h"

namespace stator::engine {

struct ReadSource {
  TablePtr table;
  const Index* index = nullptr;  // points into the table; null when the table itself is read

  // Null while nobody counts which keys are used.
  [[nodiscard]] Contributors* contributors() const {
    return index != nullptr ? index->contributors.get() : table->contributors.get();
  }

  // The key attributes by which the rows are ordered; they are the table's.
  [[nodiscard]] std::span<const KeyAttribute> Partition() const;
  [[nodiscard]] std::span<const KeyAttribute> Sort() const;

  // Those and the table's key: what a starting key consists of. Each attribute once.
  [[nodiscard]] std::vector<KeyAttribute> StartKeyAttributes() const;

  // The key of the row that holds `item`. REQUIRES: the item has every attribute of a start key.
  [[nodiscard]] std::string RowKeyOf(const Item& item) const;

  // The attributes of a start key, taken from an item that was read; kCorruption when it lacks one.
  [[nodiscard]] Result<Item> StartKeyOf(const Item& item) const;

  // Whether rows hold this attribute of an item that has it.
  [[nodiscard]] bool Projects(std::string_view attribute) const;
};

// Fails when there is no such index, when it cannot be read yet, or not consistently.
Result<ReadSource> FindSource(TablePtr table, const std::optional<std::string>& index_name,
                              bool consistent_read);

// The moment that the request asks for, leased; nothing when it asks for what is.
Result<std::optional<HistoryKeeper::Lease>> LeaseFor(EngineCore& core, const ReadSource& source,
                                                     const std::optional<TimePoint>& as_of);

// What the request wants of each item.
struct Selection {
  bool count_only = false;
  bool whole_items = false;  // also what the index does not hold
  // Whether items are fetched that the filter drops afterwards, as statements pay for them.
  bool fetches_dropped = false;
};

// Select against the source: what is to be fetched from the table, and whether it may be.
Result<Selection> SelectFrom(const ReadSource& source, const std::optional<Select>& select,
                             const std::optional<expression::Projection>& projection);

// An index only filters by what it holds.
Result<void> CheckFilterIsProjected(const ReadSource& source,
                                    const std::optional<expression::Condition>& filter);

// A starting key has exactly the attributes of StartKeyAttributes, of their types.
Result<void> CheckStartKey(const ReadSource& source, const Item& start_key, api::Layer layer);

}  // namespace stator::engine

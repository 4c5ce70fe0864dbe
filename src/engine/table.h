// A table as the engine sees it: its keys, its indexes and its settings at one moment.
//
// INVARIANTS
//
//   (1) A Table never changes once it is published in the catalog; a change of the schema publishes
//       a new Table with the same id. Whoever holds a shared_ptr to one sees one consistent schema.
//   (2) Every item operation holds the pointer until its write is committed, so that a change of
//       the schema can wait until nobody writes by the old one any more (see BackgroundWork). A
//       write that holds its locks and finds its schema replaced is decided anew (call.cc). So of
//       two writes of one item the later never goes by an older schema than the earlier. What is
//       set in an old Table is `replaced`, and nothing else.
//   (3) Ids of tables and indexes are never used again.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keyspace/table_row.h"
#include "stator/api/table_types.h"
#include "stator/value/attribute_value.h"
#include "storage/snapshot.h"

namespace stator::engine {

class Contributors;

using keyspace::KeyAttribute;
using keyspace::Stream;

// How much there is, for DescribeTable: kept in memory, saved now and then, approximate after a
// crash, as DynamoDB's own figures are.
struct Statistics {
  std::atomic<std::int64_t> items = 0;
  std::atomic<std::int64_t> bytes = 0;
};

// What is stored of an index, and how much there is of it.
struct Index : keyspace::IndexSettings {
  std::shared_ptr<Statistics> statistics = std::make_shared<Statistics>();
  std::shared_ptr<Contributors> contributors = nullptr;  // while insights are on

  // Partition attributes, then sort attributes.
  [[nodiscard]] std::vector<KeyAttribute> KeyAttributes() const;
};

// A mark on one object; a copy of the object does not have it.
class Mark {
 public:
  Mark() = default;
  Mark(const Mark& /*other*/) {}
  Mark& operator=(const Mark& /*other*/) { return *this; }
  ~Mark() = default;

  void Set() const { set_.store(true, std::memory_order_release); }
  [[nodiscard]] bool is_set() const { return set_.load(std::memory_order_acquire); }

 private:
  mutable std::atomic<bool> set_ = false;
};

// What readers of a table see while its items are being changed in several steps.
struct FrozenMoment {
  storage::Snapshot snapshot;
  std::uint64_t time;  // the last commit time that can be read
};

// What is stored of a table, with its indexes, and what is known of it in memory alone.
struct Table : keyspace::TableSettings {
  std::vector<Index> indexes;  // local ones first, each kind in the caller's order
  std::shared_ptr<Statistics> statistics = std::make_shared<Statistics>();
  std::shared_ptr<Contributors> contributors = nullptr;  // while insights are on
  Mark replaced;  // set by the catalog when a newer schema takes its place, or none

  // Items are being taken back to what they were (rewind.h). Writers wait meanwhile; readers see
  // what was before, if that takes several steps.
  bool closed = false;
  std::shared_ptr<const FrozenMoment> frozen;

  [[nodiscard]] bool is_closed() const { return closed || rewind; }
  [[nodiscard]] const Index* FindIndex(std::string_view index_name) const;
  [[nodiscard]] bool has_local_indexes() const;
  [[nodiscard]] bool has_global_indexes() const;
  [[nodiscard]] bool IsKeyAttribute(std::string_view attribute) const;
};

using TablePtr = std::shared_ptr<const Table>;

// Begins to count, from nothing, or ends it, as the insights of the table or the index say.
void SetContributors(Table& table);
void SetContributors(Index& index);

// What is read of a table: its own moment, if it has one, otherwise the given one or, without, what is.
inline const storage::Snapshot* MomentOf(const Table& table,
                                         const storage::Snapshot* otherwise = nullptr) {
  return table.frozen != nullptr ? &table.frozen->snapshot : otherwise;
}

// "S", "N" or "B", and the type of value that it stands for.
std::string_view TypeName(ScalarAttributeType type);
AttributeValue::Type ValueType(ScalarAttributeType type);

// The attributes of the item that make its key in the table. REQUIRES: the item has them.
Item KeyOf(const Table& table, const Item& item);

// What the index stores of an item that belongs to it: table key, index key, projected attributes.
Item ProjectionOf(const Table& table, const Index& index, const Item& item);

}  // namespace stator::engine

// A table as the engine sees it: its keys, its indexes and its settings at one moment.
//
// INVARIANTS
//
//   (1) A Table never changes once it is published in the catalog; a change of the schema publishes
//       a new Table with the same id. Whoever holds a shared_ptr to one sees one consistent schema.
//   (2) Every item operation holds the pointer until its write is committed, so that a schema
//   change
//       can wait until nobody writes by the old schema any more (see BackgroundWork).
//       A write that holds its locks and finds its schema replaced is decided anew (engine.cc). So
//       of two writes of one item the later never goes by an older schema than the earlier.
//   (3) Ids of tables and indexes are never used again.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/table_types.h"
#include "stator/api/time_to_live.h"
#include "stator/value/attribute_value.h"

namespace stator::engine {

struct KeyAttribute {
  std::string name;
  ScalarAttributeType type;

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// How much there is, for DescribeTable: kept in memory, saved now and then, approximate after a
// crash, as DynamoDB's own figures are.
struct Statistics {
  std::atomic<std::int64_t> items = 0;
  std::atomic<std::int64_t> bytes = 0;
};

struct Index {
  std::uint32_t id = 0;
  std::string name;
  bool global = true;
  std::vector<KeyAttribute> partition;  // one; up to four in a global index
  std::vector<KeyAttribute> sort;       // at most one; up to four in a global index
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes;  // with kInclude
  IndexStatus status = IndexStatus::kActive;
  bool backfilling = false;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
  std::shared_ptr<Statistics> statistics = std::make_shared<Statistics>();

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

struct Stream {
  std::uint32_t id = 0;
  std::string label;
  StreamViewType view = StreamViewType::kKeysOnly;
};

struct Table {
  std::uint32_t id = 0;
  std::string name;
  std::string uuid;
  std::string arn;
  TimePoint created_at = {};
  std::vector<AttributeDefinition> attribute_definitions;  // as the caller ordered them
  KeyAttribute partition;
  std::optional<KeyAttribute> sort;
  std::vector<Index> indexes;  // local ones first, each kind in the caller's order
  std::uint32_t next_index_id = 1;

  BillingMode billing_mode = BillingMode::kProvisioned;
  bool billing_mode_was_given = false;  // DescribeTable has no summary otherwise
  std::optional<TimePoint> on_demand_since;
  ProvisionedThroughput provisioned_throughput = {0, 0};
  std::optional<TimePoint> last_increase;
  std::optional<TimePoint> last_decrease;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
  std::optional<TableClass> table_class;
  std::optional<SseDescription> sse;
  bool deletion_protection = false;
  std::optional<std::string> ttl_attribute;  // set while expiry is enabled
  bool ttl_enabling = false;                 // items from before have no expiry rows yet
  std::optional<std::string> ttl_disabling;  // the attribute whose expiry rows are being removed
  std::optional<Stream> stream;              // set while the stream is enabled
  std::optional<Stream> latest_stream;       // also after it was disabled
  std::vector<Tag> tags;
  std::shared_ptr<Statistics> statistics = std::make_shared<Statistics>();
  Mark replaced;  // set by the catalog when a newer schema takes its place, or none

  [[nodiscard]] const Index* FindIndex(std::string_view index_name) const;
  [[nodiscard]] bool has_local_indexes() const;
  [[nodiscard]] bool has_global_indexes() const;
  [[nodiscard]] bool IsKeyAttribute(std::string_view attribute) const;
};

using TablePtr = std::shared_ptr<const Table>;

// "S", "N" or "B", and the type of value that it stands for.
std::string_view TypeName(ScalarAttributeType type);
AttributeValue::Type ValueType(ScalarAttributeType type);

// The attributes of the item that make its key in the table. REQUIRES: the item has them.
Item KeyOf(const Table& table, const Item& item);

// What the index stores of an item that belongs to it: table key, index key, projected attributes.
Item ProjectionOf(const Table& table, const Index& index, const Item& item);

}  // namespace stator::engine

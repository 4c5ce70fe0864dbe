// Tables as rows: a table's settings are stored as an item (item_codec.h), so that later versions
// can add attributes and still read older rows. docs/format.md, "Tables", names them.
//
// INVARIANTS
//
//   (1) A decoded row encodes to the same bytes.
//   (2) Enumerations are stored as their numbers: enumerators of the api types below are only ever
//       added at the end.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/contributor_insights.h"
#include "stator/api/kinesis_streaming.h"
#include "stator/api/table_types.h"
#include "stator/api/time_to_live.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::keyspace {

struct KeyAttribute {
  std::string name;
  ScalarAttributeType type;

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// Whether it is counted which keys are used most.
struct Insights {
  bool enabled = false;
  ContributorInsightsMode mode = ContributorInsightsMode::kAccessedAndThrottledKeys;
  TimePoint updated_at = {};  // when it was switched on or off

  friend bool operator==(const Insights&, const Insights&) = default;
};

struct IndexSettings {
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
  std::optional<Insights> insights;  // nothing: never asked for
};

struct Stream {
  std::uint32_t id = 0;
  std::string label;
  StreamViewType view = StreamViewType::kKeysOnly;
};

// Point-in-time recovery, while it is on.
struct Recovery {
  std::uint64_t since = 0;  // the commit time from which on it was
  std::int64_t days = 35;   // how far back it reaches

  friend bool operator==(const Recovery&, const Recovery&) = default;
};

// While a table keeps history: every change behind `since` has an undo row, those up to `floor` may
// be gone. Both are commit times; 0 while nobody knows yet whether all writers make undo rows.
struct History {
  std::uint64_t since = 0;
  std::uint64_t floor = 0;

  friend bool operator==(const History&, const History&) = default;
};

// While a table is being filled with what another one was.
struct Restore {
  std::uint32_t source = 0;  // the id of the other table
  std::string source_arn;
  std::uint64_t time = 0;                                // the commit time
  std::optional<std::string> backup_arn = std::nullopt;  // when a backup says which
  friend bool operator==(const Restore&, const Restore&) = default;
};

// While the items of a table are being taken back to what they were, in steps.
struct Rewind {
  std::uint64_t time = 0;  // the commit time of the moment that they go back to
  // That of the last change before. Undo rows of the rewind have the time behind it, so that it is
  // one step for whoever reads the past.
  std::uint64_t before = 0;

  friend bool operator==(const Rewind&, const Rewind&) = default;
};

// A stream of Kinesis that the changes of a table are, were, or could not be sent to.
struct KinesisDestination {
  std::string stream_arn;
  DestinationStatus status = DestinationStatus::kEnabling;
  std::optional<CreationTimePrecision> precision = std::nullopt;
  std::optional<std::string> description = std::nullopt;  // why it could not be enabled

  friend bool operator==(const KinesisDestination&, const KinesisDestination&) = default;
};

// A document that says who may do what with a table or a stream.
struct AttachedPolicy {
  std::string text;
  std::string revision;

  friend bool operator==(const AttachedPolicy&, const AttachedPolicy&) = default;
};
// As an attribute of the row of what it is attached to.
void EncodePolicy(const std::optional<AttachedPolicy>& policy, Map& row);
Result<std::optional<AttachedPolicy>> DecodePolicy(const Map& row);

// The precision of a destination, as an attribute of its row.
Result<std::optional<CreationTimePrecision>> DecodePrecision(const Map& row);

struct TableSettings {
  std::uint32_t id = 0;
  std::string name;
  std::string uuid;
  std::string arn;
  TimePoint created_at = {};
  std::vector<AttributeDefinition> attribute_definitions;  // as the caller ordered them
  KeyAttribute partition;
  std::optional<KeyAttribute> sort;
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
  std::optional<History> history;    // set while changes make undo rows
  std::optional<Recovery> recovery;  // set while recovery is on; then there is history
  std::optional<Restore> restore;    // set while it is being restored; then nobody sees its items
  bool importing = false;            // while it is filled by an import; the same
  std::optional<Rewind> rewind;      // set while it is being rewound; then nobody else writes to it
  std::optional<AttachedPolicy> policy;
  std::optional<Insights> insights;  // nothing: never asked for
  // The newest first; at most one that is neither disabled nor has failed.
  std::vector<KinesisDestination> kinesis;
  std::optional<Stream> outgoing;  // set while changes make records for that one

  [[nodiscard]] bool is_being_filled() const { return restore.has_value() || importing; }
};

// How much there was when the row was written.
struct Figures {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
};

struct IndexRow {
  IndexSettings settings;
  Figures figures;
};

struct TableRow {
  TableSettings settings;
  std::vector<IndexRow> indexes;  // local ones first, each kind in the caller's order
  Figures figures;
};

// The row as an attribute of another row.
Map TableRowToMap(const TableRow& row);
Result<TableRow> TableRowFromMap(const Map& fields);

void AppendTableRow(const TableRow& row, std::string& bytes);
Result<TableRow> DecodeTableRow(std::string_view bytes);

}  // namespace stator::keyspace

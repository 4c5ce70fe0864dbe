// What table_row.h promises: every setting of a table survives its row; damage is told.

#include "engine/table_row.h"

#include <gtest/gtest.h>

#include "engine/table_description.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

Table FullTable() {
  Table table;
  table.id = 7;
  table.name = "orders";
  table.uuid = "11111111-2222-4333-8444-555555555555";
  table.arn = "arn:aws:dynamodb:us-east-1:000000000000:table/orders";
  table.created_at = TimePoint(std::chrono::microseconds(1'794'782'798'775'123));
  table.attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                 {"sk", ScalarAttributeType::kNumber},
                                 {"b", ScalarAttributeType::kBinary}};
  table.partition = {"pk", ScalarAttributeType::kString};
  table.sort = KeyAttribute{"sk", ScalarAttributeType::kNumber};
  Index index;
  index.id = 3;
  index.name = "by_b";
  index.partition = {{"b", ScalarAttributeType::kBinary}};
  index.sort = {{"sk", ScalarAttributeType::kNumber}};
  index.projection = ProjectionType::kInclude;
  index.non_key_attributes = {"x", "y"};
  index.status = IndexStatus::kCreating;
  index.backfilling = true;
  index.provisioned_throughput = ProvisionedThroughput{1, 2};
  index.on_demand_throughput = OnDemandThroughput{.max_read_request_units = 5};
  index.warm_throughput = WarmThroughput{.write_units_per_second = 6};
  index.statistics->items = 8;
  table.indexes.push_back(index);
  table.next_index_id = 4;
  table.billing_mode = BillingMode::kPayPerRequest;
  table.billing_mode_was_given = true;
  table.on_demand_since = table.created_at;
  table.provisioned_throughput = {3, 4};
  table.last_decrease = table.created_at;
  table.table_class = TableClass::kStandardInfrequentAccess;
  table.sse = SseDescription{.sse_type = SseType::kKms, .kms_master_key_arn = "key"};
  table.deletion_protection = true;
  table.ttl_attribute = "expires_at";
  table.ttl_enabling = true;
  table.stream = Stream{.id = 9, .label = "label", .view = StreamViewType::kOldImage};
  table.latest_stream = table.stream;
  table.kinesis = {
      {.stream_arn = "now",
       .status = DestinationStatus::kActive,
       .precision = CreationTimePrecision::kMicrosecond},
      {.stream_arn = "then", .status = DestinationStatus::kEnableFailed, .description = "words"}};
  table.outgoing = Stream{.id = 10, .label = "kinesis", .view = StreamViewType::kNewAndOldImages};
  table.tags = {{"team", "a"}};
  table.statistics->items = 10;
  table.statistics->bytes = 1000;
  return table;
}

TEST(TableRow, EverySettingSurvives) {
  std::string row;
  AppendTable(FullTable(), row);
  const Result<Table> decoded = DecodeTable(row);
  ASSERT_TRUE(decoded) << decoded.error().message;
  std::string again;
  AppendTable(*decoded, again);
  EXPECT_EQ(row, again);
  EXPECT_EQ(decoded->statistics->items, 10);
  EXPECT_EQ(decoded->indexes[0].KeyAttributes(), FullTable().indexes[0].KeyAttributes());
  EXPECT_EQ(decoded->ttl_attribute, "expires_at");
  EXPECT_EQ(decoded->stream->view, StreamViewType::kOldImage);
  EXPECT_EQ(decoded->kinesis, FullTable().kinesis);
  EXPECT_EQ(decoded->outgoing->id, 10U);
}

TEST(TableRow, EveryFieldThatAllTablesHaveIsRequired) {
  std::string row;
  AppendTable(FullTable(), row);
  const Map whole = value::DecodeItem(row).value();
  for (const char* field : {"id", "name", "uuid", "arn", "created_at", "attributes", "key",
                            "indexes", "billing", "tags", "items", "deletion_protection"}) {
    Map damaged = whole;
    damaged.Erase(field);
    std::string bytes;
    value::AppendItem(damaged, bytes);
    const Result<Table> decoded = DecodeTable(bytes);
    ASSERT_FALSE(decoded) << field;
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorruption) << field;
  }
}

}  // namespace
}  // namespace stator::engine

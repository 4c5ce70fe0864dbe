// Specs: what is refused before a database is asked, and the request that a spec becomes.

#include "stator/provision/table_spec.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace stator::provision {
namespace {

TableSpec Orders() {
  return {.name = "orders",
          .keys = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
          .attributes = {{"pk", ScalarAttributeType::kString},
                         {"sk", ScalarAttributeType::kString},
                         {"day", ScalarAttributeType::kNumber}},
          .global_indexes = {{.index_name = "by_day",
                              .key_schema = {{"day", KeyType::kHash}},
                              .projection = {.projection_type = ProjectionType::kAll}}}};
}

std::string Refusal(const std::function<void(TableSpec&)>& change) {
  TableSpec spec = Orders();
  change(spec);
  const Result<void> checked = CheckSpec(spec);
  EXPECT_FALSE(checked.has_value());
  return checked ? "" : checked.error().message;
}

TEST(CheckSpec, AcceptsWhatIsComplete) {
  EXPECT_TRUE(CheckSpec(Orders()).has_value());
}

TEST(CheckSpec, RefusesWhatCannotBeATable) {
  EXPECT_EQ(Refusal([](TableSpec& spec) { spec.attributes.pop_back(); }),
            "the key attribute day of orders has no definition");
  EXPECT_EQ(Refusal([](TableSpec& spec) {
              spec.attributes.push_back({"total", ScalarAttributeType::kNumber});
            }),
            "the attribute total of orders is defined twice or is no key");
  EXPECT_EQ(Refusal([](TableSpec& spec) { spec.keys.clear(); }),
            "the table orders needs a partition key and at most one sort key, in this order");
  EXPECT_EQ(Refusal([](TableSpec& spec) { std::swap(spec.keys[0], spec.keys[1]); }),
            "the table orders needs a partition key and at most one sort key, in this order");
  EXPECT_EQ(Refusal([](TableSpec& spec) { spec.recovery.days = 36; }),
            "the recovery period of orders is not 1 to 35 days");
  EXPECT_EQ(Refusal([](TableSpec& spec) { spec.global_indexes.push_back(spec.global_indexes[0]); }),
            "two indexes of orders are called by_day");
  EXPECT_EQ(
      Refusal([](TableSpec& spec) {
        spec.local_indexes = {
            {.index_name = "by_sk", .key_schema = {{"sk", KeyType::kHash}}, .projection = {}}};
      }),
      "the local index by_sk needs the partition key of its table");
}

TEST(DefineAttribute, AddsWhatIsNotThere) {
  TableSpec spec = Orders();
  DefineAttribute(spec, "day", ScalarAttributeType::kString);
  EXPECT_EQ(spec.attributes, Orders().attributes);
  DefineAttribute(spec, "total", ScalarAttributeType::kNumber);
  EXPECT_EQ(spec.attributes.back(), (AttributeDefinition{"total", ScalarAttributeType::kNumber}));
}

TEST(MakeCreateTableInput, SaysEverythingThatCreateTableTakes) {
  TableSpec spec = Orders();
  spec.throughput = ProvisionedThroughput{5, 6};
  spec.stream = StreamViewType::kNewImage;
  spec.encryption = Encryption{.kms_key_id = "key"};
  spec.tags = {{"team", "billing"}};
  const CreateTableInput input = MakeCreateTableInput(spec);
  EXPECT_EQ(input.billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(input.provisioned_throughput, spec.throughput);
  EXPECT_EQ(input.global_secondary_indexes->front().index_name, "by_day");
  EXPECT_FALSE(input.local_secondary_indexes.has_value());
  EXPECT_EQ(input.stream_specification->stream_view_type, StreamViewType::kNewImage);
  EXPECT_EQ(input.sse_specification->kms_master_key_id, "key");
  EXPECT_EQ(input.tags, spec.tags);
  EXPECT_EQ(input.deletion_protection_enabled, true);
}

TEST(MakeCreateTableInput, IsPaidPerRequestUnlessToldOtherwise) {
  EXPECT_EQ(MakeCreateTableInput(Orders()).billing_mode, BillingMode::kPayPerRequest);
  EXPECT_FALSE(MakeCreateTableInput(Orders()).sse_specification.has_value());
}

}  // namespace
}  // namespace stator::provision

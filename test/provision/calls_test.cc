// The requests that are printed are those that would be sent.

#include <gtest/gtest.h>

#include "stator/provision/templates.h"
#include "value/plain_json.h"
#include "wire/messages.h"

namespace stator::provision {
namespace {

TableSpec Everything() {
  return {.name = "orders",
          .keys = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
          .attributes = {{"pk", ScalarAttributeType::kString},
                         {"sk", ScalarAttributeType::kBinary},
                         {"day", ScalarAttributeType::kNumber}},
          .global_indexes = {{.index_name = "by_day",
                              .key_schema = {{"day", KeyType::kHash}},
                              .projection = {.projection_type = ProjectionType::kInclude,
                                             .non_key_attributes = {{"total"}}},
                              .provisioned_throughput = {{3, 4}},
                              .on_demand_throughput = OnDemandThroughput{5, 6},
                              .warm_throughput = WarmThroughput{7, 8}}},
          .local_indexes = {{.index_name = "in_day",
                             .key_schema = {{"pk", KeyType::kHash}, {"day", KeyType::kRange}},
                             .projection = {.projection_type = ProjectionType::kKeysOnly}}},
          .throughput = {{5, 6}},
          .ttl_attribute = "ttl",
          .stream = StreamViewType::kNewAndOldImages,
          .encryption = Encryption{.kms_key_id = "key"},
          .tags = {{"team", "billing"}}};
}

template <class Input>
AttributeValue Sent(const Input& input) {
  std::string body;
  wire::Body<Input>::Append(input, body);
  return value::ValueFromPlainJson(body).value();
}

TEST(MakeCalls, PrintsWhatWouldBeSent) {
  for (const bool is_plain : {false, true}) {
    TableSpec spec = Everything();
    if (is_plain) {
      spec = {.name = "orders", .keys = {spec.keys[0]}, .attributes = {spec.attributes[0]}};
      spec.ttl_attribute = "ttl";
    }
    const std::vector<ServiceCall> calls = MakeCalls(spec);
    EXPECT_EQ(AttributeValue(calls.at(0).input), Sent(MakeCreateTableInput(spec)));
    const UpdateTimeToLiveInput expiry{
        .table_name = "orders",
        .time_to_live_specification = {.enabled = true, .attribute_name = "ttl"}};
    EXPECT_EQ(AttributeValue(calls.at(1).input), Sent(expiry));
  }
}

}  // namespace
}  // namespace stator::provision

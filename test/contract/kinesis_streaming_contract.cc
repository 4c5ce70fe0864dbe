// EnableKinesisStreamingDestination, DisableKinesisStreamingDestination,
// UpdateKinesisStreamingDestination, DescribeKinesisStreamingDestination, where there is no Kinesis to
// send to. What is sent is in engine/outgoing_test.cc and test/sdk.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;

constexpr char kStream[] = "arn:aws:kinesis:us-east-1:000000000000:stream/changes";

class KinesisStreaming : public ContractTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S | sk:N"}); }

  Result<UpdateKinesisStreamingDestinationOutput> Update(
      std::optional<KinesisStreamingConfiguration> configuration) {
    return db().UpdateKinesisStreamingDestination(
        {.table_name = "things",
         .stream_arn = kStream,
         .update_kinesis_streaming_configuration = configuration});
  }
};

TEST_F(KinesisStreaming, HasNoDestinationsAtFirst) {
  const auto described = Must(db().DescribeKinesisStreamingDestination({.table_name = "things"}));
  EXPECT_EQ(described.table_name, "things");
  EXPECT_THAT(described.kinesis_data_stream_destinations, IsEmpty());
}

TEST_F(KinesisStreaming, CanBeDescribedByTheArnOfTheTable) {
  const std::string arn = Must(db().DescribeTable({.table_name = "things"})).table.table_arn;
  EXPECT_EQ(Must(db().DescribeKinesisStreamingDestination({.table_name = arn})).table_name,
            "things");
}

TEST_F(KinesisStreaming, CannotBeEnabledWithoutAnEndpoint) {
  EXPECT_TRUE(Refused(
      db().EnableKinesisStreamingDestination({.table_name = "things", .stream_arn = kStream}),
      "this database has no endpoint of Kinesis to send changes to: start it with "
      "stator serve --kinesis-endpoint URL"));
  EXPECT_THAT(Must(db().DescribeKinesisStreamingDestination({.table_name = "things"}))
                  .kinesis_data_stream_destinations,
              IsEmpty());
}

TEST_F(KinesisStreaming, NeedsTheArnOfAStream) {
  EXPECT_TRUE(Refused(
      db().EnableKinesisStreamingDestination({.table_name = "things", .stream_arn = "changes"}),
      "1 validation error detected: Value 'changes' at 'streamArn' failed to satisfy constraint: "
      "Member must have length greater than or equal to 37"));
}

TEST_F(KinesisStreaming, IsDisabledOnlyWhereItIsActive) {
  EXPECT_TRUE(Refused(
      db().DisableKinesisStreamingDestination({.table_name = "things", .stream_arn = "nothing"}),
      "Table is not in a valid state to enable Kinesis Streaming Destination: "
      "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."));
  EXPECT_TRUE(
      Refused(db().DisableKinesisStreamingDestination(
                  {.table_name = "things",
                   .stream_arn = kStream,
                   .enable_kinesis_streaming_configuration = KinesisStreamingConfiguration()}),
              "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters"));
}

TEST_F(KinesisStreaming, IsUpdatedOnlyWhereThereIsADestination) {
  const std::string nothing =
      "Streaming destination cannot be updated with given parameters: "
      "UpdateKinesisStreamingConfiguration cannot be null or contain only null values";
  EXPECT_TRUE(Refused(Update(std::nullopt), nothing));
  EXPECT_TRUE(Refused(Update(KinesisStreamingConfiguration()), nothing));
  EXPECT_TRUE(
      Refused(Update(KinesisStreamingConfiguration{.approximate_creation_date_time_precision =
                                                       CreationTimePrecision::kMicrosecond}),
              "Table is not in a valid state to enable Kinesis Streaming Destination: No streaming "
              "destination with streamArn: " +
                  std::string(kStream) + " found for table with tableName: things"));
}

TEST_F(KinesisStreaming, NeedsATable) {
  EXPECT_TRUE(FailsWith(db().DescribeKinesisStreamingDestination({.table_name = "nowhere"}),
                        ErrorCode::kTableNotFound));
  EXPECT_TRUE(FailsWith(
      db().EnableKinesisStreamingDestination({.table_name = "nowhere", .stream_arn = kStream}),
      ErrorCode::kTableNotFound));
  EXPECT_TRUE(FailsWith(
      db().DisableKinesisStreamingDestination({.table_name = "nowhere", .stream_arn = kStream}),
      ErrorCode::kTableNotFound));
  EXPECT_TRUE(FailsWith(
      db().UpdateKinesisStreamingDestination({.table_name = "nowhere", .stream_arn = kStream}),
      ErrorCode::kTableNotFound));
}

}  // namespace
}  // namespace stator::contract

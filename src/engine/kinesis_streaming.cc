// EnableKinesisStreamingDestination, DisableKinesisStreamingDestination,
// UpdateKinesisStreamingDestination, DescribeKinesisStreamingDestination.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "base/check.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/outgoing.h"

namespace stator::engine {
namespace {

using keyspace::KinesisDestination;

// How many of the destinations that were disabled or have failed are remembered.
constexpr std::size_t kEndedMax = 10;

// The service's words, whatever was asked for.
const std::string kWrongState =
    "Table is not in a valid state to enable Kinesis Streaming Destination: ";

bool HasEnded(const KinesisDestination& destination) {
  return destination.status == DestinationStatus::kDisabled ||
         destination.status == DestinationStatus::kEnableFailed;
}

std::string_view NameOf(CreationTimePrecision precision) {
  return precision == CreationTimePrecision::kMillisecond ? "MILLISECOND" : "MICROSECOND";
}

}  // namespace

Result<EnableKinesisStreamingDestinationOutput> EnableKinesisStreamingDestination(
    EngineCore& core, const EnableKinesisStreamingDestinationInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const auto lock = core.catalog.ChangeLock();
  Table next = *TRY(core.catalog.FindNamed(input.table_name));
  if (!core.outgoing->has_receiver()) {
    return Invalid(
        "this database has no endpoint of Kinesis to send changes to: start it with stator serve "
        "--kinesis-endpoint URL");
  }
  if (!std::ranges::all_of(next.kinesis, HasEnded)) {
    return Invalid(kWrongState +
                   "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform "
                   "ENABLE operation.");
  }
  const KinesisStreamingConfiguration configuration =
      input.enable_kinesis_streaming_configuration.value_or(KinesisStreamingConfiguration());
  std::erase_if(next.kinesis, [&](const KinesisDestination& destination) {
    return destination.stream_arn == input.stream_arn;
  });
  next.kinesis.insert(
      next.kinesis.begin(),
      KinesisDestination{.stream_arn = input.stream_arn,
                         .status = DestinationStatus::kEnabling,
                         .precision = configuration.approximate_creation_date_time_precision});
  next.kinesis.resize(std::min(next.kinesis.size(), kEndedMax + 1));
  EnableKinesisStreamingDestinationOutput output{
      .table_name = next.name,
      .stream_arn = input.stream_arn,
      .destination_status = DestinationStatus::kEnabling,
      .enable_kinesis_streaming_configuration = configuration};
  storage::WriteBatch batch;
  TRY_VOID(BeginOutgoing(core, input.stream_arn,
                         configuration.approximate_creation_date_time_precision, next, batch));
  TRY_VOID(core.catalog.Publish(std::move(next), std::move(batch)));
  core.outgoing->Wake();
  return output;
}

Result<DisableKinesisStreamingDestinationOutput> DisableKinesisStreamingDestination(
    EngineCore& core, const DisableKinesisStreamingDestinationInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const auto lock = core.catalog.ChangeLock();
  Table next = *TRY(core.catalog.FindNamed(input.table_name));
  if (input.enable_kinesis_streaming_configuration) {
    return Invalid(
        "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters");
  }
  DisableKinesisStreamingDestinationOutput output{
      .table_name = next.name,
      .stream_arn = input.stream_arn,
      .destination_status = DestinationStatus::kDisabling};
  const auto found =
      std::ranges::find(next.kinesis, input.stream_arn, &KinesisDestination::stream_arn);
  if (found != next.kinesis.end() && found->status == DestinationStatus::kDisabling) {
    return output;
  }
  if (found == next.kinesis.end() || found->status != DestinationStatus::kActive) {
    return Invalid(kWrongState +
                   "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.");
  }
  found->status = DestinationStatus::kDisabling;
  storage::WriteBatch batch;
  TRY_VOID(EndOutgoing(core, /*abandon=*/false, next, batch));
  TRY_VOID(core.catalog.Publish(std::move(next), std::move(batch)));
  core.outgoing->Wake();
  return output;
}

Result<UpdateKinesisStreamingDestinationOutput> UpdateKinesisStreamingDestination(
    EngineCore& core, const UpdateKinesisStreamingDestinationInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const auto lock = core.catalog.ChangeLock();
  Table next = *TRY(core.catalog.FindNamed(input.table_name));
  const auto& configuration = input.update_kinesis_streaming_configuration;
  if (!configuration || !configuration->approximate_creation_date_time_precision) {
    return Invalid(
        "Streaming destination cannot be updated with given parameters: "
        "UpdateKinesisStreamingConfiguration cannot be null or contain only null values");
  }
  const CreationTimePrecision precision = *configuration->approximate_creation_date_time_precision;
  const auto found =
      std::ranges::find(next.kinesis, input.stream_arn, &KinesisDestination::stream_arn);
  if (found == next.kinesis.end()) {
    return Invalid(kWrongState + "No streaming destination with streamArn: " + input.stream_arn +
                   " found for table with tableName: " + next.name);
  }
  if (found->status != DestinationStatus::kActive) {
    return Invalid(kWrongState +
                   "Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE "
                   "state. TableName: " +
                   next.name + ", kdsArn: " + input.stream_arn);
  }
  if (found->precision.value_or(CreationTimePrecision::kMillisecond) == precision) {
    return Invalid("Invalid Request: Precision is already set to the desired value of " +
                   std::string(NameOf(precision)) + " for tableId: " + next.uuid +
                   ", kdsArn: " + input.stream_arn);
  }
  found->precision = precision;
  storage::WriteBatch batch;
  CHECK_THAT(next.outgoing, "an active destination has records");
  if (std::optional<StreamRow> row = TRY(ReadStream(core, next.outgoing->id))) {
    row->outgoing->precision = precision;
    PutStream(*row, batch);
  }
  UpdateKinesisStreamingDestinationOutput output{
      .table_name = next.name,
      .stream_arn = input.stream_arn,
      .destination_status = DestinationStatus::kUpdating,
      .update_kinesis_streaming_configuration = *configuration};
  TRY_VOID(core.catalog.Publish(std::move(next), std::move(batch)));
  return output;
}

Result<DescribeKinesisStreamingDestinationOutput> DescribeKinesisStreamingDestination(
    EngineCore& core, const DescribeKinesisStreamingDestinationInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const TablePtr table = TRY(core.catalog.FindNamed(input.table_name));
  DescribeKinesisStreamingDestinationOutput output{.table_name = table->name,
                                                   .kinesis_data_stream_destinations = {}};
  for (const KinesisDestination& destination : table->kinesis) {
    const bool sends = table->outgoing && !HasEnded(destination);
    output.kinesis_data_stream_destinations.push_back(
        {.stream_arn = destination.stream_arn,
         .destination_status = destination.status,
         .destination_status_description =
             sends ? core.outgoing->FailureOf(table->outgoing->id) : destination.description,
         .approximate_creation_date_time_precision = destination.precision});
  }
  return output;
}

}  // namespace stator::engine

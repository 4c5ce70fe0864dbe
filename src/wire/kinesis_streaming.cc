#include "stator/api/kinesis_streaming.h"

#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<KinesisStreamingConfiguration> {
  static constexpr std::string_view kName = "KinesisStreamingConfiguration";
  static void Visit(auto& visit, auto& configuration) {
    visit.Optional("ApproximateCreationDateTimePrecision",
                   configuration.approximate_creation_date_time_precision);
  }
};

template <>
struct Shape<EnableKinesisStreamingDestinationInput> {
  static constexpr std::string_view kName = "KinesisStreamingDestinationInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("StreamArn", input.stream_arn);
    visit.Optional("EnableKinesisStreamingConfiguration",
                   input.enable_kinesis_streaming_configuration);
  }
};

template <>
struct Shape<EnableKinesisStreamingDestinationOutput> {
  static constexpr std::string_view kName = "KinesisStreamingDestinationOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableName", output.table_name);
    visit.Required("StreamArn", output.stream_arn);
    visit.Required("DestinationStatus", output.destination_status);
    visit.Required("EnableKinesisStreamingConfiguration",
                   output.enable_kinesis_streaming_configuration);
  }
};

template <>
struct Shape<DisableKinesisStreamingDestinationInput> {
  static constexpr std::string_view kName = "KinesisStreamingDestinationInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("StreamArn", input.stream_arn);
    visit.Optional("EnableKinesisStreamingConfiguration",
                   input.enable_kinesis_streaming_configuration);
  }
};

template <>
struct Shape<DisableKinesisStreamingDestinationOutput> {
  static constexpr std::string_view kName = "KinesisStreamingDestinationOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableName", output.table_name);
    visit.Required("StreamArn", output.stream_arn);
    visit.Required("DestinationStatus", output.destination_status);
  }
};

template <>
struct Shape<UpdateKinesisStreamingDestinationInput> {
  static constexpr std::string_view kName = "UpdateKinesisStreamingDestinationInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("StreamArn", input.stream_arn);
    visit.Optional("UpdateKinesisStreamingConfiguration",
                   input.update_kinesis_streaming_configuration);
  }
};

template <>
struct Shape<UpdateKinesisStreamingDestinationOutput> {
  static constexpr std::string_view kName = "UpdateKinesisStreamingDestinationOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableName", output.table_name);
    visit.Required("StreamArn", output.stream_arn);
    visit.Required("DestinationStatus", output.destination_status);
    visit.Required("UpdateKinesisStreamingConfiguration",
                   output.update_kinesis_streaming_configuration);
  }
};

template <>
struct Shape<DescribeKinesisStreamingDestinationInput> {
  static constexpr std::string_view kName = "DescribeKinesisStreamingDestinationInput";
  static void Visit(auto& visit, auto& input) { visit.Required("TableName", input.table_name); }
};

template <>
struct Shape<KinesisDataStreamDestination> {
  static constexpr std::string_view kName = "KinesisDataStreamDestination";
  static void Visit(auto& visit, auto& destination) {
    visit.Required("StreamArn", destination.stream_arn);
    visit.Required("DestinationStatus", destination.destination_status);
    visit.Optional("DestinationStatusDescription", destination.destination_status_description);
    visit.Optional("ApproximateCreationDateTimePrecision",
                   destination.approximate_creation_date_time_precision);
  }
};

template <>
struct Shape<DescribeKinesisStreamingDestinationOutput> {
  static constexpr std::string_view kName = "DescribeKinesisStreamingDestinationOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableName", output.table_name);
    visit.Required("KinesisDataStreamDestinations", output.kinesis_data_stream_destinations);
  }
};

template struct Body<EnableKinesisStreamingDestinationInput>;
template struct Body<EnableKinesisStreamingDestinationOutput>;
template struct Body<DisableKinesisStreamingDestinationInput>;
template struct Body<DisableKinesisStreamingDestinationOutput>;
template struct Body<UpdateKinesisStreamingDestinationInput>;
template struct Body<UpdateKinesisStreamingDestinationOutput>;
template struct Body<DescribeKinesisStreamingDestinationInput>;
template struct Body<DescribeKinesisStreamingDestinationOutput>;

}  // namespace stator::wire

// EnableKinesisStreamingDestination, DisableKinesisStreamingDestination,
// UpdateKinesisStreamingDestination, DescribeKinesisStreamingDestination: whether every change of a
// table's items is sent to a stream of Amazon Kinesis Data Streams. It has nothing to do with the
// table's own stream (streams.h).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stator {

enum class DestinationStatus : std::uint8_t {
  kEnabling,
  kActive,
  kDisabling,
  kDisabled,
  kEnableFailed,
  kUpdating
};

// Of the time that a record says it was made.
enum class CreationTimePrecision : std::uint8_t { kMillisecond, kMicrosecond };

struct KinesisStreamingConfiguration {
  // Absent: milliseconds.
  std::optional<CreationTimePrecision> approximate_creation_date_time_precision = std::nullopt;
};

struct EnableKinesisStreamingDestinationInput {
  std::string table_name;
  std::string stream_arn;  // of Kinesis
  std::optional<KinesisStreamingConfiguration> enable_kinesis_streaming_configuration =
      std::nullopt;
};

struct EnableKinesisStreamingDestinationOutput {
  std::string table_name;
  std::string stream_arn;
  DestinationStatus destination_status = DestinationStatus::kEnabling;
  KinesisStreamingConfiguration enable_kinesis_streaming_configuration = {};
};

struct DisableKinesisStreamingDestinationInput {
  std::string table_name;
  std::string stream_arn;
  // Refused when it is there: it is of the same structure on the wire, and no use here.
  std::optional<KinesisStreamingConfiguration> enable_kinesis_streaming_configuration =
      std::nullopt;
};

struct DisableKinesisStreamingDestinationOutput {
  std::string table_name;
  std::string stream_arn;
  DestinationStatus destination_status = DestinationStatus::kDisabling;
};

struct UpdateKinesisStreamingDestinationInput {
  std::string table_name;
  std::string stream_arn;
  std::optional<KinesisStreamingConfiguration> update_kinesis_streaming_configuration =
      std::nullopt;
};

struct UpdateKinesisStreamingDestinationOutput {
  std::string table_name;
  std::string stream_arn;
  DestinationStatus destination_status = DestinationStatus::kUpdating;
  KinesisStreamingConfiguration update_kinesis_streaming_configuration = {};
};

struct DescribeKinesisStreamingDestinationInput {
  std::string table_name;
};

struct KinesisDataStreamDestination {
  std::string stream_arn;
  DestinationStatus destination_status = DestinationStatus::kDisabled;
  // Why it could not be enabled; of one that is active, why nothing can be sent just now.
  std::optional<std::string> destination_status_description = std::nullopt;
  std::optional<CreationTimePrecision> approximate_creation_date_time_precision = std::nullopt;
};

struct DescribeKinesisStreamingDestinationOutput {
  std::string table_name;
  std::vector<KinesisDataStreamDestination> kinesis_data_stream_destinations;  // the newest first
};

}  // namespace stator

// Where the changes of tables are sent: streams of Kinesis, as the engine sees them. Whoever opens a
// database says what is behind it (client/kinesis_streams.h).

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stator/base/result.h"

namespace stator::api {

// What one call takes, by the API reference of Kinesis' PutRecords: so many records, and so many bytes
// of data and partition keys.
inline constexpr std::size_t kReceivedRecordsMax = 500;
inline constexpr std::size_t kReceivedBytesMax = std::size_t{5} << 20U;
// Endpoints may refuse a record that has more.
inline constexpr std::size_t kReceivedRecordBytesMax = std::size_t{1} << 20U;

struct ChangeRecord {
  std::string partition_key;  // records of one item have the same
  std::string data;
};

// THREADS: called by one thread at a time of each database that has it.
class ChangeReceiver {
 public:
  ChangeReceiver() = default;
  ChangeReceiver(const ChangeReceiver&) = delete;
  ChangeReceiver& operator=(const ChangeReceiver&) = delete;
  virtual ~ChangeReceiver() = default;

  // Whether the stream takes records now. kResourceNotFound and kAccessDenied when there is none for
  // us; any other error may pass.
  virtual Result<bool> IsActive(const std::string& stream_arn) = 0;

  // One attempt to hand the records over: which of them were taken. After an error each of them may
  // have been. kValidation when the call itself was refused, so that the same again cannot help.
  // REQUIRES: within the limits above, except a single record.
  virtual Result<std::vector<bool>> Put(const std::string& stream_arn,
                                        const std::vector<ChangeRecord>& records) = 0;
};

}  // namespace stator::api

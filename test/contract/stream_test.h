// For tests: the fixture of the stream cases.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/contract_test.h"

namespace stator::contract {

class StreamTest : public ContractTest {
 protected:
  [[nodiscard]] std::string StreamOf(const std::string& table) {
    return Describe(table).latest_stream_arn.value_or("");
  }

  [[nodiscard]] StreamDescription Stream(const std::string& arn) {
    return Must(db().DescribeStream({.stream_arn = arn})).stream_description;
  }

  [[nodiscard]] Result<GetShardIteratorOutput> Iterator(
      const std::string& arn, ShardIteratorType type,
      std::optional<std::string> sequence_number = std::nullopt) {
    // The newest shard, or the one with that number.
    const StreamDescription stream = Stream(arn);
    std::string shard_id;
    for (const Shard& shard : stream.shards) {
      if (shard_id.empty() || !sequence_number ||
          shard.starting_sequence_number <= *sequence_number) {
        shard_id = shard.shard_id;
      }
    }
    return db().GetShardIterator({.stream_arn = arn,
                                  .shard_id = std::move(shard_id),
                                  .shard_iterator_type = type,
                                  .sequence_number = std::move(sequence_number)});
  }

  // Everything that the stream of the table holds.
  [[nodiscard]] std::vector<StreamRecord> Records(const std::string& table) {
    const std::string arn = StreamOf(table);
    std::vector<StreamRecord> all;
    for (const Shard& shard : Stream(arn).shards) {
      const auto start =
          Must(db().GetShardIterator({.stream_arn = arn,
                                      .shard_id = shard.shard_id,
                                      .shard_iterator_type = ShardIteratorType::kTrimHorizon}));
      for (StreamRecord& record : ReadFrom(start.shard_iterator)) {
        all.push_back(std::move(record));
      }
    }
    return all;
  }

  // Reads until nothing more comes.
  [[nodiscard]] std::vector<StreamRecord> ReadFrom(std::optional<std::string> iterator) {
    std::vector<StreamRecord> all;
    for (int page = 0; iterator && page < 1000; ++page) {
      GetRecordsOutput output = Must(db().GetRecords({.shard_iterator = *iterator}));
      if (output.records.empty()) {
        break;
      }
      for (StreamRecord& record : output.records) {
        all.push_back(std::move(record));
      }
      iterator = output.next_shard_iterator;
    }
    return all;
  }
};

}  // namespace stator::contract

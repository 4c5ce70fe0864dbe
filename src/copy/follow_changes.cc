#include "copy/follow_changes.h"

#include <chrono>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/retry.h"

namespace stator::copy {
namespace {

// The moments of records are those of the service's clock, in whole seconds.
constexpr Duration kClockTolerance = std::chrono::minutes(5);

std::string Remedy(const std::string& table, const std::string& view) {
  return "; switch one on with\n  aws dynamodb update-table --table-name " + table +
         " --stream-specification StreamEnabled=true,StreamViewType=" + view;
}

}  // namespace

Result<ChangeFollower> ChangeFollower::Open(const Side& from, const Side& to, TimePoint since,
                                            const patterns::Environment& environment) {
  const bool same_keys = HaveSameKeys(from, to);
  const std::string wanted = same_keys ? "NEW_IMAGE" : "NEW_AND_OLD_IMAGES";
  const std::optional<StreamSpecification>& stream = from.table.stream_specification;
  if (!stream || !stream->stream_enabled || !from.table.latest_stream_arn) {
    return Fail(ErrorCode::kValidation, "table " + from.layout.table_name +
                                            " has no stream that could be followed" +
                                            Remedy(from.layout.table_name, wanted));
  }
  const StreamViewType view = stream->stream_view_type.value_or(StreamViewType::kKeysOnly);
  const bool is_enough =
      view == StreamViewType::kNewAndOldImages || (same_keys && view == StreamViewType::kNewImage);
  if (!is_enough) {
    return Fail(ErrorCode::kValidation, "the stream of table " + from.layout.table_name +
                                            " does not tell enough: " + wanted + " is needed" +
                                            Remedy(from.layout.table_name, wanted));
  }
  return ChangeFollower(from, to, since - kClockTolerance, *from.table.latest_stream_arn,
                        environment);
}

Result<void> ChangeFollower::FindShards() {
  std::optional<std::string> behind;
  do {
    const DescribeStreamInput input{.stream_arn = stream_arn_, .exclusive_start_shard_id = behind};
    const DescribeStreamOutput output = TRY(patterns::RetryTransient(
        kPatience, environment_, [&] { return from_->database->DescribeStream(input); }));
    for (const Shard& shard : output.stream_description.shards) {
      if (!readers_.contains(shard.shard_id) && !ended_.contains(shard.shard_id)) {
        waiting_.emplace(shard.shard_id, shard.parent_shard_id.value_or(""));
      }
    }
    behind = output.stream_description.last_evaluated_shard_id;
  } while (behind);
  for (auto each = waiting_.begin(); each != waiting_.end();) {
    // A parent that nobody knows was removed with all that it held.
    const bool must_wait = readers_.contains(each->second) || waiting_.contains(each->second);
    if (must_wait) {
      ++each;
      continue;
    }
    readers_.emplace(each->first, Reader());
    each = waiting_.erase(each);
  }
  return {};
}

Result<std::string> ChangeFollower::IteratorOf(const std::string& shard, const Reader& reader) {
  GetShardIteratorInput input{.stream_arn = stream_arn_,
                              .shard_id = shard,
                              .shard_iterator_type = ShardIteratorType::kTrimHorizon};
  if (!reader.last_sequence.empty()) {
    input.shard_iterator_type = ShardIteratorType::kAfterSequenceNumber;
    input.sequence_number = reader.last_sequence;
  }
  const GetShardIteratorOutput output = TRY(patterns::RetryTransient(
      kPatience, environment_, [&] { return from_->database->GetShardIterator(input); }));
  return output.shard_iterator;
}

Result<std::vector<StreamRecord>> ChangeFollower::ReadOnce(const std::string& shard,
                                                           Reader& reader) {
  if (reader.iterator.empty()) {
    reader.iterator = TRY(IteratorOf(shard, reader));
  }
  const auto read = [&] {
    return from_->database->GetRecords({.shard_iterator = reader.iterator});
  };
  Result<GetRecordsOutput> output = patterns::RetryTransient(kPatience, environment_, read);
  if (!output && output.error().code == ErrorCode::kExpiredIterator) {
    reader.iterator = TRY(IteratorOf(shard, reader));
    output = patterns::RetryTransient(kPatience, environment_, read);
  }
  if (!output && output.error().code == ErrorCode::kTrimmedData) {
    return Fail(ErrorCode::kTrimmedData,
                "changes of table " + from_->layout.table_name +
                    " are lost: nobody followed them for a day; begin the copy anew");
  }
  GetRecordsOutput got = TRY(std::move(output));
  if (!got.records.empty()) {
    reader.last_sequence = got.records.back().sequence_number;
  }
  reader.iterator = got.next_shard_iterator.value_or("");
  if (!got.next_shard_iterator) {
    ended_.insert(shard);
  }
  return std::move(got.records);
}

Result<void> ChangeFollower::AddWrites(const StreamRecord& record,
                                       std::vector<WriteRequest>& writes) const {
  if (HaveSameKeys(*from_, *to_)) {
    if (record.new_image) {
      writes.emplace_back(PutRequest{*record.new_image});
    } else {
      writes.emplace_back(DeleteRequest{record.keys});
    }
    return {};
  }
  // Under other keys a change may be a move.
  if (record.old_image) {
    writes.emplace_back(DeleteRequest{TRY(KeyOn(*to_, *record.old_image))});
  }
  if (record.new_image) {
    writes.emplace_back(PutRequest{*record.new_image});
  }
  return {};
}

Result<std::uint64_t> ChangeFollower::Apply(const std::vector<StreamRecord>& records) {
  std::vector<WriteRequest> writes;
  std::uint64_t changes = 0;
  for (const StreamRecord& record : records) {
    if (record.approximate_creation_date_time >= since_) {
      TRY_VOID(AddWrites(record, writes));
      ++changes;
    }
  }
  if (writes.empty()) {
    return changes;
  }
  const patterns::BatchWriter writer(
      *to_->database,
      {.duplicates = patterns::Duplicates::kLastWins, .retry = kPatience, .allow_versioned = true},
      environment_);
  const patterns::BatchWriteOutcome outcome =
      writer.Write({{.table = to_->layout, .writes = std::move(writes)}});
  if (!outcome.complete()) {
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "changes could not be applied"}));
  }
  return changes;
}

Result<std::uint64_t> ChangeFollower::Poll() {
  TRY_VOID(FindShards());
  std::uint64_t changes = 0;
  for (auto& [shard, reader] : readers_) {
    const std::vector<StreamRecord> records = TRY(ReadOnce(shard, reader));
    changes += TRY(Apply(records));
  }
  std::erase_if(readers_, [this](const auto& each) { return ended_.contains(each.first); });
  return changes;
}

}  // namespace stator::copy

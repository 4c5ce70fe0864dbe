#include "stator/patterns/stream_tail.h"

#include <algorithm>

#include "base/try.h"
#include "stator/api/database.h"

namespace stator::patterns {
namespace {

// A shard that goes on where another ended may take a moment to appear.
constexpr int kPollsWithoutShardMax = 20;

bool HasEnded(const Shard& shard) {
  return shard.ending_sequence_number.has_value();
}

}  // namespace

Result<std::unique_ptr<StreamTail>> StreamTail::Open(Database& database, const std::string& table,
                                                     const RetryOptions& retry,
                                                     Environment environment) {
  const DescribeTableOutput described = TRY(RetryTransient(
      retry, environment, [&] { return database.DescribeTable({.table_name = table}); }));
  const auto& stream = described.table.stream_specification;
  if (!stream || !stream->stream_enabled || !described.table.latest_stream_arn) {
    return nullptr;
  }
  std::unique_ptr<StreamTail> tail(
      new StreamTail(database, *described.table.latest_stream_arn, retry, environment));
  TRY_VOID(tail->AddShards(/*at_end=*/true));
  // An iterator may mean the end at the time of its first use.
  TRY_VOID(tail->Poll([](const StreamRecord& /*record*/) {}));
  return tail;
}

Result<void> StreamTail::AddShards(bool at_end) {
  std::optional<std::string> start;
  do {
    const DescribeStreamOutput output = TRY(Again([&] {
      return database_->DescribeStream(
          {.stream_arn = stream_arn_, .exclusive_start_shard_id = start});
    }));
    for (const Shard& shard : output.stream_description.shards) {
      if (!seen_.insert(shard.shard_id).second || (at_end && HasEnded(shard))) {
        continue;
      }
      const GetShardIteratorOutput iterator = TRY(Again([&] {
        return database_->GetShardIterator(
            {.stream_arn = stream_arn_,
             .shard_id = shard.shard_id,
             .shard_iterator_type =
                 at_end ? ShardIteratorType::kLatest : ShardIteratorType::kTrimHorizon});
      }));
      readers_.push_back({shard.shard_id, iterator.shard_iterator});
    }
    start = output.stream_description.last_evaluated_shard_id;
  } while (start);
  return {};
}

Result<void> StreamTail::PollShard(ShardReader& reader, const See& see) {
  // One that is not at its end yet gives full answers; empty ones come at the end and between.
  constexpr int kAnswersMax = 10;
  for (int answer = 0; answer < kAnswersMax && !reader.iterator.empty(); ++answer) {
    const GetRecordsOutput output =
        TRY(Again([&] { return database_->GetRecords({.shard_iterator = reader.iterator}); }));
    reader.iterator = output.next_shard_iterator.value_or("");
    std::ranges::for_each(output.records, see);
    if (output.records.empty()) {
      break;
    }
  }
  return {};
}

Result<bool> StreamTail::Poll(const See& see) {
  bool ended = false;
  for (ShardReader& reader : readers_) {
    const Result<void> polled = PollShard(reader, see);
    if (!polled && polled.error().code != ErrorCode::kExpiredIterator &&
        polled.error().code != ErrorCode::kTrimmedData) {
      return std::unexpected(polled.error());
    }
    if (!polled) {
      readers_.clear();
      seen_.clear();
      TRY_VOID(AddShards(/*at_end=*/true));
      return true;
    }
    ended = ended || reader.iterator.empty();
  }
  std::erase_if(readers_, [](const ShardReader& reader) { return reader.iterator.empty(); });
  if (ended || readers_.empty()) {
    TRY_VOID(AddShards(/*at_end=*/false));
    polls_without_shard_ = readers_.empty() ? polls_without_shard_ + 1 : 0;
    if (polls_without_shard_ >= kPollsWithoutShardMax) {
      return Fail(ErrorCode::kResourceNotFound, "the stream of the table has ended");
    }
  }
  return ended;
}

}  // namespace stator::patterns

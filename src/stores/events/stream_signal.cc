#include "stores/events/stream_signal.h"

#include <algorithm>

#include "base/try.h"
#include "stores/events/item_fields.h"
#include "stores/events/read_retry.h"

namespace stator::events {
namespace {

// A shard that goes on where another ended may take a moment to appear.
constexpr int kPollsWithoutShardMax = 20;

bool HasEnded(const Shard& shard) {
  return shard.ending_sequence_number.has_value();
}

}  // namespace

Result<std::unique_ptr<StreamSignal>> StreamSignal::Open(Core& core) {
  const DescribeTableOutput table = TRY(RetryRead(core, [&] {
    return core.database->DescribeTable({.table_name = core.options.events_table_name});
  }));
  const bool enabled =
      table.table.stream_specification && table.table.stream_specification->stream_enabled;
  if (!enabled || !table.table.latest_stream_arn) {
    return nullptr;
  }
  std::unique_ptr<StreamSignal> signal(new StreamSignal(core, *table.table.latest_stream_arn));
  TRY_VOID(signal->AddShards(/*at_end=*/true));
  // An iterator may mean the end at the time of its first use.
  TRY(signal->Poll());
  return signal;
}

Result<void> StreamSignal::AddShards(bool at_end) {
  std::optional<std::string> start;
  do {
    const DescribeStreamOutput output = TRY(RetryRead(*core_, [&] {
      return core_->database->DescribeStream(
          {.stream_arn = stream_arn_, .exclusive_start_shard_id = start});
    }));
    for (const Shard& shard : output.stream_description.shards) {
      if (!seen_.insert(shard.shard_id).second || (at_end && HasEnded(shard))) {
        continue;
      }
      const GetShardIteratorOutput iterator = TRY(RetryRead(*core_, [&] {
        return core_->database->GetShardIterator(
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

bool StreamSignal::IsOurs(const StreamRecord& record) const {
  const std::string pk = TextOr(record.keys, "pk");
  return core_->keys.IsSlot(pk);
}

Result<bool> StreamSignal::PollShard(ShardReader& reader) {
  bool seen = false;
  // One that is not at its end yet gives full answers; empty ones come at the end and between.
  constexpr int kAnswersMax = 10;
  for (int answer = 0; answer < kAnswersMax && !reader.iterator.empty(); ++answer) {
    const GetRecordsOutput output = TRY(RetryRead(
        *core_, [&] { return core_->database->GetRecords({.shard_iterator = reader.iterator}); }));
    reader.iterator = output.next_shard_iterator.value_or("");
    seen = seen || std::any_of(output.records.begin(), output.records.end(),
                               [this](const StreamRecord& record) { return IsOurs(record); });
    if (output.records.empty()) {
      break;
    }
  }
  return seen;
}

Result<bool> StreamSignal::Poll() {
  bool seen = false;
  bool ended = false;
  for (ShardReader& reader : readers_) {
    const Result<bool> polled = PollShard(reader);
    if (!polled && (polled.error().code == ErrorCode::kExpiredIterator ||
                    polled.error().code == ErrorCode::kTrimmedData)) {
      // Whatever was there in between, the log has it.
      readers_.clear();
      seen_.clear();
      TRY_VOID(AddShards(/*at_end=*/true));
      return true;
    }
    seen = TRY(Result<bool>(polled)) || seen;
    ended = ended || reader.iterator.empty();
  }
  std::erase_if(readers_, [](const ShardReader& reader) { return reader.iterator.empty(); });
  if (ended || readers_.empty()) {
    TRY_VOID(AddShards(/*at_end=*/false));
    polls_without_shard_ = readers_.empty() ? polls_without_shard_ + 1 : 0;
    if (polls_without_shard_ >= kPollsWithoutShardMax) {
      return Fail(ErrorCode::kResourceNotFound, "the stream of the events table has ended");
    }
  }
  return seen || ended;
}

}  // namespace stator::events

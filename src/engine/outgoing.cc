#include "engine/outgoing.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/probe.h"
#include "base/try.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "stator/base/backoff.h"

namespace stator::engine {
namespace {

using keyspace::KinesisDestination;

// How soon a change is seen.
constexpr std::chrono::milliseconds kPoll{50};
constexpr std::chrono::milliseconds kFirstWait{100};
constexpr std::chrono::seconds kLongestWait{30};
// How often a stream is asked for before enabling it has failed.
constexpr int kEnablingAttempts = 6;
// A failure is passed over in silence while it may be a hiccup.
constexpr int kFailuresBeforeNotice = 3;
constexpr std::size_t kRemovedAtOnce = 1'000;

// The service's words, also for a stream that does not exist.
constexpr std::string_view kNoPermission = "User does not have a permission to use kinesis stream";
constexpr std::string_view kNotActive =
    "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in Active "
    "state";
constexpr std::string_view kOtherRegion =
    "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the "
    "current region";

// The region in arn:PARTITION:kinesis:REGION:ACCOUNT:stream/NAME; nothing when it is no such name.
std::optional<std::string_view> RegionOfKinesisArn(std::string_view arn) {
  std::vector<std::string_view> parts;
  while (parts.size() < 5 && arn.contains(':')) {
    parts.push_back(arn.substr(0, arn.find(':')));
    arn.remove_prefix(parts.back().size() + 1);
  }
  constexpr std::string_view kStream = "stream/";
  if (parts.size() != 5 || parts[0] != "arn" || parts[2] != "kinesis" ||
      !arn.starts_with(kStream) || arn.size() == kStream.size() ||
      arn.substr(kStream.size()).find_first_of("/:") != std::string_view::npos) {
    return std::nullopt;
  }
  return parts[3];
}

// The destination that this stream is of; null when it is of none any more.
template <class AnyTable>
auto* DestinationOf(const StreamRow& row, AnyTable& table) {
  const auto found = std::ranges::find_if(table.kinesis, [&](const KinesisDestination& each) {
    return each.stream_arn == row.outgoing->kinesis_arn &&
           each.status != DestinationStatus::kDisabled &&
           each.status != DestinationStatus::kEnableFailed;
  });
  return found != table.kinesis.end() ? &*found : nullptr;
}

std::string NameOf(const StreamRow& row) {
  return "changes of the table " + row.table_name + " to " + row.outgoing->kinesis_arn;
}

}  // namespace

void OutgoingWork::Start() {
  CHECK(!thread_.joinable());
  thread_ = std::thread([this] { Run(); });
}

void OutgoingWork::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void OutgoingWork::Wake() {
  {
    const MutexLock lock(mutex_);
    woken_ = true;
  }
  changed_.NotifyAll();
}

std::optional<std::string> OutgoingWork::FailureOf(std::uint32_t stream) const {
  const MutexLock lock(mutex_);
  const auto found = failures_.find(stream);
  return found == failures_.end() ? std::nullopt : std::optional(found->second);
}

OutgoingStatistics OutgoingWork::Statistics() const {
  const MutexLock lock(mutex_);
  OutgoingStatistics statistics = statistics_;
  statistics.failing = failures_.size();
  for (const auto& [stream, oldest] : oldest_) {
    statistics.oldest = std::max(statistics.oldest, core_.clock.Now() - oldest);
  }
  return statistics;
}

void OutgoingWork::Run() {
  std::map<std::uint32_t, Memory> memories;
  for (;;) {
    const std::vector<std::uint32_t> streams = core_.outgoing_streams.List(
        std::nullopt, std::nullopt, std::numeric_limits<std::size_t>::max());
    std::erase_if(memories, [&](const auto& entry) {
      return !std::ranges::binary_search(streams, entry.first);
    });
    bool worked = false;
    for (const std::uint32_t stream : streams) {
      Memory& memory = memories[stream];
      const Result<bool> stepped = Step(stream, memory);
      if (!stepped) {
        // The store says so to every caller.
        memory.not_before = core_.clock.Elapsed() + kFirstWait;
      }
      worked = worked || (stepped && *stepped);
    }
    MutexLock lock(mutex_);
    statistics_.destinations = streams.size();
    const auto is_called = [this]() STATOR_REQUIRES(mutex_) { return stopping_ || woken_; };
    if (streams.empty()) {
      changed_.Wait(lock, is_called);
    } else if (!worked) {
      changed_.WaitFor(lock, kPoll, is_called);
    }
    if (stopping_) {
      return;
    }
    if (std::exchange(woken_, false)) {
      for (auto& [stream, memory] : memories) {
        memory.nothing_up_to.reset();
        memory.not_before = {};
      }
    }
  }
}

Result<bool> OutgoingWork::Step(std::uint32_t stream, Memory& memory) {
  if (core_.clock.Elapsed() < memory.not_before ||
      memory.nothing_up_to == core_.store->VisibleSequence()) {
    return false;
  }
  const std::optional<StreamRow> row = TRY(ReadStream(core_, stream));
  if (!row) {
    return false;  // it is being made
  }
  if (row->outgoing->abandoned) {
    return RemoveAll(*row);
  }
  const TablePtr table = core_.catalog.FindId(row->outgoing->table);
  if (table != nullptr && table->outgoing && table->outgoing->id == stream) {
    const KinesisDestination* destination = DestinationOf(*row, *table);
    if (destination != nullptr && destination->status == DestinationStatus::kEnabling) {
      return FinishEnabling(*row, memory);
    }
  }
  return Send(*row, memory);
}

Result<bool> OutgoingWork::FinishEnabling(const StreamRow& row, Memory& memory) {
  const std::string& arn = row.outgoing->kinesis_arn;
  const std::optional<std::string_view> region = RegionOfKinesisArn(arn);
  if (!region || *region != core_.account.region) {
    return EndEnabling(row, DestinationStatus::kEnableFailed,
                       std::string(region ? kOtherRegion : kNoPermission));
  }
  if (receiver_ == nullptr) {
    return EndEnabling(row, DestinationStatus::kEnableFailed, "There is no endpoint of Kinesis");
  }
  Result<bool> active = receiver_->IsActive(arn);
  if (active && *active) {
    NoteSuccess(row, 0, memory);
    return EndEnabling(row, DestinationStatus::kActive, std::nullopt);
  }
  if (!active && (active.error().code == ErrorCode::kResourceNotFound ||
                  active.error().code == ErrorCode::kAccessDenied)) {
    return EndEnabling(row, DestinationStatus::kEnableFailed, std::string(kNoPermission));
  }
  Error error = active ? Error{.code = ErrorCode::kUnavailable, .message = std::string(kNotActive)}
                       : std::move(active).error();
  NoteFailure(row, error, memory);
  if (memory.failures < kEnablingAttempts) {
    return false;
  }
  return EndEnabling(row, DestinationStatus::kEnableFailed, std::move(error.message));
}

Result<bool> OutgoingWork::EndEnabling(const StreamRow& row, DestinationStatus status,
                                       std::optional<std::string> description) {
  const auto lock = core_.catalog.ChangeLock();
  const TablePtr table = core_.catalog.FindId(row.outgoing->table);
  if (table == nullptr) {
    return true;  // it is gone, and what it wrote is still sent
  }
  Table next = *table;
  KinesisDestination* destination = DestinationOf(row, next);
  if (destination == nullptr || destination->status != DestinationStatus::kEnabling) {
    return true;
  }
  destination->status = status;
  destination->description = std::move(description);
  storage::WriteBatch batch;
  if (status == DestinationStatus::kEnableFailed) {
    TRY_VOID(EndOutgoing(core_, /*abandon=*/true, next, batch));
  }
  TRY_VOID(core_.catalog.Publish(std::move(next), std::move(batch)));
  return true;
}

Result<bool> OutgoingWork::Send(const StreamRow& row, Memory& memory) {
  // Both before the records are read: what comes behind is seen the next time.
  const std::uint64_t visible = core_.store->VisibleSequence();
  const bool has_ended = row.disabled_at && !core_.catalog.IsOldSchemaInUse(row.outgoing->table);
  const Batch batch = TRY(ReadBatch(row, memory.records_max));
  NoteOldest(row, batch);
  if (batch.records.empty()) {
    if (has_ended) {
      TRY_VOID(Forget(row));
      return true;
    }
    if (!row.disabled_at) {
      memory.nothing_up_to = visible;
    }
    return false;
  }
  if (receiver_ != nullptr) {
    return SendBatch(row, batch, memory);
  }
  if (row.disabled_at) {
    TRY_VOID(Abandon(row));
    return true;
  }
  if (memory.failures == 0) {
    memory.failures = kFailuresBeforeNotice - 1;  // it is no hiccup
    NoteFailure(row,
                {.code = ErrorCode::kUnavailable, .message = "there is no endpoint of Kinesis"},
                memory);
  }
  memory.nothing_up_to = visible;
  return false;
}

Result<bool> OutgoingWork::SendBatch(const StreamRow& row, const Batch& batch, Memory& memory) {
  CHECK(batch.records.size() == batch.sequences.size() && !batch.records.empty());
  const Result<std::vector<bool>> taken = receiver_->Put(row.outgoing->kinesis_arn, batch.records);
  CountCall(!taken || std::ranges::count(*taken, false) > 0);
  if (!taken) {
    const bool is_refused = taken.error().code == ErrorCode::kValidation;
    if (is_refused && batch.records.size() > 1) {
      PROBE("Kinesis refuses a call, and it is tried with fewer records");
      memory.records_max = batch.records.size() / 2;
      return true;
    }
    if (is_refused && batch.records[0].data.size() > api::kReceivedRecordBytesMax) {
      PROBE("a record is too large for Kinesis");
      TRY_VOID(Remove(row, batch.sequences));
      CountDropped(row, 1);
      return true;
    }
    NoteFailure(row, taken.error(), memory);
    if (row.disabled_at && memory.failures >= kFailuresBeforeNotice) {
      TRY_VOID(Abandon(row));
    }
    return false;
  }
  CHECK_THAT(taken->size() == batch.records.size(), "each record was taken or was not");
  std::vector<std::uint64_t> sequences;
  for (std::size_t i = 0; i < taken->size(); ++i) {
    if ((*taken)[i]) {
      sequences.push_back(batch.sequences[i]);
    }
  }
  if (!sequences.empty()) {
    TRY_VOID(Remove(row, sequences));
    memory.records_max = std::min(memory.records_max * 2, api::kReceivedRecordsMax);
    NoteSuccess(row, sequences.size(), memory);
  }
  if (sequences.size() < batch.records.size()) {
    PROBE("Kinesis takes some records of a call and not all");
    NoteFailure(row,
                {.code = ErrorCode::kThroughputExceeded,
                 .message = std::to_string(batch.records.size() - sequences.size()) + " of " +
                            std::to_string(batch.records.size()) + " records were not taken"},
                memory);
  }
  return true;
}

Result<void> OutgoingWork::Remove(const StreamRow& row,
                                  const std::vector<std::uint64_t>& sequences) {
  // Disabling and trimming write the same row.
  const auto lock = core_.catalog.ChangeLock();
  std::optional<StreamRow> current = TRY(ReadStream(core_, row.stream.id));
  if (!current) {
    return {};
  }
  storage::WriteBatch batch;
  for (const std::uint64_t sequence : sequences) {
    std::string key;
    keyspace::AppendStreamRecordKey(row.stream.id, sequence, key);
    batch.Delete(key);
    current->trimmed_through = std::max(current->trimmed_through, sequence);
  }
  PutStream(*current, batch);
  return core_.store->Write(std::move(batch));
}

Result<void> OutgoingWork::Abandon(const StreamRow& row) {
  const auto lock = core_.catalog.ChangeLock();
  std::optional<StreamRow> current = TRY(ReadStream(core_, row.stream.id));
  if (!current || !current->disabled_at) {
    return {};
  }
  current->outgoing->abandoned = true;
  storage::WriteBatch batch;
  PutStream(*current, batch);
  return core_.store->Write(std::move(batch));
}

Result<bool> OutgoingWork::RemoveAll(const StreamRow& row) {
  if (core_.catalog.IsOldSchemaInUse(row.outgoing->table)) {
    return false;
  }
  std::string prefix;
  keyspace::AppendStreamRecordsPrefix(row.stream.id, prefix);
  std::vector<std::uint64_t> sequences;
  {
    storage::Cursor cursor = core_.store->NewCursor(nullptr, prefix, keyspace::PrefixEnd(prefix));
    for (cursor.SeekToFirst(); cursor.Valid() && sequences.size() < kRemovedAtOnce; cursor.Next()) {
      sequences.push_back(TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence);
    }
    TRY_VOID(cursor.status());
  }
  if (sequences.empty()) {
    TRY_VOID(Forget(row));
    return true;
  }
  TRY_VOID(Remove(row, sequences));
  CountDropped(row, sequences.size());
  return true;
}

Result<void> OutgoingWork::Forget(const StreamRow& row) {
  const auto lock = core_.catalog.ChangeLock();
  storage::WriteBatch batch;
  batch.Delete(keyspace::StreamKey(row.stream.id));
  const TablePtr table = core_.catalog.FindId(row.outgoing->table);
  Table next = table != nullptr ? *table : Table();
  KinesisDestination* destination = DestinationOf(row, next);
  if (destination != nullptr && destination->status == DestinationStatus::kDisabling) {
    destination->status = DestinationStatus::kDisabled;
    // What it was is of no use to who enables it again.
    destination->precision.reset();
    TRY_VOID(core_.catalog.Publish(std::move(next), std::move(batch)));
  } else {
    TRY_VOID(core_.store->Write(std::move(batch)));
  }
  core_.outgoing_streams.Remove(row.stream.id);
  const MutexLock state(mutex_);
  failures_.erase(row.stream.id);
  oldest_.erase(row.stream.id);
  return {};
}

void OutgoingWork::CountCall(bool failed) {
  const MutexLock lock(mutex_);
  ++statistics_.calls;
  statistics_.failures += failed ? 1 : 0;
}

void OutgoingWork::CountDropped(const StreamRow& row, std::size_t records) {
  {
    const MutexLock lock(mutex_);
    statistics_.dropped += records;
  }
  Say(std::to_string(records) + " " + NameOf(row) + " were dropped: " +
      (row.outgoing->abandoned ? "it was disabled, and Kinesis does not take them"
                               : "Kinesis did not take them for a day, or they are too large"));
}

void OutgoingWork::NoteOldest(const StreamRow& row, const Batch& batch) {
  const MutexLock lock(mutex_);
  if (batch.records.empty()) {
    oldest_.erase(row.stream.id);
  } else {
    oldest_[row.stream.id] = batch.oldest;
  }
}

void OutgoingWork::NoteFailure(const StreamRow& row, const Error& error, Memory& memory) {
  ++memory.failures;
  memory.not_before = core_.clock.Elapsed() +
                      BackoffBefore(memory.failures - 1, kFirstWait, kLongestWait, core_.random);
  {
    const MutexLock lock(mutex_);
    failures_[row.stream.id] = error.message;
  }
  if (memory.failures == kFailuresBeforeNotice) {
    memory.was_told = true;
    Say(NameOf(row) + " cannot be sent, and are kept for a day: " + error.message);
  }
}

void OutgoingWork::NoteSuccess(const StreamRow& row, std::size_t records, Memory& memory) {
  memory.failures = 0;
  memory.not_before = {};
  {
    const MutexLock lock(mutex_);
    statistics_.delivered += records;
    failures_.erase(row.stream.id);
  }
  if (std::exchange(memory.was_told, false)) {
    Say(NameOf(row) + " are sent again");
  }
}

void OutgoingWork::Say(const std::string& sentence) const {
  if (notice_) {
    notice_(sentence);
  }
}

}  // namespace stator::engine

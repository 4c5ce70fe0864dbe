// What leaves for Kinesis. A table with a destination makes a record of every change in the batch of
// the change, in a stream of its own that nobody can read (keyspace/stream_row.h, Outgoing). This
// thread hands the records over and removes those that were taken; what is left is what is still to be
// sent, so a crash costs a repetition at most.
//
// INVARIANTS
//
//   (1) Records of one item are handed over in the order of the changes: no call has two of them, and
//       the next call begins with what the last one left. (A record may arrive twice.)
//   (2) No writer waits for this thread, nor does it hold more than one call's records in memory. What
//       an endpoint does not take waits on disk, and is dropped and counted after a day
//       (stream_trim.cc).
//   (3) What was written before a destination was disabled, or its table deleted, is handed over, unless
//       the endpoint fails at that: then the rest is dropped and counted.
//
// THREADS: all methods from any thread, except Start and Stop.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/change_receiver.h"
#include "engine/engine_core.h"
#include "engine/stream_row.h"
#include "stator/base/clock.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"

namespace stator::engine {

// Counts since the engine was opened.
struct OutgoingStatistics {
  std::uint64_t destinations = 0;  // now
  std::uint64_t failing = 0;       // of them, those whose last call failed
  std::uint64_t delivered = 0;     // records
  std::uint64_t calls = 0;
  std::uint64_t failures = 0;  // calls that failed, wholly or for some of their records
  std::uint64_t dropped = 0;   // records that were never handed over
  Duration oldest = {};  // how long the oldest record has waited, of those that were looked at
};

class OutgoingWork {
 public:
  // Tells people what they should know: that nothing can be sent, that it can again, what was dropped.
  using Notice = std::function<void(std::string_view sentence)>;

  // `receiver` is null when there is no endpoint.
  OutgoingWork(EngineCore& core, std::shared_ptr<api::ChangeReceiver> receiver, Notice notice)
      : core_(core), receiver_(std::move(receiver)), notice_(std::move(notice)) {}
  OutgoingWork(const OutgoingWork&) = delete;
  OutgoingWork& operator=(const OutgoingWork&) = delete;
  ~OutgoingWork() { Stop(); }

  void Start();
  // Ends the thread, behind the call that is under way.
  void Stop();

  [[nodiscard]] bool has_receiver() const { return receiver_ != nullptr; }

  // Has the thread look again now: a destination was changed.
  void Wake();

  // Why the last call for that stream failed; nothing when it did not.
  [[nodiscard]] std::optional<std::string> FailureOf(std::uint32_t stream) const;

  // Records that were removed because nobody took them in time.
  void CountDropped(const StreamRow& row, std::size_t records);

  [[nodiscard]] OutgoingStatistics Statistics() const;

 private:
  // What is remembered of a stream between two looks at it.
  struct Memory {
    int failures = 0;       // in a row
    bool was_told = false;  // to people
    Duration not_before = {};
    std::size_t records_max = api::kReceivedRecordsMax;
    std::optional<std::uint64_t> nothing_up_to = std::nullopt;  // there was no record below this
  };
  struct Batch {
    std::vector<api::ChangeRecord> records;
    std::vector<std::uint64_t> sequences;
    TimePoint oldest = {};
  };

  void Run();
  // One thing for one stream; whether there was one to do.
  Result<bool> Step(std::uint32_t stream, Memory& memory);
  // Of a destination that is ENABLING: asks for its stream.
  Result<bool> FinishEnabling(const StreamRow& row, Memory& memory);
  Result<bool> EndEnabling(const StreamRow& row, DestinationStatus status,
                           std::optional<std::string> description);
  Result<bool> Send(const StreamRow& row, Memory& memory);
  Result<bool> SendBatch(const StreamRow& row, const Batch& batch, Memory& memory);
  [[nodiscard]] Result<Batch> ReadBatch(const StreamRow& row, std::size_t records_max) const;

  // Takes these records out of the stream.
  Result<void> Remove(const StreamRow& row, const std::vector<std::uint64_t>& sequences);
  // The stream takes no more part: what is left of it is removed, then it is.
  Result<bool> RemoveAll(const StreamRow& row);
  Result<void> Abandon(const StreamRow& row);
  Result<void> Forget(const StreamRow& row);

  // After a failed call; waits longer each time.
  void NoteFailure(const StreamRow& row, const Error& error, Memory& memory);
  void NoteSuccess(const StreamRow& row, std::size_t records, Memory& memory);
  void NoteOldest(const StreamRow& row, const Batch& batch);
  void CountCall(bool failed);
  void Say(const std::string& sentence) const;

  EngineCore& core_;
  const std::shared_ptr<api::ChangeReceiver> receiver_;
  const Notice notice_;
  std::thread thread_;

  mutable Mutex mutex_;
  ConditionVariable changed_;
  bool stopping_ STATOR_GUARDED_BY(mutex_) = false;
  bool woken_ STATOR_GUARDED_BY(mutex_) = false;
  OutgoingStatistics statistics_ STATOR_GUARDED_BY(mutex_);
  std::map<std::uint32_t, std::string> failures_ STATOR_GUARDED_BY(mutex_);  // by stream
  std::map<std::uint32_t, TimePoint> oldest_ STATOR_GUARDED_BY(mutex_);      // by stream
};

// What a change is called in Kinesis: the JSON of AWS's "Change data capture for Kinesis Data Streams".
Result<api::ChangeRecord> ChangeRecordOf(const StreamRow& row, std::uint64_t sequence,
                                         std::string_view record, const std::string& region);

// A stream for what leaves the table, begun now: adds its row to the batch and itself to the table.
Result<void> BeginOutgoing(EngineCore& core, std::string kinesis_arn,
                           std::optional<CreationTimePrecision> precision, Table& table,
                           storage::WriteBatch& batch) STATOR_REQUIRES(core.catalog.change_mutex());

// From now on changes of the table make no records for it. `abandon`: those that it has are not sent.
Result<void> EndOutgoing(EngineCore& core, bool abandon, Table& table, storage::WriteBatch& batch);

}  // namespace stator::engine

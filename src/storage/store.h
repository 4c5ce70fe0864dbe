// The ordered byte store: keys and values, batches that are atomic, snapshots, cursors. RocksDB is
// behind it, in a directory or in memory; nothing outside of this folder knows that.
//
// DURABILITY. In a durable store a write is acknowledged after the log was synced, and readers see
// it only then; many writers share one sync (commit_queue.h). In a relaxed store a write is
// acknowledged when the operating system has it: it survives a killed process at once, and a power
// cut after at most `sync_interval`. After a power cut either store holds a prefix of what was
// written: a later batch is never there without an earlier one. A store in memory is gone when it
// is closed.
//
// DAMAGE. A log or a list of tables that is missing, shorter than what was acknowledged of it, or
// damaged there is noticed by Open, which refuses such a directory and says what to do (ledger.h,
// file_check.h). Damage of a table that its checksums tell is noticed by whoever reads it.
//
// FAILURE. After a write or a sync has failed nobody knows what is on the disk, so the store
// refuses every further write with kIo until it is opened again; it still serves reads. What failed
// is not seen by them; after the store was opened again it is there wholly or not at all. The same
// after a failure in the background, of a flush or a compaction: what was acknowledged is in the
// log. When room was lacking (a full disk, a quota, descriptors) the store goes on by itself as soon
// as there is some again: what failed is not there then, and will not be.
//
// THREADS: every method of Store may be called from many threads, except Close and the destructor,
// which must be alone. Everything that a store hands out must be gone before it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "storage/commit_queue.h"
#include "storage/cursor.h"
#include "storage/family.h"
#include "storage/pinned_value.h"
#include "storage/snapshot.h"
#include "storage/store_options.h"
#include "storage/write_batch.h"

namespace stator::storage {

// Counts since Open, and sizes as of the last Store::Maintain. Asking for them never waits.
struct StoreStatistics {
  std::uint64_t batches = 0;       // batches written
  std::uint64_t groups = 0;        // writes to the log; each holds one batch or more
  std::uint64_t syncs = 0;         // syncs of the log
  std::uint64_t bytes = 0;         // bytes of the batches written
  std::uint64_t sync_micros = 0;   // time spent in durable group writes and in background syncs
  std::uint64_t disk_bytes = 0;    // table files that are in use
  std::uint64_t memory_bytes = 0;  // memtables, block cache, filters and indexes
  std::uint64_t keys_estimate = 0;
  bool writes_are_slowed = false;      // compaction is behind, so writers are held back
  std::uint64_t unsettled_places = 0;  // writes on their way to the disk
  std::uint64_t unsettled_bytes = 0;   // what they take
  Duration oldest_unsettled = {};      // how long the first of them has waited
  std::uint64_t refusals = 0;          // how often writes began to be refused
  std::uint64_t stalls = 0;            // how often the disk began to stand still
  bool refuses_writes = false;
  bool is_stalled = false;
};

class Store {
 public:
  // Opens a directory, or makes it one of ours when it is missing or empty. Refuses, and changes
  // nothing: a directory of something else, one written by a newer version, one that is in use
  // (kIo), one that is damaged (kCorruption).
  static Result<std::unique_ptr<Store>> Open(const StoreOptions& options);

  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  // Whether there is such a key; `value` then holds its value until it is reset, reused or gone.
  // Reads `snapshot`, or what was written last.
  Result<bool> Get(std::string_view key, PinnedValue& value,
                   const Snapshot* snapshot = nullptr) const;

  // Several keys at once, faster than one by one; nothing where a key is missing.
  // REQUIRES: keys are sorted.
  Result<std::vector<std::optional<std::string>>> GetMany(std::span<const std::string_view> keys,
                                                          const Snapshot* snapshot = nullptr) const;

  [[nodiscard]] Snapshot TakeSnapshot() const;

  // A cursor over the keys in [lower, upper) as of `snapshot` or of now; no position yet. An empty
  // bound is no bound. A cursor that may pass only so many deleted keys in a row gives up there
  // (Cursor::GaveUp); 0 for any number.
  // REQUIRES: the store has the family.
  [[nodiscard]] Cursor NewCursor(const Snapshot* snapshot, std::string_view lower,
                                 std::string_view upper, std::uint64_t deleted_max = 0,
                                 Family family = Family::kMain) const;

  // The format version of the directory, and whether it has the history (family.h).
  [[nodiscard]] std::uint32_t format() const;
  [[nodiscard]] bool HasHistory() const;
  // Carries a directory over to a version that has it: the file STATOR first, then the family. What
  // a crash leaves in between the next Open does. Nothing to do when it is there.
  Result<void> RaiseFormat(std::uint32_t version);

  // Applies the batch and returns when it is as durable as the store promises.
  Result<void> Write(WriteBatch&& batch);

  // The same, while the caller does something else: the outcome is told by Await of what it returns.
  class InFlight;
  Result<InFlight> StartWrite(WriteBatch&& batch);

  // The same without waiting, and with what the write wants to know; see commit_queue.h. A store
  // that does not sync each write takes writes past the queue while it is empty (TryWriteNow), so
  // that they are visible when it returns true.
  Result<CommitQueue::Placed> Enqueue(QueuedWritePtr write,
                                      CommitQueue::Whose commit = CommitQueue::Whose::kThread);
  Result<bool> TryWriteNow(QueuedWrite& write);
  // False while so much is on its way to the disk that no further write should be begun.
  [[nodiscard]] bool HasRoom() const;
  // REQUIRES: the store was not opened for reading only.
  [[nodiscard]] CommitQueue& queue();
  // The end of what is visible of the numbers that are stamped (write_batch.h).
  [[nodiscard]] std::uint64_t VisibleSequence() const;

  // Good, or why the store refuses writes.
  [[nodiscard]] Result<void> Health() const;

  // Whether a write has been on its way to the disk for longer than it may.
  [[nodiscard]] bool IsStalled() const;

  // Says what is to be said (StoreOptions::on_notice), tries to go on after a lack of room, and
  // measures what Statistics tells. Happens every so often by itself. Good, or why the store refuses writes.
  Result<void> Maintain();

  // Looks whether the directory is still where it was opened, and refuses writes from then on when
  // it is not. Every write notices that, too; this is for a store that nobody writes to.
  Result<void> CheckPlace();

  // What was acknowledged and is not there, each in a sentence: what a store that was opened to
  // salvage goes without.
  [[nodiscard]] const std::vector<std::string>& Losses() const;

  // Makes everything durable that was acknowledged, as a durable store has done already.
  Result<void> Sync();

  // Writes what is in memory to table files.
  Result<void> Flush();

  // Gives back the space of deleted keys in [begin, end). Slow; for after a large deletion.
  Result<void> CompactRange(std::string_view begin, std::string_view end,
                            Family family = Family::kMain);

  [[nodiscard]] StoreStatistics Statistics() const;

  // Finishes what has a place, syncs, and gives the directory free. After it only destruction is
  // allowed. The destructor closes too, but cannot report.
  Result<void> Close();

 private:
  struct State;

  explicit Store(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// A batch on its way. Writes that are started one after the other are done in that order, and after a
// failure those behind it fail, too; who asks for none of them is told by the next write.
class Store::InFlight {
 public:
  InFlight() = default;

  // Returns when the batch is as durable as the store promises; at once when there is none.
  Result<void> Await();

 private:
  friend class Store;
  class Write;

  std::shared_ptr<Write> write_;
  std::shared_ptr<CommitQueue::Group> group_;
};

}  // namespace stator::storage

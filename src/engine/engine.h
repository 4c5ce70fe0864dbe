// The embedded engine: Database on a store in this process.
//
// COST: opening reads the catalog, not the data. One engine owns its directory; nobody else can
// open it meanwhile.
// THREADS: as Database says. Readers never wait for writers. Writers of one item wait for each
// other while they decide, not for the disk in between: each builds on what the one before has
// queued.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/change_receiver.h"
#include "bulk/bucket.h"
#include "engine/arn.h"
#include "engine/step_limits.h"
#include "engine/transfer_figures.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

struct VersionsAsked;
struct VersionsPage;
struct HistoryStatistics;
struct OutgoingStatistics;

struct EngineOptions {
  storage::StoreOptions store;
  Account account = {};
  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();
  // How long a write waits, all in all, for others on the same items before it fails with
  // TransactionConflict, and for a disk that does not keep up before it fails with kUnavailable.
  std::chrono::milliseconds lock_wait_max{5000};
  // How often expired items are looked for, old stream records removed, and so on. Zero: only when
  // RunHousekeeping is called.
  std::chrono::milliseconds housekeeping_interval{1000};
  // What rewinds and checkpoints write together; tests make it little.
  GoingBackLimits going_back = {};
  // The same of jobs behind schema changes, of restores and of imports.
  WalkLimits walks = {};
  // How long a table is visibly CREATING, UPDATING or DELETING; see transient_states.h.
  std::chrono::milliseconds transient_states{0};
  // How long after a change a table can be restored to it, or exported, as Amazon's service tells it: about
  // five minutes. What is Stator's own, reads of the past and rewinds, knows no such time.
  std::chrono::seconds restorable_after{0};
  // The buckets of exports and imports. Null: directories below `buckets`, or below DATA/buckets; of an
  // engine in memory temporary ones, which go when it is closed.
  bulk::BucketOpener open_bucket = nullptr;
  std::string buckets = {};
  // Told how far restores and rewinds are, how exports and imports end, which lines of files are no
  // items, what is removed of history, and what is not sent to Kinesis. Null: nobody.
  std::function<void(std::string_view)> log = nullptr;
  // Where the changes of tables with a Kinesis destination are sent. Null: none can be enabled.
  std::shared_ptr<api::ChangeReceiver> change_receiver = nullptr;
};

class Engine final : public Database {
 public:
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options);
  ~Engine() override;

#define STATOR_OPERATION(Name, ...) Result<Name##Output> Name(const Name##Input& input) override;
#include "stator/api/operations.inc"
#define STATOR_ITEM_WRITE(Name, ...) \
  void Start##Name(const Name##Input& input, Completion<Name##Output> done) override;
#include "stator/api/operations.inc"

  // What an item was (read_history.h). Fails when the table keeps no history.
  [[nodiscard]] Result<VersionsPage> VersionsOf(const VersionsAsked& asked) const;

  // One round of housekeeping now: expired items, old stream records, old tokens.
  Result<void> RunHousekeeping();
  // Returns when the jobs behind schema changes are done: back-fill, clean-up.
  void AwaitBackgroundJobs();

  // Good, or why writes are refused.
  [[nodiscard]] Result<void> Health() const;
  // Whether the disk has not answered a write for longer than it may.
  [[nodiscard]] bool IsStalled() const;
  [[nodiscard]] storage::StoreStatistics StoreStatistics() const;
  [[nodiscard]] const TransferFigures& Transfers() const;
  // Of restores, rewinds and what is removed of history (history_statistics.h).
  [[nodiscard]] HistoryStatistics HistoryFigures() const;
  // Of what leaves for Kinesis (outgoing.h).
  [[nodiscard]] OutgoingStatistics OutgoingFigures() const;
  // No write holds a lock, waits, or is on its way to the disk. For tests.
  [[nodiscard]] bool IsQuiet() const;

  // Finishes what was begun, saves statistics, gives the directory free. The destructor does it
  // too, but cannot report.
  Result<void> Close();

 private:
  struct State;

  explicit Engine(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace stator::engine

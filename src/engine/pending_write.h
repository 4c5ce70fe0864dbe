// A write that has been decided and is on its way to the disk: what it changes, what it holds
// meanwhile, and what is counted once it is there.
//
// An operation that writes has two halves. The first, named Prepare..., locks, reads, checks and
// decides, and returns Prepared<Output>. The second, Commit or Start, gives the batch to the store,
// waiting for it or not. Everything that the write holds is let go when it is destroyed, which is
// after the commit.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/key_locks.h"
#include "engine/stream_sequencer.h"
#include "engine/table.h"
#include "stator/api/database.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

class PendingWrite {
 public:
  storage::WriteBatch batch;
  std::vector<TablePtr> tables;  // the schemas that the write goes by; see Table, invariant (2)
  std::vector<StreamSequencer::Ticket> tickets;
  KeyLocks::Held locks;

  // Whether a schema that it goes by has been replaced.
  [[nodiscard]] bool IsOutdated() const {
    return std::any_of(tables.begin(), tables.end(),
                       [](const TablePtr& table) { return table->replaced.is_set(); });
  }

  // To be added to the figures of a table or an index once the write is on disk.
  void Count(const std::shared_ptr<Statistics>& statistics, std::int64_t items,
             std::int64_t bytes) {
    if (items != 0 || bytes != 0) {
      counts_.push_back({statistics, items, bytes});
    }
  }

  void Committed() {
    for (const Counted& counted : counts_) {
      counted.statistics->items += counted.items;
      counted.statistics->bytes += counted.bytes;
    }
  }

 private:
  struct Counted {
    std::shared_ptr<Statistics> statistics;
    std::int64_t items;
    std::int64_t bytes;
  };

  std::vector<Counted> counts_;
};

template <class Output>
struct Prepared {
  PendingWrite write;
  Output output;
};

// Waits until the write is as durable as the store promises.
template <class Output>
Result<Output> Commit(storage::Store& store, Prepared<Output> prepared) {
  if (!prepared.write.batch.empty()) {
    if (Result<void> written = store.Write(std::move(prepared.write.batch)); !written) {
      return std::unexpected(std::move(written).error());
    }
    prepared.write.Committed();
  }
  return std::move(prepared.output);
}

// Does not wait; `done` is called when the write is durable, or right away when there is none.
template <class Output>
void Start(storage::Store& store, Result<Prepared<Output>> prepared, Completion<Output> done) {
  if (!prepared) {
    done(std::unexpected(std::move(prepared).error()));
    return;
  }
  if (prepared->write.batch.empty()) {
    done(std::move(prepared->output));
    return;
  }
  storage::WriteBatch batch = std::move(prepared->write.batch);
  store.Submit(std::move(batch),
               [held = std::move(*prepared), done = std::move(done)](Result<void> written) mutable {
                 Result<Output> outcome = std::unexpected(Error{});
                 if (written) {
                   held.write.Committed();
                   outcome = std::move(held.output);
                 } else {
                   outcome = std::unexpected(std::move(written).error());
                 }
                 // The next writer of the same item need not wait for the answer to be sent.
                 {
                   const PendingWrite released = std::move(held.write);
                 }
                 done(std::move(outcome));
               });
}

}  // namespace stator::engine

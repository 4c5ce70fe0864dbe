// Walks over a whole database and says what does not fit together: what `stator check` prints, and
// what tests ask after every crash.
//
// It finds: rows that cannot be read or that nothing knows of; items that do not fit their table;
// index entries, expiry rows, stream records and idempotency tokens that disagree with the items,
// streams and queues that they belong to, missing ones among them.
//
// What a job behind a schema change has not done yet is no problem: an index that is being created
// may lack entries, one that is being deleted may have any, and the same holds for the expiry rows
// of a table whose expiry is being switched. Rows of dropped tables are notes.
//
// COST: reads every row once, and for each item its index entries and the other way around. Memory
// grows with the number of tables, not of items.
// THREADS: sees the store as it was at one moment; writers go on meanwhile.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

// Texts for people; only the first ones are kept, all are counted.
struct CheckFindings {
  std::vector<std::string> texts;
  std::uint64_t count = 0;

  void Add(std::string text);
};

struct CheckReport {
  CheckFindings problems;  // bytes that this program cannot have written
  CheckFindings warnings;  // figures that are off, as they may be after a crash
  CheckFindings notes;     // work that is left to do
  CheckFindings kept;      // tables that are gone, whose items somebody may restore

  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t index_entries = 0;
  std::uint64_t expiry_rows = 0;
  std::uint64_t streams = 0;
  std::uint64_t stream_records = 0;
  std::uint64_t tokens = 0;
  std::uint64_t undo_rows = 0;
  std::uint64_t backups = 0;
  std::uint64_t checkpoints = 0;
  std::uint64_t exports = 0;
  std::uint64_t imports = 0;

  [[nodiscard]] bool clean() const { return problems.count == 0; }
};

// Opens the directory for reading, beside a process that uses it or not. Fails when it cannot be
// opened; everything that is wrong inside is in the report.
Result<CheckReport> CheckDatabase(const storage::StoreOptions& options);

// The same for a store that is open.
CheckReport CheckDatabase(const storage::Store& store);

}  // namespace stator::engine

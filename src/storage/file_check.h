// Looks at the logs and the list of tables of a directory before RocksDB does, and compares them
// with the ledger: what was acknowledged must be there and whole. What is behind it and torn, as a
// crash during a write leaves it, is not shown to RocksDB, which would either refuse it or pass
// over it.
//
// What decides about a damaged place: everything before the ledger's size was acknowledged. Behind
// it stands at most one write in a durable store, which syncs one write before it begins the next;
// so a damaged place behind which another write begins is a loss, and one behind which nothing
// begins is a write that nobody was told of. In a relaxed store what is behind the ledger's size
// was never promised to survive, and the log ends at the first damaged place.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "storage/ledger.h"

namespace stator::storage {

struct FileCheck {
  // By name, how many bytes RocksDB may read; all of the others. Once something is lost, nothing of
  // the logs behind: a later write is never there without an earlier one.
  std::map<std::string, std::uint64_t> cuts;
  // What was acknowledged and is not there, each in a sentence; empty when all is well.
  std::vector<std::string> losses;
  bool list_is_damaged = false;  // one of them is in the list of tables
  // The ledger without the files that are missing.
  LedgerState ledger;
};

// `ledger` is null in a directory that has none. Changes nothing.
Result<FileCheck> CheckFiles(rocksdb::FileSystem& files, const std::string& path,
                             const LedgerState* ledger);

}  // namespace stator::storage

// Saves what can be read of a damaged database into a new directory: what `stator check
// --repair-into` does.
//
// Tables, items, streams, their records and tokens are taken over row by row; a row that cannot be
// read, or whose table or stream is lost, is left out and counted. Indexes and expiry are made anew
// from the items that are left, so the new database agrees with itself. The damaged one is not
// changed.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/check_database.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

struct RepairReport {
  std::vector<std::string> losses;  // what is known to be gone, each in a sentence
  std::uint64_t rows = 0;           // taken over
  std::uint64_t left_out = 0;       // rows that could be read, but mean nothing any more
  std::uint64_t gaps = 0;           // places where rows cannot be read
  CheckReport check;                // of the new directory
};

// Fails, and leaves nothing behind, when `into` is there and not empty or nothing can be read.
Result<RepairReport> RepairDatabase(const storage::StoreOptions& damaged, const std::string& into);

}  // namespace stator::engine

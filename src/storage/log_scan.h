// Reads a file in the format of RocksDB's logs (the write-ahead logs and the list of tables have
// it) and says how much of it is whole.
//
// Why: RocksDB's own reader passes over a page of zeros without a word, and takes a torn end for
// what a crash leaves, whatever was acknowledged in it. So what it may read is decided here, before
// it is asked to (file_check.h).

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <string>

#include "stator/base/result.h"

namespace stator::storage {

struct LogScan {
  std::uint64_t bytes = 0;   // of the file
  std::uint64_t whole = 0;   // everything before is whole; behind it nothing, or damage
  std::uint64_t writes = 0;  // whole ones, up to `whole`
  // Behind the damage another write begins: the damaged one was not the last.
  bool goes_on_behind = false;

  [[nodiscard]] bool is_whole() const { return whole == bytes; }
};

// Fails only when the file cannot be read at all.
Result<LogScan> ScanLog(rocksdb::FileSystem& files, const std::string& path);

}  // namespace stator::storage

// The directory of a store, before RocksDB touches it.
//
// FORMAT (on disk; docs/format.md, "The directory")
//
//   A directory is ours when it holds a file STATOR whose first line is
//
//     stator database, format 2
//
//   and behind it the ledger (ledger.h). A file with nothing but the line is of a program that kept
//   no ledger, or of a store in memory. It is written first: to a temporary file that is synced and
//   renamed, and the directory is synced, so that at no moment there is a half of it.

#pragma once

#include <rocksdb/file_system.h>

#include <optional>
#include <string>

#include "stator/base/result.h"
#include "storage/ledger.h"
#include "storage/store_options.h"

namespace stator::storage {

// Makes sure that options.path is a directory of ours: finds it so, or makes it so when it is
// missing or empty and may be made; then it is closed to other users (mode 0700). Everything else
// is refused and left as it is. Its ledger, or nothing when there is none, as in an old directory.
Result<std::optional<LedgerState>> PrepareDirectory(rocksdb::FileSystem& files,
                                                    const StoreOptions& options);

// Gives a directory of ours that has no ledger an empty one.
Result<void> AddLedger(rocksdb::FileSystem& files, const StoreOptions& options);

std::string MarkerPath(const StoreOptions& options);

// The format version that a directory of ours says, and the line that says another.
Result<std::uint32_t> FormatOf(rocksdb::FileSystem& files, const StoreOptions& options);
std::string FirstLineOf(std::uint32_t format);

// Fails when another process has the directory open.
Result<void> CheckNotInUse(rocksdb::FileSystem& files, const StoreOptions& options);

// What to do about a damaged directory; ends a sentence that says what is wrong.
std::string Remedy(const std::string& path);

}  // namespace stator::storage

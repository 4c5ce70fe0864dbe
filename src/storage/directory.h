// The directory of a store, before RocksDB touches it.
//
// FORMAT (on disk; docs/format.md, "The directory")
//
//   A directory is ours when it holds a file STATOR with the one line
//
//     stator database, format 1
//
//   It is written first: to a temporary file that is synced and renamed, and the directory is
//   synced, so that at no moment there is a half of it.

#pragma once

#include <rocksdb/file_system.h>

#include "stator/base/result.h"
#include "storage/store_options.h"

namespace stator::storage {

// Makes sure that options.path is a directory of ours: finds it so, or makes it so when it is
// missing or empty and may be made; then it is closed to other users (mode 0700). Everything else
// is refused and left as it is.
Result<void> PrepareDirectory(rocksdb::FileSystem& files, const StoreOptions& options);

}  // namespace stator::storage

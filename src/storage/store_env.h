// What RocksDB runs in: the machine's threads on a file system of our choice, and a clock that does
// not sleep once the store has failed. RocksDB sleeps for a second after a failed flush before it
// would try again; nothing is tried again here (see Fuse), so closing need not wait for that.

#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <memory>

#include "storage/fuse.h"

namespace stator::storage {

// REQUIRES: `fuse` outlives it.
std::unique_ptr<rocksdb::Env> MakeStoreEnv(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           const Fuse& fuse);

}  // namespace stator::storage

// How RocksDB is set up, each choice with its reason (rocksdb_options.cc).

#pragma once

#include <rocksdb/options.h>

#include <memory>

#include "storage/store_options.h"

namespace stator::storage {

rocksdb::Options MakeRocksDbOptions(const StoreOptions& options, rocksdb::Env* env,
                                    std::shared_ptr<rocksdb::EventListener> listener);

// Of the history, with what the whole database has.
rocksdb::ColumnFamilyOptions MakeHistoryOptions(const StoreOptions& options,
                                                const rocksdb::Options& whole);

}  // namespace stator::storage

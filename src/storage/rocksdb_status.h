// RocksDB's statuses as our errors. Internal to this folder, like every header that names RocksDB.

#pragma once

#include <rocksdb/slice.h>
#include <rocksdb/status.h>

#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::storage {

inline rocksdb::Slice ToSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}
inline std::string_view ToView(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

// kCorruption for damaged data, kIo for everything else. `doing` begins the message ("reading").
Result<void> ToResult(const rocksdb::Status& status, std::string_view doing);

// Whether a lock could not be had because somebody holds it, this process or another.
bool IsHeldLock(const rocksdb::Status& status);

}  // namespace stator::storage

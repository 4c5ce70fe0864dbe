// Failures that pass when somebody makes room: a full disk, a quota, a limit of a file's size, no
// descriptors left. Nothing is broken then, so the store goes on by itself once there is room
// (store_recovery.cc). All others are final until the store is opened again: see FailureLatch.

#pragma once

#include <rocksdb/io_status.h>
#include <rocksdb/status.h>

#include <string>
#include <string_view>

namespace stator::storage {

// By the words of the system: RocksDB has a code for a full disk only, and keeps it on few ways.
bool IsResourceExhausted(std::string_view why);
inline bool IsResourceExhausted(const rocksdb::Status& status) {
  return !status.ok() && IsResourceExhausted(std::string_view(status.ToString()));
}

// What RocksDB is told, so that it does not take the failure for a final one: a full disk is what it
// knows. It stops until DB::Resume is called, which writes anew what failed.
rocksdb::IOStatus AsFullDisk(rocksdb::IOStatus status);
// The same of a table. A full disk alone would have RocksDB compact on and on, at full speed.
rocksdb::IOStatus AsFullDiskForTable(rocksdb::IOStatus status);

// The same of an append to the log, or of its sync. After a full disk RocksDB would go on with a
// log file that has failed, and assert that nobody does that, if its memory is empty (7.8). A
// log that is busy is left to us: the write fails, nothing else happens.
rocksdb::IOStatus AsBusyLog(rocksdb::IOStatus status);

}  // namespace stator::storage

// A log that could not be made. RocksDB is given it all the same, and meets the failure with its first
// write: when both families are due for a flush and no log can be made for the first, RocksDB 7.8
// forgets that it holds the second, and closing the database ends the process.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <functional>
#include <utility>

namespace stator::storage {

class FailedLog final : public rocksdb::FSWritableFile {
 public:
  // `fail` says what each write is answered with.
  explicit FailedLog(std::function<rocksdb::IOStatus()> fail) : fail_(std::move(fail)) {}

  using FSWritableFile::Append;
  rocksdb::IOStatus Append(const rocksdb::Slice& /*data*/, const rocksdb::IOOptions& /*options*/,
                           rocksdb::IODebugContext* /*debug*/) override {
    return fail_();
  }
  // It holds nothing.
  rocksdb::IOStatus Flush(const rocksdb::IOOptions& /*options*/,
                          rocksdb::IODebugContext* /*debug*/) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& /*options*/,
                         rocksdb::IODebugContext* /*debug*/) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Close(const rocksdb::IOOptions& /*options*/,
                          rocksdb::IODebugContext* /*debug*/) override {
    return rocksdb::IOStatus::OK();
  }
  std::uint64_t GetFileSize(const rocksdb::IOOptions& /*options*/,
                            rocksdb::IODebugContext* /*debug*/) override {
    return 0;
  }

 private:
  const std::function<rocksdb::IOStatus()> fail_;
};

}  // namespace stator::storage

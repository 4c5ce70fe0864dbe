// The store as it was at one moment. Cheap to take; while one is alive the store keeps what it
// sees, so it should not live for hours.

#pragma once

namespace rocksdb {
class DB;
class Snapshot;
}  // namespace rocksdb

namespace stator::storage {

// THREADS: may be read from many threads. Must be gone before its store.
class Snapshot {
 public:
  Snapshot(Snapshot&& other) noexcept;
  Snapshot& operator=(Snapshot&& other) noexcept;
  ~Snapshot();

 private:
  friend class Store;

  explicit Snapshot(rocksdb::DB* database);
  void Release();

  rocksdb::DB* database_;
  const rocksdb::Snapshot* snapshot_;
};

}  // namespace stator::storage

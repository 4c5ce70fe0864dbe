#include "storage/snapshot.h"

#include <rocksdb/db.h>

#include <utility>

#include "base/check.h"

namespace stator::storage {

Snapshot::Snapshot(rocksdb::DB* database)
    : database_(database), snapshot_(database->GetSnapshot()) {
  CHECK(snapshot_ != nullptr);
}

Snapshot::Snapshot(Snapshot&& other) noexcept
    : database_(other.database_), snapshot_(std::exchange(other.snapshot_, nullptr)) {}

Snapshot& Snapshot::operator=(Snapshot&& other) noexcept {
  if (this != &other) {
    Release();
    database_ = other.database_;
    snapshot_ = std::exchange(other.snapshot_, nullptr);
  }
  return *this;
}

Snapshot::~Snapshot() {
  Release();
}

void Snapshot::Release() {
  if (snapshot_ != nullptr) {
    database_->ReleaseSnapshot(snapshot_);
  }
}

}  // namespace stator::storage

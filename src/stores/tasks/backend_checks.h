// What every backend of this folder refuses before it does anything.

#pragma once

#include "stator/stores/tasks/storage_backend.h"

namespace stator::tasks {

// Fails with kBackend for keys and texts that no backend takes.
StorageResult<void> CheckKey(const RecordKey& key);
StorageResult<void> CheckWrite(const RecordKey& key, const StoredValue& value);
StorageResult<void> CheckLease(const RecordKey& key, const StoredLease& lease);

std::unexpected<StorageError> BackendFailure(const RecordKey& key, std::string message);

// What a value counts against BackendCapabilities::record_bytes_max.
std::size_t RecordBytes(const RecordKey& key, const StoredValue& value);

}  // namespace stator::tasks

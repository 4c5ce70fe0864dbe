// What every backend of this folder refuses before it does anything.

#pragma once

#include "stator/stores/tasks/storage_backend.h"

namespace stator::tasks {

// Fails with kValidation for keys and texts that no backend takes.
Result<void> CheckKey(const RecordKey& key);
Result<void> CheckWrite(const RecordKey& key, const StoredValue& value);
Result<void> CheckLease(const RecordKey& key, const StoredLease& lease);

// What a value counts against BackendCapabilities::record_bytes_max.
std::size_t RecordBytes(const RecordKey& key, const StoredValue& value);

}  // namespace stator::tasks

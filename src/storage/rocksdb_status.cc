#include "storage/rocksdb_status.h"

#include <algorithm>
#include <utility>

namespace stator::storage {

Result<void> ToResult(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) [[likely]] {
    return {};
  }
  std::string message(doing);
  message.append(" failed: ").append(status.ToString());
  return Fail(status.IsCorruption() ? ErrorCode::kCorruption : ErrorCode::kIo, std::move(message));
}

bool IsHeldLock(const rocksdb::Status& status) {
  // RocksDB has no code for it; these are its words for another process, for this one, and for a
  // file system in memory.
  constexpr std::string_view kWords[] = {"While lock file", "lock hold by current process",
                                         "lock is already held"};
  const std::string text = status.ToString();
  return status.IsIOError() && std::ranges::any_of(kWords, [&](std::string_view words) {
           return text.find(words) != std::string::npos;
         });
}

}  // namespace stator::storage

#include "storage/fuse.h"

namespace stator::storage {

void Fuse::Blow(std::string_view what, std::string_view why) {
  const std::lock_guard lock(mutex_);
  if (blown_) {
    return;
  }
  reason_ = "the store refuses writes since ";
  reason_.append(what).append(" failed: ").append(why).append("; reopen it");
  blown_ = true;
}

Result<void> Fuse::Check() const {
  if (!blown_) [[likely]] {
    return {};
  }
  const std::lock_guard lock(mutex_);
  return Fail(ErrorCode::kIo, reason_);
}

}  // namespace stator::storage

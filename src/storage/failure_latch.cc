#include "storage/failure_latch.h"

#include "storage/resource_exhausted.h"

namespace stator::storage {

void FailureLatch::Record(std::string_view what, std::string_view why) {
  {
    const MutexLock lock(mutex_);
    const bool is_exhausted = storage::IsResourceExhausted(why);
    if (failed_ && (is_exhausted || !is_exhausted_)) {
      return;
    }
    is_exhausted_ = is_exhausted;
    reason_ = "the store refuses writes since ";
    reason_.append(what).append(" failed: ").append(why);
    reason_.append(is_exhausted ? "; it goes on by itself when there is room" : "; reopen it");
    last_try_.clear();
    failed_ = true;
    ++count_;
  }
  if (on_failure_) {
    on_failure_();
  }
}

void FailureLatch::NoteTry(std::string_view why) {
  const MutexLock lock(mutex_);
  last_try_ = why;
}

void FailureLatch::Reset() {
  const MutexLock lock(mutex_);
  if (is_exhausted_) {
    is_exhausted_ = false;
    failed_ = false;
  }
}

bool FailureLatch::IsResourceExhausted() const {
  const MutexLock lock(mutex_);
  return failed_ && is_exhausted_;
}

Result<void> FailureLatch::Check() const {
  if (!failed_) [[likely]] {
    return {};
  }
  const MutexLock lock(mutex_);
  return Fail(ErrorCode::kIo,
              last_try_.empty() ? reason_ : reason_ + "; tried in vain: " + last_try_);
}

}  // namespace stator::storage

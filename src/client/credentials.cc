#include "client/credentials.h"

#include <chrono>
#include <utility>

#include "base/try.h"

namespace stator::client {
namespace {

// New ones are fetched this long before the old ones expire. Instance metadata offers new ones five
// minutes ahead, so earlier would be in vain.
constexpr Duration kRefreshAhead = std::chrono::minutes(4);
// Clocks differ; a request signed now arrives a little later.
constexpr Duration kSafetyMargin = std::chrono::seconds(10);

}  // namespace

CredentialsCache::CredentialsCache(std::unique_ptr<CredentialsProvider> provider, Clock& clock)
    : provider_(std::move(provider)), clock_(clock) {}

bool CredentialsCache::IsGood(const Credentials& credentials) const {
  return !credentials.expiration || clock_.Now() + kSafetyMargin < *credentials.expiration;
}

bool CredentialsCache::IsFresh(const Credentials& credentials) const {
  return !credentials.expiration || clock_.Now() + kRefreshAhead < *credentials.expiration;
}

Result<std::shared_ptr<const Credentials>> CredentialsCache::Get() {
  std::shared_ptr<const Credentials> old;
  {
    const MutexLock lock(mutex_);
    old = current_;
  }
  if (old != nullptr && IsFresh(*old)) {
    return old;
  }
  if (old != nullptr && IsGood(*old)) {
    if (!fetching_.TryLock()) {
      return old;
    }
    const MutexLock fetching(fetching_, std::adopt_lock);
    const Result<std::shared_ptr<const Credentials>> fetched = Fetch();
    return fetched ? fetched : old;
  }
  const MutexLock fetching(fetching_);
  {
    const MutexLock lock(mutex_);
    if (current_ != nullptr && current_ != old && IsGood(*current_)) {
      return current_;  // Another thread has fetched them meanwhile.
    }
  }
  return Fetch();
}

void CredentialsCache::Invalidate(const std::shared_ptr<const Credentials>& refused) {
  const MutexLock lock(mutex_);
  if (current_ == refused) {
    current_ = nullptr;
  }
}

Result<std::shared_ptr<const Credentials>> CredentialsCache::Fetch() {
  std::optional<Credentials> found = TRY(provider_->Fetch());
  if (!found) {
    return Fail(ErrorCode::kMissingAuthenticationToken,
                "no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile "
                "with AWS_PROFILE");
  }
  auto made = std::make_shared<const Credentials>(*std::move(found));
  const MutexLock lock(mutex_);
  current_ = made;
  return made;
}

}  // namespace stator::client

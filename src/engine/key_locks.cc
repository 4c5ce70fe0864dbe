#include "engine/key_locks.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/check.h"

namespace stator::engine {

KeyLocks::Held::Held(Held&& other) noexcept
    : locks_(std::exchange(other.locks_, nullptr)), hashes_(std::move(other.hashes_)) {}

KeyLocks::Held& KeyLocks::Held::operator=(Held&& other) noexcept {
  if (this != &other) {
    Release();
    locks_ = std::exchange(other.locks_, nullptr);
    hashes_ = std::move(other.hashes_);
  }
  return *this;
}

void KeyLocks::Held::Release() {
  if (locks_ == nullptr) {
    return;
  }
  for (const std::uint64_t hash : hashes_) {
    locks_->ReleaseOne(hash);
  }
  locks_ = nullptr;
}

std::uint64_t KeyLocks::HashOf(std::string_view key) {
  return std::hash<std::string_view>{}(key);
}

Result<KeyLocks::Held> KeyLocks::Acquire(std::vector<std::uint64_t> hashes,
                                         std::chrono::milliseconds wait_max) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  for (std::size_t at = 0; at < hashes.size(); ++at) {
    if (!AcquireOne(hashes[at], wait_max)) {
      for (std::size_t taken = 0; taken < at; ++taken) {
        ReleaseOne(hashes[taken]);
      }
      return Fail(ErrorCode::kTransactionConflict, "Transaction is ongoing for the item");
    }
  }
  return Held(*this, std::move(hashes));
}

bool KeyLocks::AcquireOne(std::uint64_t hash, std::chrono::milliseconds wait_max) {
  Shard& shard = ShardOf(hash);
  std::unique_lock lock(shard.mutex);
  const auto is_free = [&] {
    return std::find(shard.held.begin(), shard.held.end(), hash) == shard.held.end();
  };
  if (!is_free()) {
    ++shard.waiting;
    const bool freed = shard.released.wait_for(lock, wait_max, is_free);
    --shard.waiting;
    if (!freed) {
      return false;
    }
  }
  shard.held.push_back(hash);
  return true;
}

void KeyLocks::ReleaseOne(std::uint64_t hash) {
  Shard& shard = ShardOf(hash);
  bool wake = false;
  {
    const std::lock_guard lock(shard.mutex);
    const auto found = std::find(shard.held.begin(), shard.held.end(), hash);
    CHECK(found != shard.held.end());
    *found = shard.held.back();
    shard.held.pop_back();
    wake = shard.waiting > 0;
  }
  if (wake) {
    shard.released.notify_all();
  }
}

}  // namespace stator::engine

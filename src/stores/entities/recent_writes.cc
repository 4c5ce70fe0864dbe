#include "stores/entities/recent_writes.h"

namespace stator::entities::detail {

void RecentWrites::Forget(Duration now) {
  while (!order_.empty()) {
    const auto& [key, number] = order_.front();
    const auto found = writes_.find(key);
    const bool replaced = found == writes_.end() || found->second.number != number;
    if (!replaced && found->second.until > now && writes_.size() <= count_max_) {
      return;
    }
    if (!replaced) {
      writes_.erase(found);
    }
    order_.pop_front();
  }
}

void RecentWrites::Note(const std::string& key, std::optional<std::uint64_t> revision,
                        Duration now) {
  const MutexLock lock(mutex_);
  const std::uint64_t number = next_number_++;
  writes_.insert_or_assign(key, Write{revision, now + kept_, number});
  order_.emplace_back(key, number);
  Forget(now);
}

bool RecentWrites::IsStale(const std::string& key, std::optional<std::uint64_t> revision,
                           Duration now) {
  const MutexLock lock(mutex_);
  Forget(now);
  const auto found = writes_.find(key);
  if (found == writes_.end()) {
    return false;
  }
  if (!found->second.revision) {
    return revision.has_value();
  }
  return !revision || *revision < *found->second.revision;
}

}  // namespace stator::entities::detail

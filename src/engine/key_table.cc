#include "engine/key_table.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "base/check.h"
#include "base/probe.h"

namespace stator::engine {
namespace {

constexpr std::size_t kFirstSlots = 4;
constexpr unsigned kShardBits = 8;

}  // namespace

void LockRequest::SetHashes(std::vector<std::uint64_t> hashes) {
  CHECK(held_ == 0 && state_ != State::kWaiting);
  hashes_ = std::move(hashes);
  std::sort(hashes_.begin(), hashes_.end());
  hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
}

void LockRequest::SetHash(std::uint64_t hash) {
  CHECK(held_ == 0 && state_ != State::kWaiting);
  hashes_.assign(1, hash);
}

bool LockRequest::Holds(std::uint64_t hash) const {
  DCHECK(held_ <= hashes_.size());
  return std::binary_search(hashes_.begin(), hashes_.begin() + static_cast<std::ptrdiff_t>(held_),
                            hash);
}

void GrantedRequests::Push(LockRequest& request) {
  DCHECK(request.state_ == LockRequest::State::kIdle && request.HoldsAll());
  request.next_ = nullptr;
  (first_ == nullptr ? first_ : last_->next_) = &request;
  last_ = &request;
}

LockRequest* GrantedRequests::Pop() {
  LockRequest* const first = first_;
  if (first != nullptr) {
    DCHECK(first == last_ || first->next_ != nullptr);
    first_ = std::exchange(first->next_, nullptr);
  }
  return first;
}

std::uint64_t KeyTable::HashOf(std::string_view key) {
  return std::hash<std::string_view>{}(key);
}

std::size_t KeyTable::Shard::HomeOf(std::uint64_t hash) const {
  DCHECK(std::has_single_bit(slots.size()));
  return (hash >> kShardBits) & (slots.size() - 1);
}

KeyTable::Slot* KeyTable::Shard::Find(std::uint64_t hash) {
  if (used == 0) {
    return nullptr;
  }
  CHECK_THAT(used < slots.size(), "a search for what is not there would not end");
  for (std::size_t at = HomeOf(hash);; at = (at + 1) & (slots.size() - 1)) {
    Slot& slot = slots[at];
    if (!slot.used) {
      return nullptr;
    }
    if (slot.hash == hash) {
      return &slot;
    }
  }
}

KeyTable::Slot& KeyTable::Shard::FindOrMake(std::uint64_t hash) {
  // At least a quarter is free, so that searches end.
  if (4 * (used + 1) > 3 * slots.size()) {
    Grow();
  }
  CHECK(used < slots.size());
  for (std::size_t at = HomeOf(hash);; at = (at + 1) & (slots.size() - 1)) {
    Slot& slot = slots[at];
    if (!slot.used) {
      slot.used = true;
      slot.hash = hash;
      ++used;
      return slot;
    }
    if (slot.hash == hash) {
      return slot;
    }
  }
}

void KeyTable::Shard::Grow() {
  std::vector<Slot> before =
      std::exchange(slots, std::vector<Slot>(slots.empty() ? kFirstSlots : 2 * slots.size()));
  used = 0;
  for (Slot& slot : before) {
    if (slot.used) {
      FindOrMake(slot.hash) = std::move(slot);
    }
  }
  DCHECK(4 * (used + 1) <= 3 * slots.size());
}

void KeyTable::Shard::RemoveIfUnused(Slot& slot) {
  if (slot.held || slot.first_waiter != nullptr || slot.has_rows()) {
    return;
  }
  CHECK(used > 0 && slot.used);
  --used;
  // Slots behind that were pushed away from here come back, so that no search meets a gap.
  auto gap = static_cast<std::size_t>(&slot - slots.data());
  const std::size_t mask = slots.size() - 1;
  for (std::size_t at = (gap + 1) & mask; slots[at].used; at = (at + 1) & mask) {
    if (((at - HomeOf(slots[at].hash)) & mask) >= ((at - gap) & mask)) {
      slots[gap] = std::move(slots[at]);
      gap = at;
    }
  }
  slots[gap] = Slot();
}

bool KeyTable::TryLock(LockRequest& request) {
  return Lock(request, false);
}

bool KeyTable::LockOrWait(LockRequest& request) {
  return Lock(request, true);
}

bool KeyTable::Lock(LockRequest& request, bool may_wait) {
  CHECK(request.state_ != LockRequest::State::kWaiting);
  while (request.held_ < request.hashes_.size()) {
    const std::uint64_t hash = request.hashes_[request.held_];
    DCHECK(request.held_ == 0 || request.hashes_[request.held_ - 1] < hash);  // invariant (1)
    Shard& shard = ShardOf(hash);
    const MutexLock lock(shard.mutex);
    Slot& slot = shard.FindOrMake(hash);
    if (slot.held || slot.first_waiter != nullptr) {
      if (may_wait) {
        request.next_ = nullptr;
        request.waits_for_ = hash;
        request.state_ = LockRequest::State::kWaiting;
        (slot.first_waiter == nullptr ? slot.first_waiter : slot.last_waiter->next_) = &request;
        slot.last_waiter = &request;
      }
      return false;
    }
    slot.held = true;
    request.found_rows_ = request.found_rows_ || slot.has_rows();
    ++request.held_;
  }
  return true;
}

LockRequest* KeyTable::UnlockOne(std::uint64_t hash) {
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  Slot* const slot = shard.Find(hash);
  CHECK(slot != nullptr && slot->held);
  LockRequest* const next = slot->first_waiter;
  if (next == nullptr) {
    slot->held = false;
    shard.RemoveIfUnused(*slot);
    return nullptr;
  }
  slot->first_waiter = std::exchange(next->next_, nullptr);
  CHECK(next->state_ == LockRequest::State::kWaiting && next->hashes_[next->held_] == hash);
  DCHECK(next->waits_for_ == hash);
  next->state_ = LockRequest::State::kIdle;
  next->found_rows_ = next->found_rows_ || slot->has_rows();
  ++next->held_;
  return next;
}

void KeyTable::Unlock(LockRequest& request, GrantedRequests& granted) {
  const std::size_t held = std::exchange(request.held_, 0);
  request.found_rows_ = false;
  for (std::size_t at = 0; at < held; ++at) {
    LockRequest* const next = UnlockOne(request.hashes_[at]);
    if (next != nullptr && LockOrWait(*next)) {
      granted.Push(*next);
    }
  }
}

bool KeyTable::Withdraw(LockRequest& request) {
  while (true) {
    const std::uint64_t hash = request.waits_for_;
    Shard& shard = ShardOf(hash);
    const MutexLock lock(shard.mutex);
    Slot* const slot = shard.Find(hash);
    LockRequest* before = nullptr;
    LockRequest* at = slot != nullptr ? slot->first_waiter : nullptr;
    while (at != nullptr && at != &request) {
      before = std::exchange(at, at->next_);
    }
    if (at != nullptr) {
      CHECK(request.state_ == LockRequest::State::kWaiting && slot->held);
      (before == nullptr ? slot->first_waiter : before->next_) = request.next_;
      if (slot->last_waiter == &request) {
        slot->last_waiter = before;
      }
      request.next_ = nullptr;
      request.state_ = LockRequest::State::kWithdrawn;
      return true;
    }
    // It has been given this one. Perhaps it waits for another meanwhile.
    if (request.waits_for_ == hash) {
      PROBE("a request is given its lock while it is withdrawn");
      return false;
    }
  }
}

KeyTable::Row* KeyTable::FindRow(Slot& slot, std::string_view key) {
  DCHECK(slot.used);
  if (slot.row.write != nullptr && slot.row.key == key) {
    return &slot.row;
  }
  if (slot.others != nullptr) {
    const auto found = std::find_if(slot.others->begin(), slot.others->end(),
                                    [&](const Row& row) { return row.key == key; });
    if (found != slot.others->end()) {
      return &*found;
    }
  }
  return nullptr;
}

void KeyTable::Insert(std::uint64_t hash, std::string_view key, const QueuedRow& row) {
  // A row of a write that has a place may have been dropped already, and would stay for ever.
  CHECK(row.write != nullptr && row.write->place() == 0);
  Shard& shard = ShardOf(hash);
  Row old;  // let go behind the mutex
  const MutexLock lock(shard.mutex);
  Slot& slot = shard.FindOrMake(hash);
  Row made{.write = row.write, .key = key, .value = row.value, .deleted = row.deleted};
  if (Row* const found = FindRow(slot, key)) {
    old = std::exchange(*found, std::move(made));
  } else if (slot.row.write == nullptr) {
    slot.row = std::move(made);
  } else {
    if (slot.others == nullptr) {
      PROBE("two rows share a slot of the key table");
      slot.others = std::make_unique<std::vector<Row>>();
    }
    slot.others->push_back(std::move(made));
  }
}

void KeyTable::Drop(std::uint64_t hash, std::string_view key, const storage::QueuedWrite& write) {
  Shard& shard = ShardOf(hash);
  Row old;  // let go behind the mutex
  const MutexLock lock(shard.mutex);
  Slot* const slot = shard.Find(hash);
  Row* const found = slot != nullptr ? FindRow(*slot, key) : nullptr;
  if (found == nullptr) {
    return;
  }
  if (found->write.get() != &write) {
    // A write that has no place yet will have a higher one.
    CHECK(found->write->place() == 0 || found->write->place() > write.place());
    return;
  }
  old = std::exchange(*found, Row());
  if (found != &slot->row) {
    DCHECK(slot->others != nullptr && !slot->others->empty());
    slot->others->erase(slot->others->begin() + (found - slot->others->data()));
    if (slot->others->empty()) {
      slot->others.reset();
    }
  }
  shard.RemoveIfUnused(*slot);
}

std::optional<KeyTable::QueuedRow> KeyTable::Find(std::uint64_t hash, std::string_view key) {
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  Slot* const slot = shard.Find(hash);
  const Row* const row = slot != nullptr ? FindRow(*slot, key) : nullptr;
  if (row == nullptr) {
    return std::nullopt;
  }
  return QueuedRow{.write = row->write, .value = row->value, .deleted = row->deleted};
}

bool KeyTable::IsEmpty() const {
  return std::all_of(shards_.begin(), shards_.end(), [](const Shard& shard) {
    const MutexLock lock(shard.mutex);
    return shard.used == 0;
  });
}

}  // namespace stator::engine

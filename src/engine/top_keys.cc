#include "engine/top_keys.h"

#include <algorithm>

#include "base/check.h"

namespace stator::engine {

void TopKeys::Add(std::string_view key, double uses) {
  DCHECK(uses >= 0 && slots_.size() == heap_.size());
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    Slot& slot = slots_[known->second];
    slot.counted.count += uses;
    SinkDown(slot.place);
    return;
  }
  if (slots_.size() < kKeysMax) {
    slots_.reserve(kKeysMax);
    const std::size_t number = slots_.size();
    slots_.push_back({.counted = {.key = std::string(key), .count = uses}, .place = number});
    heap_.push_back(number);
    by_key_.emplace(slots_.back().counted.key, number);
    RiseUp(number);
    return;
  }
  const std::size_t least = heap_.front();
  Counted& counted = slots_[least].counted;
  by_key_.erase(counted.key);
  counted.key.assign(key);
  counted.error = counted.count;
  counted.count += uses;
  by_key_.emplace(counted.key, least);
  SinkDown(0);
  DCHECK(by_key_.size() == kKeysMax);
}

std::vector<TopKeys::Counted> TopKeys::Most(std::size_t limit) const {
  std::vector<Counted> most;
  most.reserve(slots_.size());
  for (const Slot& slot : slots_) {
    most.push_back(slot.counted);
  }
  // Equal ones in the order of their keys, so that two looks show the same.
  std::ranges::sort(most, [](const Counted& left, const Counted& right) {
    return left.count != right.count ? left.count > right.count : left.key < right.key;
  });
  DCHECK(most.size() <= kKeysMax);
  most.resize(std::min(limit, most.size()));
  return most;
}

void TopKeys::Put(std::size_t place, std::size_t slot) {
  CHECK(place < heap_.size() && slot < slots_.size());
  heap_[place] = slot;
  slots_[slot].place = place;
}

void TopKeys::SinkDown(std::size_t place) {
  const std::size_t slot = heap_[place];
  for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
    if (child + 1 < heap_.size() && IsBefore(heap_[child + 1], heap_[child])) {
      ++child;
    }
    if (!IsBefore(heap_[child], slot)) {
      break;
    }
    Put(place, heap_[child]);
    place = child;
  }
  Put(place, slot);
}

void TopKeys::RiseUp(std::size_t place) {
  const std::size_t slot = heap_[place];
  while (place > 0 && IsBefore(slot, heap_[(place - 1) / 2])) {
    Put(place, heap_[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  Put(place, slot);
}

}  // namespace stator::engine

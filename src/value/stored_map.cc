#include "value/stored_map.h"

#include <utility>

#include "value/name_order.h"

namespace stator::value {
namespace {

// From then on decoding everything is less work than searching again.
constexpr std::uint32_t kSearchesMax = 8;

}  // namespace

StoredMap::~StoredMap() {
  delete entries_.load(std::memory_order_acquire);
  for (const Found* found = found_.load(std::memory_order_acquire); found != nullptr;) {
    delete std::exchange(found, found->next);
  }
}

std::optional<const AttributeValue*> StoredMap::FindAlone(std::string_view name) const {
  if (entries_.load(std::memory_order_acquire) != nullptr) {
    return std::nullopt;
  }
  Found* const known = found_.load(std::memory_order_acquire);
  for (const Found* found = known; found != nullptr; found = found->next) {
    // Names differ in size or first byte.
    if (found->name.size() == name.size() && (name.empty() || found->name[0] == name[0]) &&
        found->name == name) {
      return &*found->value;
    }
  }
  // Two at the same time may count as one: it is a guess.
  const std::uint32_t searches = searches_.load(std::memory_order_relaxed);
  if (searches >= kSearchesMax) {
    return std::nullopt;
  }
  searches_.store(searches + 1, std::memory_order_relaxed);
  std::string_view before;
  for (const Found* found = known; found != nullptr; found = found->next) {
    if (IsBefore(before, found->name) && IsBefore(found->name, name)) {
      before = found->name;
    }
  }
  auto found = std::make_unique<Found>();
  const std::optional<std::string_view> stored_name = DecodeOne(name, before, found->value);
  if (!stored_name) {
    return nullptr;
  }
  found->name = *stored_name;
  found->next = known;
  while (!found_.compare_exchange_weak(found->next, found.get(), std::memory_order_acq_rel)) {
  }
  return &*found.release()->value;
}

const StoredMap::Entries& StoredMap::entries() const {
  if (const Entries* known = entries_.load(std::memory_order_acquire)) {
    return *known;
  }
  auto decoded = std::make_unique<Entries>(Decode());
  Entries* first = nullptr;
  // Of two who decode at the same time, one is thrown away.
  if (entries_.compare_exchange_strong(first, decoded.get(), std::memory_order_acq_rel)) {
    return *decoded.release();
  }
  return *first;
}

StoredMap::Entries StoredMap::TakeEntries() const {
  Entries* const known = entries_.load(std::memory_order_acquire);
  return known != nullptr ? std::move(*known) : Decode();
}

}  // namespace stator::value

#include "stores/events/block_source.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "base/try.h"
#include "stores/events/log_items.h"

namespace stator::events {

Result<void> BlockSource::FillFromIndex(std::vector<Event>& events) {
  const auto most = LeftOf(static_cast<std::uint64_t>(core_->options.query_page_size));
  const std::size_t before = events.size();
  std::vector<Missing> missing;
  while (events.size() - before < most) {
    BlockEntry* entry = TRY(FindNext());
    if (entry == nullptr) {
      index_done_ = true;
      break;
    }
    if (!entry->has_payload) {
      missing.push_back({.slot = entry->slot, .index = events.size()});
    }
    events.push_back(std::move(entry->event));
    next_->Pop();
  }
  return missing.empty() ? Result<void>() : ReadPayloads(missing, events);
}

Result<BlockEntry*> BlockSource::FindNext() {
  while (true) {
    BlockEntry* best = nullptr;
    for (BlockCursor& cursor : cursors_) {
      BlockEntry* entry = TRY(cursor.Peek());
      if (entry != nullptr &&
          (best == nullptr || (range_.backwards ? entry->event.position > best->event.position
                                                : entry->event.position < best->event.position))) {
        next_ = &cursor;
        best = entry;
      }
    }
    if (best == nullptr) {
      return nullptr;
    }
    if (best->event.position != last_ && options_.query.Matches(best->event)) {
      last_ = best->event.position;
      return best;
    }
    next_->Pop();
  }
}

Result<void> BlockSource::ReadPayloads(const std::vector<Missing>& missing,
                                       std::vector<Event>& events) {
  std::set<std::uint64_t> wanted;
  for (const Missing& one : missing) {
    wanted.insert(one.slot);
  }
  constexpr std::size_t kSlotsAtOnce = 32;
  std::map<std::uint64_t, std::shared_ptr<Slot>> slots;
  const std::vector<std::uint64_t> numbers(wanted.begin(), wanted.end());
  for (std::size_t at = 0; at < numbers.size(); at += kSlotsAtOnce) {
    const std::size_t end = std::min(at + kSlotsAtOnce, numbers.size());
    const std::vector<std::uint64_t> some(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                                          numbers.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::shared_ptr<Slot>& slot :
         TRY(ReadSlots(*core_, some, range_.consistent, /*up_to_a_hole=*/false))) {
      units_ += UnitsOf(slot->bytes, range_.consistent);
      const std::uint64_t number = slot->number;
      slots.emplace(number, std::move(slot));
    }
  }
  for (const Missing& one : missing) {
    Slot& slot = *slots.at(one.slot);
    const std::uint64_t index = events[one.index].position - slot.first_position;
    if (index >= slot.events.size()) {
      return Fail(ErrorCode::kCorruption, "the index names an event that its slot has not");
    }
    // Each is wanted once.
    events[one.index] = std::move(slot.events[index]);
  }
  return {};
}

}  // namespace stator::events

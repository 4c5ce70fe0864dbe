#include "stores/events/all_source.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stores/events/log_items.h"

namespace stator::events {
namespace {

constexpr std::size_t kSlotsAtOnce = 32;
// When there is a limit, most of a large page would be read in vain.
constexpr std::size_t kSlotsAtOnceUpToALimit = 4;

}  // namespace

AllSource::AllSource(EventStoreCore& core, const ReadOptions& options, const ReadRange& range,
                     std::vector<TailEvent> tail, const Mark& mark, std::uint64_t first_position)
    : LogSourceBase(core, options, range, std::move(tail)),
      chunks_(core, {.table_name = core.options.events_table_name,
                     .partition_attribute = "pk",
                     .partition = core.keys.ChunksPartition(),
                     .sort_attribute = "sk",
                     .bounds = {.lower = Padded(first_position, 20),
                                .upper = Padded(mark.place.position, 20)},
                     .backwards = range.backwards,
                     .consistent = range.consistent,
                     // Each has an event at least, and the first may have none behind `since`.
                     .wanted = options.limit ? std::optional(*options.limit + 1) : std::nullopt}) {
  index_done_ = mark.place.position == 0 || range.since >= mark.place.hi;
}

Result<void> AllSource::FillFromIndex(std::vector<Event>& events) {
  const std::vector<std::uint64_t> numbers = TRY(TakeNumbers());
  if (numbers.empty()) {
    index_done_ = true;
    return {};
  }
  const auto slots = TRY(ReadSlots(*core_, numbers, range_.consistent, /*up_to_a_hole=*/false));
  std::size_t count = events.size();
  for (const std::shared_ptr<Slot>& slot : slots) {
    count += slot->events.size();
  }
  events.reserve(count);
  for (const std::shared_ptr<Slot>& slot : slots) {
    units_ += UnitsOf(slot->bytes, range_.consistent);
    Take(*slot, events);
  }
  return {};
}

Result<std::vector<std::uint64_t>> AllSource::TakeNumbers() {
  while (numbers_.empty()) {
    const Item* item = last_row_ ? nullptr : TRY(chunks_.Peek());
    if (item == nullptr) {
      return std::vector<std::uint64_t>();
    }
    const ChunkRow row = TRY(DecodeChunkRow(*item));
    chunks_.Pop();
    TakeRow(row);
  }
  const std::size_t count =
      std::min(numbers_.size(), options_.limit ? kSlotsAtOnceUpToALimit : kSlotsAtOnce);
  const auto end = numbers_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<std::uint64_t> numbers(numbers_.begin(), end);
  numbers_.erase(numbers_.begin(), end);
  return numbers;
}

void AllSource::TakeRow(const ChunkRow& row) {
  for (std::size_t index = 0; index < row.slots.size(); ++index) {
    const bool before =
        index + 1 < row.slots.size() && row.slots[index + 1].first_id <= range_.since;
    if (!before && row.slots[index].first_id <= range_.until) {
      numbers_.push_back(row.slots[index].number);
    }
  }
  if (range_.backwards) {
    std::reverse(numbers_.begin(), numbers_.end());
  }
  last_row_ = !range_.backwards && row.slots.back().first_id > range_.until;
}

void AllSource::Take(Slot& slot, std::vector<Event>& events) const {
  const bool whole = range_.Contains(slot.events.front()) && range_.Contains(slot.events.back());
  if (range_.backwards) {
    std::reverse(slot.events.begin(), slot.events.end());
  }
  for (Event& event : slot.events) {
    if (whole || range_.Contains(event)) {
      events.push_back(std::move(event));
    }
  }
}

}  // namespace stator::events

#include "stores/events/tail.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace stator::events {

void Tail::Reset(const Mark& mark) {
  const ChunkSize size = chunk_size_;
  *this = Tail();
  chunk_size_ = size;
  mark_ = mark;
  settled_ = mark.place;
  end_ = mark.place;
}

void Tail::Index(const Slot& slot, std::size_t append) {
  const LoggedAppend& logged = slot.appends[append];
  if (!logged.append_id.empty()) {
    appends_.emplace(logged.append_id, AppendRef{&slot, append});
  }
  for (std::size_t index = logged.first; index < logged.first + logged.events; ++index) {
    const Event& event = slot.events[index];
    by_type_[event.type].refs.push_back({&slot, index});
    for (const std::string& tag : event.tags) {
      by_tag_[tag].refs.push_back({&slot, index});
    }
    if (slot.kept_ids[index]) {
      kept_ids_.emplace(event.id, AppendRef{&slot, append});
    }
  }
}

void Tail::PopFront(RefMap& map, const std::string& name) {
  const auto found = map.find(name);
  Refs& refs = found->second;
  if (++refs.gone == refs.refs.size()) {
    map.erase(found);
  } else if (refs.gone > 64 && refs.gone * 2 > refs.refs.size()) {
    refs.refs.erase(refs.refs.begin(), refs.refs.begin() + static_cast<std::ptrdiff_t>(refs.gone));
    refs.gone = 0;
  }
}

void Tail::PopBack(RefMap& map, const std::string& name) {
  const auto found = map.find(name);
  found->second.refs.pop_back();
  if (found->second.refs.size() == found->second.gone) {
    map.erase(found);
  }
}

// What is known of it by id; the rest goes from the front or the back.
void Tail::Unindex(const Slot& slot) {
  for (const LoggedAppend& append : slot.appends) {
    if (!append.append_id.empty()) {
      appends_.erase(append.append_id);
    }
  }
  for (std::size_t index = 0; index < slot.events.size(); ++index) {
    if (slot.kept_ids[index]) {
      kept_ids_.erase(slot.events[index].id);
    }
  }
}

void Tail::Advance(const Slot& slot) {
  end_ = {.slot = slot.number, .id = slot.id, .position = slot.last_position(), .hi = slot.hi()};
}

void Tail::CountForChunk(const Slot& slot, bool valid) {
  ++open_chunk_.slots;
  open_chunk_.bytes += slot.bytes;
  open_chunk_.events += valid ? slot.events.size() : 0;
  if (open_chunk_.slots >= chunk_size_.slots || open_chunk_.bytes >= chunk_size_.bytes ||
      open_chunk_.events >= chunk_size_.events) {
    cuts_.push_back(
        {.place = settled_, .chunk = (cuts_.empty() ? mark_.chunk : cuts_.back().chunk) + 1});
    open_chunk_ = {.slots = 0, .bytes = 0, .events = 0};
  }
}

void Tail::Fold(const SlotPointer& slot) {
  CHECK(!has_pending() && slot->number == settled_.slot + 1);
  const bool valid = slot->prev == settled_.id;
  if (valid) {
    slots_.push_back(slot);
    ++settled_slots_;
    bytes_ += slot->bytes;
    for (std::size_t append = 0; append < slot->appends.size(); ++append) {
      Index(*slot, append);
    }
    Advance(*slot);
  } else {
    end_.slot = slot->number;
  }
  settled_ = end_;
  CountForChunk(*slot, valid);
}

void Tail::AddPending(std::shared_ptr<Slot> slot) {
  slots_.push_back(std::move(slot));
  end_.slot = slots_.back()->number;
  end_.id = slots_.back()->id;
}

void Tail::IndexLastAppend() {
  const Slot& slot = *slots_.back();
  Index(slot, slot.appends.size() - 1);
  Advance(slot);
}

void Tail::SettleFirst() {
  const Slot& slot = *slots_[settled_slots_++];
  settled_ = {
      .slot = slot.number, .id = slot.id, .position = slot.last_position(), .hi = slot.hi()};
  bytes_ += slot.bytes;
  CountForChunk(slot, /*valid=*/true);
}

void Tail::DropPending() {
  while (has_pending()) {
    const Slot& slot = *slots_.back();
    Unindex(slot);
    for (std::size_t index = slot.events.size(); index > 0; --index) {
      const Event& event = slot.events[index - 1];
      PopBack(by_type_, event.type);
      for (const std::string& tag : event.tags) {
        PopBack(by_tag_, tag);
      }
    }
    slots_.pop_back();
  }
  end_ = settled_;
}

std::vector<SlotPointer> Tail::Trim(const Mark& mark) {
  CHECK(mark.place.slot <= settled_.slot);
  std::vector<SlotPointer> gone;
  while (settled_slots_ > 0 && slots_.front()->number <= mark.place.slot) {
    const Slot& slot = *slots_.front();
    Unindex(slot);
    for (const Event& event : slot.events) {
      PopFront(by_type_, event.type);
      for (const std::string& tag : event.tags) {
        PopFront(by_tag_, tag);
      }
    }
    bytes_ -= slot.bytes;
    gone.push_back(std::move(slots_.front()));
    slots_.pop_front();
    --settled_slots_;
  }
  while (!cuts_.empty() && cuts_.front().place.slot <= mark.place.slot) {
    cuts_.pop_front();
  }
  mark_ = mark;
  return gone;
}

std::optional<Chunk> Tail::FirstChunk() const {
  if (cuts_.empty()) {
    return std::nullopt;
  }
  Chunk chunk{.begin = mark_, .end = cuts_.front(), .slots = {}};
  for (const auto& slot : slots_) {
    if (slot->number > chunk.end.place.slot) {
      break;
    }
    chunk.slots.push_back(slot);
  }
  return chunk;
}

std::optional<Tail::Ref> Tail::FirstIn(const Refs& refs, const QueryItem& item,
                                       SortableId after) const {
  auto ref = std::upper_bound(
      refs.refs.begin() + static_cast<std::ptrdiff_t>(refs.gone), refs.refs.end(), after,
      [](SortableId id, const Ref& one) { return id < one.event().sortable_id; });
  for (; ref != refs.refs.end(); ++ref) {
    if (item.Matches(ref->event().type, ref->event().tags)) {
      return *ref;
    }
  }
  return std::nullopt;
}

std::optional<Tail::FoundEvent> Tail::FindFirst(const QueryItem& item, SortableId after) const {
  std::optional<Ref> first;
  const auto keep = [&](const std::optional<Ref>& ref) {
    if (ref && (!first || ref->event().sortable_id < first->event().sortable_id)) {
      first = ref;
    }
  };
  if (!item.tags.empty()) {
    const Refs* fewest = nullptr;
    for (const std::string& tag : item.tags) {
      const auto refs = by_tag_.find(tag);
      if (refs == by_tag_.end()) {
        return std::nullopt;
      }
      if (fewest == nullptr || refs->second.refs.size() < fewest->refs.size()) {
        fewest = &refs->second;
      }
    }
    keep(FirstIn(*fewest, item, after));
  } else if (!item.types.empty()) {
    for (const std::string& type : item.types) {
      if (const auto refs = by_type_.find(type); refs != by_type_.end()) {
        keep(FirstIn(refs->second, item, after));
      }
    }
  } else {
    const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const auto& one) {
      return !one->events.empty() && one->hi() > after;
    });
    if (slot != slots_.end()) {
      const auto& events = (*slot)->events;
      const auto event = std::find_if(events.begin(), events.end(),
                                      [&](const Event& one) { return one.sortable_id > after; });
      keep(Ref{slot->get(), static_cast<std::size_t>(event - events.begin())});
    }
  }
  if (!first) {
    return std::nullopt;
  }
  return FoundEvent{.event = &first->event(), .pending = IsPending(*first->slot)};
}

std::optional<Tail::FoundAppend> Tail::FindAppend(const std::string& append_id) const {
  const auto found = appends_.find(append_id);
  if (found == appends_.end()) {
    return std::nullopt;
  }
  return FoundAppend{.slot = SharedOf(*found->second.slot),
                     .append = found->second.append,
                     .pending = IsPending(*found->second.slot)};
}

std::optional<Tail::FoundAppend> Tail::FindKeptId(const std::string& event_id) const {
  const auto found = kept_ids_.find(event_id);
  if (found == kept_ids_.end()) {
    return std::nullopt;
  }
  return FoundAppend{.slot = SharedOf(*found->second.slot),
                     .append = found->second.append,
                     .pending = IsPending(*found->second.slot)};
}

SlotPointer Tail::SharedOf(const Slot& slot) const {
  const auto found =
      std::lower_bound(slots_.begin(), slots_.end(), slot.number,
                       [](const auto& one, std::uint64_t number) { return one->number < number; });
  CHECK(found != slots_.end() && found->get() == &slot);
  return *found;
}

std::span<const Tail::Ref> Tail::Committed(const RefMap& map, const std::string& name) const {
  const auto found = map.find(name);
  if (found == map.end()) {
    return {};
  }
  std::span<const Ref> refs = std::span(found->second.refs).subspan(found->second.gone);
  while (!refs.empty() && IsPending(*refs.back().slot)) {
    refs = refs.first(refs.size() - 1);
  }
  return refs;
}

Tail::Summary Tail::SummaryOf(const std::string& tag) const {
  const std::span<const Ref> refs = Committed(by_tag_, tag);
  if (refs.empty()) {
    return {};
  }
  return {.events = refs.size(),
          .first = refs.front().event().sortable_id,
          .last = refs.back().event().sortable_id,
          .last_event_id = refs.back().event().id};
}

std::vector<Tail::Ref> Tail::FindTagged(const std::string& tag) const {
  const std::span<const Ref> refs = Committed(by_tag_, tag);
  return {refs.begin(), refs.end()};
}

std::vector<Tail::Ref> Tail::FindTyped(const std::string& type) const {
  const std::span<const Ref> refs = Committed(by_type_, type);
  return {refs.begin(), refs.end()};
}

std::vector<SlotPointer> Tail::SlotsBehind(SortableId since) const {
  const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(settled_slots_);
  const auto first = std::partition_point(slots_.begin(), end,
                                          [&](const auto& slot) { return slot->hi() <= since; });
  return {first, end};
}

SlotPointer Tail::SlotAt(std::uint64_t position) const {
  const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(settled_slots_);
  const auto found = std::partition_point(
      slots_.begin(), end, [&](const auto& slot) { return slot->last_position() < position; });
  return found != end && (*found)->first_position <= position ? *found : nullptr;
}

std::vector<std::string> Tail::Tags() const {
  std::vector<std::string> tags;
  for (const auto& [tag, refs] : by_tag_) {
    if (!IsPending(*refs.refs[refs.gone].slot)) {
      tags.push_back(tag);
    }
  }
  return tags;
}

std::vector<std::string> Tail::Types() const {
  std::vector<std::string> types;
  for (const auto& [type, refs] : by_type_) {
    if (!IsPending(*refs.refs[refs.gone].slot)) {
      types.push_back(type);
    }
  }
  return types;
}

}  // namespace stator::events

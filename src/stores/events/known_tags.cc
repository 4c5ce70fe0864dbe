#include "stores/events/known_tags.h"

#include <utility>

namespace stator::events {
namespace {

constexpr std::size_t kTagsMax = 100'000;

}  // namespace

Mark KnownTags::mark() const {
  const MutexLock lock(mutex_);
  return mark_;
}

const KnownTags::Known* KnownTags::Find(const Mark& mark, const std::string& tag) const {
  const auto found = tags_.find(tag);
  return found == tags_.end() || mark_ != mark ? nullptr : &found->second;
}

std::optional<SortableId> KnownTags::FindLast(const Mark& mark, const std::string& tag) const {
  const MutexLock lock(mutex_);
  const Known* known = Find(mark, tag);
  return known == nullptr ? std::nullopt : std::optional(known->totals.last);
}

std::optional<Totals> KnownTags::FindTotals(const Mark& mark, const std::string& tag) const {
  const MutexLock lock(mutex_);
  const Known* known = Find(mark, tag);
  return known == nullptr || !known->counted ? std::nullopt : std::optional(known->totals);
}

void KnownTags::Set(const std::string& tag, Known known) {
  if (tags_.size() >= kTagsMax) {
    tags_.clear();
  }
  tags_.insert_or_assign(tag, std::move(known));
}

void KnownTags::Remember(const Mark& mark, const std::string& tag, const Totals& totals) {
  const MutexLock lock(mutex_);
  if (mark_ == mark) {
    Set(tag, {.totals = totals, .counted = true});
  }
}

void KnownTags::Reset(const Mark& mark) {
  const MutexLock lock(mutex_);
  mark_ = mark;
  tags_.clear();
}

void KnownTags::Advance(const Mark& mark, const std::vector<SlotPointer>& slots,
                        const std::map<BlockName, Totals>* totals) {
  const MutexLock lock(mutex_);
  mark_ = mark;
  if (totals != nullptr) {
    for (const auto& [name, of_name] : *totals) {
      if (name.kind == BlockKind::kTag) {
        Set(name.name, {.totals = of_name, .counted = true});
      }
    }
    return;
  }
  for (const SlotPointer& slot : slots) {
    for (const Event& event : slot->events) {
      for (const std::string& tag : event.tags) {
        Set(tag, {.totals = {.last = event.sortable_id, .last_event_id = event.id}});
      }
    }
  }
}

}  // namespace stator::events

#include "stator/patterns/versioning.h"

#include <algorithm>
#include <array>

#include "base/base64.h"

namespace stator::patterns {

namespace {

std::optional<std::int64_t> ToInteger(const AttributeValue& value) {
  const Number* number = value.If<Number>();
  if (number == nullptr) {
    return std::nullopt;
  }
  const Result<std::int64_t> integer = number->ToInt64();
  return integer ? std::optional(*integer) : std::nullopt;
}

std::uint64_t ToCount(const AttributeValue& value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(ToInteger(value).value_or(0), 0));
}

// Moved out of the value, which is thrown away.
std::string TakeText(AttributeValue& value) {
  auto* text = value.If<std::string>();
  return text == nullptr ? "" : std::move(*text);
}

std::uint64_t LengthBit(std::string_view name) {
  return std::uint64_t{1} << std::min<std::size_t>(name.size(), 63);
}

std::int64_t Milliseconds(TimePoint time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

}  // namespace

std::string MakeWriteId(Random& random) {
  std::array<std::byte, 12> bytes{};
  random.Fill(bytes);
  std::string id = base::EncodeBase64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::replace(id.begin(), id.end(), '+', '-');
  std::replace(id.begin(), id.end(), '/', '_');
  return id;
}

Versioning::Versioning(TableLayout layout, VersioningNames names, std::size_t recent_writes_kept,
                       RevisionRule rule)
    : layout_(std::move(layout)),
      names_(std::move(names)),
      kept_(recent_writes_kept),
      rule_(rule),
      parts_({Part::kRevision, Part::kWriteId}) {
  if (kept_ > 0) {
    parts_.push_back(Part::kRecentWrites);
  }
  if (names_.last_write) {
    parts_.push_back(Part::kLastWrite);
  }
  std::sort(parts_.begin(), parts_.end(),
            [this](Part left, Part right) { return NameOf(left) < NameOf(right); });
  lengths_ = LengthBit(names_.revision) | LengthBit(names_.write_id) |
             LengthBit(names_.recent_writes) | LengthBit(names_.last_write.value_or(""));
}

const std::string& Versioning::NameOf(Part part) const {
  switch (part) {
    case Part::kRevision:
      return names_.revision;
    case Part::kWriteId:
      return names_.write_id;
    case Part::kRecentWrites:
      return names_.recent_writes;
    case Part::kLastWrite:
      break;
  }
  return *names_.last_write;
}

AttributeValue Versioning::ValueOf(Part part, const VersionedItem* before,
                                   const WriteStamp& stamp) const {
  switch (part) {
    case Part::kRevision:
      return NextRevision(before, stamp);
    case Part::kWriteId:
      return stamp.write_id;
    case Part::kRecentWrites:
      return RecentWrites(before, stamp.write_id);
    case Part::kLastWrite:
      break;
  }
  return Milliseconds(stamp.at);
}

bool Versioning::IsBookkeeping(std::string_view name) const {
  return (lengths_ & LengthBit(name)) != 0 &&
         (name == names_.revision || name == names_.write_id || name == names_.recent_writes ||
          (names_.last_write && name == *names_.last_write));
}

const std::string* Versioning::TakePart(Map::value_type& entry, VersionedItem& split) const {
  auto& [name, value] = entry;
  if (name == names_.revision) {
    split.revision.number = ToCount(value);
    return &names_.revision;
  }
  if (name == names_.write_id) {
    split.revision.write_id = TakeText(value);
    return &names_.write_id;
  }
  if (name == names_.recent_writes) {
    if (List* ids = value.If<List>(); ids != nullptr) {
      split.recent_writes.reserve(ids->size());
      for (AttributeValue& id : *ids) {
        split.recent_writes.push_back(TakeText(id));
      }
    }
    return &names_.recent_writes;
  }
  if (names_.last_write && name == *names_.last_write) {
    split.last_write_ms = ToInteger(value);
    return &*names_.last_write;
  }
  return nullptr;
}

VersionedItem Versioning::Split(Item stored) const {
  VersionedItem split;
  std::array<const std::string*, 4> taken = {};
  std::size_t count = 0;
  for (Map::value_type& entry : stored) {
    if ((lengths_ & LengthBit(entry.first)) != 0) {
      if (const std::string* name = TakePart(entry, split); name != nullptr) {
        taken[count++] = name;
      }
    }
  }
  // The last first, so that few have to move.
  while (count > 0) {
    stored.Erase(*taken[--count]);
  }
  split.item = std::move(stored);
  return split;
}

Condition Versioning::Unchanged(const Revision& seen) const {
  if (seen.number == 0) {
    return ItemExists(layout_) && Attribute(names_.revision).NotExists();
  }
  const Condition same_number = Attribute(names_.revision) == seen.number;
  return seen.write_id.empty() ? same_number
                               : same_number && Attribute(names_.write_id) == seen.write_id;
}

std::uint64_t Versioning::NextRevision(const VersionedItem* before, const WriteStamp& stamp) const {
  const std::uint64_t after_before = before == nullptr ? 1 : before->revision.number + 1;
  const auto now = static_cast<std::uint64_t>(std::max<std::int64_t>(Milliseconds(stamp.at), 0));
  return rule_ == RevisionRule::kCount ? after_before : std::max(after_before, now);
}

List Versioning::RecentWrites(const VersionedItem* before, const std::string& write_id) const {
  List recent;
  recent.reserve(before == nullptr ? 1 : std::min(kept_, before->recent_writes.size() + 1));
  recent.emplace_back(write_id);
  if (before != nullptr) {
    for (const std::string& id : before->recent_writes) {
      if (recent.size() < kept_) {
        recent.emplace_back(id);
      }
    }
  }
  return recent;
}

Item Versioning::Stamped(Item item, const VersionedItem* before, const WriteStamp& stamp) const {
  item.reserve(item.size() + parts_.size());
  for (const Part part : parts_) {
    item.Set(NameOf(part), ValueOf(part, before, stamp));
  }
  return item;
}

template <class Changed>
void Versioning::ForEachChange(const VersionedItem& before, const Item& after,
                               const WriteStamp& stamp, Changed& changed) const {
  const auto set = [&](const Map::value_type& entry) {
    if (!IsBookkeeping(entry.first)) {
      changed.Set(entry.first, entry.second);
    }
  };
  const auto remove = [&](const std::string& name) {
    if (!IsBookkeeping(name)) {
      changed.Remove(name);
    }
  };
  // Both are sorted by name.
  auto old = before.item.begin();
  const auto old_end = before.item.end();
  for (const Map::value_type& entry : after) {
    bool same_name = old != old_end && old->first == entry.first;
    while (!same_name && old != old_end && old->first < entry.first) {
      remove((old++)->first);
      same_name = old != old_end && old->first == entry.first;
    }
    const bool unchanged = same_name && (old++)->second == entry.second;
    if (!unchanged) {
      set(entry);
    }
  }
  for (; old != old_end; ++old) {
    remove(old->first);
  }
  for (const Part part : parts_) {
    changed.Set(NameOf(part), ValueOf(part, &before, stamp));
  }
}

Update Versioning::Changes(const VersionedItem& before, const Item& after,
                           const WriteStamp& stamp) const {
  Update update;
  ForEachChange(before, after, stamp, update);
  return update;
}

void Versioning::WriteChanges(const VersionedItem& before, const Item& after,
                              const WriteStamp& stamp, UpdateText& text) const {
  ForEachChange(before, after, stamp, text);
}

Update Versioning::BlindChanges(const WriteStamp& stamp) const {
  Update update;
  update.Add(names_.revision, 1).Set(names_.write_id, stamp.write_id);
  if (kept_ > 0) {
    // The older ids are not known here, so they are let go.
    update.Set(names_.recent_writes, List{stamp.write_id});
  }
  if (names_.last_write) {
    update.Set(*names_.last_write, Milliseconds(stamp.at));
  }
  return update;
}

WriteFate Versioning::FateOf(const std::string& write_id, const Revision& seen,
                             const VersionedItem* current) const {
  if (current == nullptr) {
    return WriteFate::kUnknown;
  }
  const std::vector<std::string>& recent = current->recent_writes;
  if (!write_id.empty() && (current->revision.write_id == write_id ||
                            std::find(recent.begin(), recent.end(), write_id) != recent.end())) {
    return WriteFate::kApplied;
  }
  if (current->revision == seen) {
    return WriteFate::kPending;
  }
  // Another write took the place, if the one that was seen is still in the list: then so is the one
  // after it. Else the item may be a later one under the same key.
  const bool same_line = std::find(recent.begin(), recent.end(), seen.write_id) != recent.end();
  return same_line ? WriteFate::kNotApplied : WriteFate::kUnknown;
}

}  // namespace stator::patterns

#include "stator/patterns/versioning.h"

#include <algorithm>
#include <array>

#include "base/base64.h"

namespace stator::patterns {

namespace {

std::optional<std::int64_t> ToInteger(const AttributeValue* value) {
  const Number* number = value == nullptr ? nullptr : value->If<Number>();
  if (number == nullptr) {
    return std::nullopt;
  }
  const Result<std::int64_t> integer = number->ToInt64();
  return integer ? std::optional(*integer) : std::nullopt;
}

std::uint64_t ToCount(const AttributeValue* value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(ToInteger(value).value_or(0), 0));
}

// Moved out of the value, which is thrown away.
std::string TakeText(AttributeValue* value) {
  auto* text = value == nullptr ? nullptr : value->If<std::string>();
  return text == nullptr ? "" : std::move(*text);
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

bool Versioning::IsBookkeeping(std::string_view name) const {
  return name == names_.revision || name == names_.write_id || name == names_.recent_writes ||
         (names_.last_write && name == *names_.last_write);
}

VersionedItem Versioning::Split(Item stored) const {
  VersionedItem split;
  split.revision = {.number = ToCount(stored.Find(names_.revision)),
                    .write_id = TakeText(stored.Find(names_.write_id))};
  AttributeValue* recent = stored.Find(names_.recent_writes);
  if (List* ids = recent == nullptr ? nullptr : recent->If<List>(); ids != nullptr) {
    split.recent_writes.reserve(ids->size());
    for (AttributeValue& id : *ids) {
      split.recent_writes.push_back(TakeText(&id));
    }
  }
  stored.Erase(names_.revision);
  stored.Erase(names_.write_id);
  stored.Erase(names_.recent_writes);
  if (names_.last_write) {
    split.last_write_ms = ToInteger(stored.Find(*names_.last_write));
    stored.Erase(*names_.last_write);
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
  List recent = {write_id};
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
  item.Set(names_.revision, NextRevision(before, stamp));
  item.Set(names_.write_id, stamp.write_id);
  if (kept_ > 0) {
    item.Set(names_.recent_writes, RecentWrites(before, stamp.write_id));
  }
  if (names_.last_write) {
    item.Set(*names_.last_write, Milliseconds(stamp.at));
  }
  return item;
}

Update Versioning::Changes(const VersionedItem& before, const Item& after,
                           const WriteStamp& stamp) const {
  Update update;
  const auto set = [&](const auto& entry) {
    if (!IsBookkeeping(entry.first)) {
      update.Set(entry.first, entry.second);
    }
  };
  const auto remove = [&](const std::string& name) {
    if (!IsBookkeeping(name)) {
      update.Remove(name);
    }
  };
  // Both are sorted by name.
  auto old = before.item.begin();
  for (const auto& entry : after) {
    for (; old != before.item.end() && old->first < entry.first; ++old) {
      remove(old->first);
    }
    if (old == before.item.end() || old->first != entry.first) {
      set(entry);
    } else if (old->second != entry.second) {
      set(entry);
      ++old;
    } else {
      ++old;
    }
  }
  for (; old != before.item.end(); ++old) {
    remove(old->first);
  }
  for (const auto& [name, value] : Stamped({}, &before, stamp)) {
    update.Set(name, value);
  }
  return update;
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

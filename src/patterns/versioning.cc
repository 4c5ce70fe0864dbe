#include "stator/patterns/versioning.h"

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "stator/patterns/idempotency.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {

namespace {

std::uint64_t ToCount(const AttributeValue& value) {
  const Number* number = value.If<Number>();
  const std::int64_t count = number == nullptr ? 0 : number->ToInt64().value_or(0);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

bool IsText(const AttributeValue& value, std::string_view text) {
  const auto* found = value.If<std::string>();
  return found != nullptr && *found == text;
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

std::string MakeWriteId(std::string_view token, const TableLayout& table, const Item& key) {
  std::string text(token);
  text += "\n" + table.table_name + "\n" + KeyText(key);
  return MakeToken(text).substr(0, 16);
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
             LengthBit(names_.recent_writes) | LengthBit(names_.tokens) |
             LengthBit(names_.last_write.value_or(""));
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
          name == names_.tokens || (names_.last_write && name == *names_.last_write));
}

Revision Versioning::RevisionOf(const Item& stored) const {
  Revision revision;
  // One walk, in which lengths tell most names apart, costs less than two searches.
  const std::size_t revision_size = names_.revision.size();
  const std::size_t write_id_size = names_.write_id.size();
  for (const auto& [name, value] : stored) {
    if (name.size() == revision_size && name == names_.revision) {
      revision.number = ToCount(value);
    } else if (name.size() == write_id_size && name == names_.write_id) {
      if (const auto* text = value.If<std::string>(); text != nullptr) {
        revision.write_id = *text;
      }
    }
  }
  return revision;
}

VersionedItem Versioning::Read(Item stored) const {
  VersionedItem read{.item = std::move(stored)};
  read.revision = RevisionOf(read.item);
  return read;
}

Item Versioning::ContentOf(const Item& stored) const {
  Item content;
  for (const auto& [name, value] : stored) {
    if (!IsBookkeeping(name)) {
      content.Append(name, value);
    }
  }
  return content;
}

bool Versioning::SameContent(const Item& left, const Item& right) const {
  const auto skip = [this](Item::const_iterator at, Item::const_iterator end) {
    return std::find_if(at, end, [this](const auto& entry) { return !IsBookkeeping(entry.first); });
  };
  auto mine = skip(left.begin(), left.end());
  auto yours = skip(right.begin(), right.end());
  while (mine != left.end() && yours != right.end() && *mine == *yours) {
    mine = skip(std::next(mine), left.end());
    yours = skip(std::next(yours), right.end());
  }
  return mine == left.end() && yours == right.end();
}

const List* Versioning::FindList(const Item& stored, const std::string& name) {
  const AttributeValue* ids = stored.Find(name);
  return ids == nullptr ? nullptr : ids->If<List>();
}

const List* Versioning::FindRecentWrites(const Item& stored) const {
  return FindList(stored, names_.recent_writes);
}

List Versioning::Tokens(const VersionedItem* before, const WriteStamp& stamp) const {
  const List* older = before == nullptr ? nullptr : FindList(before->item, names_.tokens);
  List tokens = older == nullptr ? List() : *older;
  if (stamp.of_token) {
    tokens.emplace_back(stamp.write_id);
  }
  if (tokens.size() > kTokensKept) {
    tokens.erase(tokens.begin(), tokens.end() - static_cast<std::ptrdiff_t>(kTokensKept));
  }
  return tokens;
}

bool Versioning::Carries(const Item& stored, const std::string& write_id) const {
  const auto has = [&](const std::string& name) {
    const List* ids = FindList(stored, name);
    return ids != nullptr &&
           std::any_of(ids->begin(), ids->end(),
                       [&](const AttributeValue& known) { return IsText(known, write_id); });
  };
  const AttributeValue* latest = stored.Find(names_.write_id);
  return !write_id.empty() && ((latest != nullptr && IsText(*latest, write_id)) ||
                               has(names_.recent_writes) || has(names_.tokens));
}

bool Versioning::IsFull(const Item& stored) const {
  const List* tokens = FindList(stored, names_.tokens);
  return tokens != nullptr && tokens->size() >= kTokensKept;
}

Condition Versioning::MayTake(const WriteStamp& stamp) const {
  if (!stamp.of_token) {
    return {};
  }
  const Attribute tokens(names_.tokens);
  return tokens.NotExists() ||
         (!tokens.Contains(stamp.write_id) && tokens.Size() < std::int64_t{kTokensKept});
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
  const List* older = before == nullptr ? nullptr : FindRecentWrites(before->item);
  const std::size_t known = older == nullptr ? 0 : older->size();
  List recent;
  recent.reserve(std::min(kept_, known + 1));
  recent.emplace_back(write_id);
  for (std::size_t n = 0; n < known && recent.size() < kept_; ++n) {
    recent.push_back((*older)[n]);
  }
  return recent;
}

Item Versioning::Stamped(Item item, const VersionedItem* before, const WriteStamp& stamp) const {
  if (kept_ == 0) {
    item.Erase(names_.recent_writes);
  }
  item.reserve(item.size() + parts_.size());
  for (const Part part : parts_) {
    item.Set(NameOf(part), ValueOf(part, before, stamp));
  }
  if (List tokens = Tokens(before, stamp); !tokens.empty()) {
    item.Set(names_.tokens, std::move(tokens));
  } else {
    item.Erase(names_.tokens);
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
  if (stamp.of_token) {
    changed.Set(names_.tokens, Tokens(&before, stamp));
  }
  if (kept_ == 0 && FindRecentWrites(before.item) != nullptr) {
    // Somebody else keeps them; without this write among them they would tell a wrong story.
    changed.Remove(names_.recent_writes);
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

Update Versioning::BlindChanges(const WriteStamp& stamp, const VersionedItem* full) const {
  Update update;
  update.Add(names_.revision, 1).Set(names_.write_id, stamp.write_id);
  if (kept_ > 0) {
    // The older ids are not known here, so they are let go.
    update.Set(names_.recent_writes, List{stamp.write_id});
  } else {
    update.Remove(names_.recent_writes);
  }
  if (stamp.of_token && full != nullptr) {
    update.Set(names_.tokens, AttributeValue(Tokens(full, stamp)));
  } else if (stamp.of_token) {
    update.Append(names_.tokens, List{stamp.write_id});
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
  const List* recent = FindRecentWrites(current->item);
  const auto is_recent = [recent](const std::string& id) {
    return recent != nullptr &&
           std::any_of(recent->begin(), recent->end(),
                       [&id](const AttributeValue& known) { return IsText(known, id); });
  };
  if (Carries(current->item, write_id)) {
    return WriteFate::kApplied;
  }
  if (current->revision == seen) {
    return WriteFate::kPending;
  }
  // Another write took the place, if the one that was seen is still in the list: then so is the one
  // after it. Else the item may be a later one under the same key.
  const bool same_line = is_recent(seen.write_id);
  return same_line ? WriteFate::kNotApplied : WriteFate::kUnknown;
}

}  // namespace stator::patterns

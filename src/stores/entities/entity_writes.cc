#include <algorithm>
#include <chrono>
#include <utility>

#include "base/try.h"
#include "stator/patterns/requests.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stores/entities/failures.h"
#include "stores/entities/item_layout.h"
#include "value/size.h"

namespace stator::entities::detail {

namespace {

using patterns::Attribute;
using patterns::Expiry;
using patterns::VersionedItem;
using patterns::WriteFailure;
using patterns::WriteFailureKind;
using patterns::WriteResult;

// How often Upsert and Patch begin anew when others interfere.
constexpr int kRounds = 10;
// A clock that is further behind than this gets counted (Lock::kLastWrite).
constexpr auto kClockTolerance = std::chrono::seconds(5);
// Of an upsert by one expression, which may have 4 KB of text.
constexpr std::size_t kFieldsOfUpdateMax = 140;

FailureKind KindOf(WriteFailureKind kind) {
  switch (kind) {
    case WriteFailureKind::kNotFound:
      return FailureKind::kNotFound;
    case WriteFailureKind::kExpired:
      return FailureKind::kGone;
    case WriteFailureKind::kAlreadyExists:
      return FailureKind::kAlreadyExists;
    case WriteFailureKind::kConflict:
      return FailureKind::kConflict;
    case WriteFailureKind::kRefused:
      return FailureKind::kRefused;
    case WriteFailureKind::kInvalid:
      return FailureKind::kInvalidRequest;
    case WriteFailureKind::kTooLarge:
      return FailureKind::kTooLarge;
    case WriteFailureKind::kThrottled:
      return FailureKind::kThrottled;
    case WriteFailureKind::kAmbiguous:
    case WriteFailureKind::kUnavailable:
      break;
  }
  return FailureKind::kTransport;
}

// Both changes of `base`, and the fields that both have changed.
Item Merge(const Item& base, const Item& mine, const Item& theirs,
           std::vector<std::string>& overlapping) {
  const auto same = [](const AttributeValue* left, const AttributeValue* right) {
    return left == nullptr || right == nullptr ? left == right : *left == *right;
  };
  Item merged = theirs;
  const auto merge_field = [&](const std::string& name) {
    const AttributeValue* before = base.Find(name);
    const AttributeValue* my_value = mine.Find(name);
    const AttributeValue* their_value = theirs.Find(name);
    if (same(before, my_value) || same(my_value, their_value)) {
      return;
    }
    if (!same(before, their_value)) {
      overlapping.push_back(name);
    } else if (my_value == nullptr) {
      merged.Erase(name);
    } else {
      merged.Set(name, *my_value);
    }
  };
  for (const auto& [name, value] : mine) {
    merge_field(name);
  }
  for (const auto& [name, value] : base) {
    if (!mine.contains(name)) {
      merge_field(name);
    }
  }
  return merged;
}

}  // namespace

std::optional<EntityState> EntityCore::CurrentOf(VersionedItem item) const {
  Outcome<EntityState> state = layout_->Read(std::move(item));
  return state ? std::optional(*std::move(state)) : std::nullopt;
}

Failure EntityCore::ToFailure(WriteFailure failure, std::uint64_t seen_rev) const {
  Failure made{.kind = KindOf(failure.kind), .error = std::move(failure.error)};
  made.seen_rev = seen_rev;
  made.ambiguous = failure.kind == WriteFailureKind::kAmbiguous;
  made.bytes = failure.bytes;
  if (failure.current) {
    made.current = CurrentOf(*std::move(failure.current));
  }
  if (made.kind == FailureKind::kThrottled) {
    made.retry_after = options_.backoff.cap;
  }
  // What the database finds out about a patch, which says nothing about the rest of the item.
  if (made.kind == FailureKind::kInvalidRequest &&
      made.error.message.contains("exceeded the maximum allowed size")) {
    made.kind = FailureKind::kTooLarge;
  }
  return made;
}

// `sent` is what was to be stored, for its size when the database finds it too large.
Outcome<EntityState> EntityCore::Finish(WriteResult<VersionedItem> written, std::uint64_t seen_rev,
                                        const Item& sent) const {
  if (written) {
    Note(*written);
    return layout_->Read(*std::move(written));
  }
  Failure failure = ToFailure(std::move(written).error(), seen_rev);
  if (failure.kind == FailureKind::kTooLarge && failure.bytes == 0) {
    failure.bytes = value::SizeOfItem(sent);
  }
  if (failure.kind == FailureKind::kConflict || failure.kind == FailureKind::kAlreadyExists) {
    ++conflicts_;
  }
  return std::unexpected(std::move(failure));
}

Outcome<EntityState> EntityCore::Insert(Item fields, const WriteOptions& options) const {
  if (HasUnique()) {
    patterns::Transaction transaction = MakeTransaction();
    EntityState after = TRY(InsertIn(transaction, std::move(fields), options, "item"));
    return Commit(transaction, std::move(after), FailureKind::kAlreadyExists, 0);
  }
  Item item =
      TRY(layout_->Write(std::move(fields), nullptr, options.expiry, environment_.clock->Now()));
  return Finish(items_.Insert(std::move(item)), 0, {});
}

Outcome<void> EntityCore::CheckWritable(const EntityState& seen) const {
  if (seen.read_only) {
    return IsFuture(seen.stored_version, entity().data_version);
  }
  if (options_.write_back == WriteBack::kNever && seen.stored_version < entity().data_version) {
    return Wrong("an item of version " + std::to_string(seen.stored_version) +
                 " is not written here (WriteBack::kNever)");
  }
  if (entity().lock == Lock::kLastWrite) {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(environment_.clock->Now());
    const auto seen_at = std::chrono::milliseconds(seen.stored.revision.number);
    clock_ahead_ += seen_at > now.time_since_epoch() + kClockTolerance ? 1 : 0;
  }
  return {};
}

Outcome<EntityState> EntityCore::WriteOnce(const EntityState& seen, Item fields,
                                           const std::optional<Expiry>& expiry) const {
  TRY_VOID(CheckWritable(seen));
  const std::uint64_t seen_rev = seen.stored.revision.number;
  if (ChangesUnique(seen.Fields(), fields)) {
    patterns::Transaction transaction = MakeTransaction();
    EntityState after = TRY(UpdateIn(transaction, seen, std::move(fields), "item"));
    return Commit(transaction, std::move(after), FailureKind::kConflict, seen_rev);
  }
  const Item item =
      TRY(layout_->Write(std::move(fields), &seen, expiry, environment_.clock->Now()));
  return Finish(items_.Replace(seen.stored, item, {.repeat_when_same = false}), seen_rev, item);
}

Outcome<EntityState> EntityCore::Update(const EntityState& seen, const Item& fields,
                                        const UpdateOptions& options) const {
  Outcome<EntityState> written = WriteOnce(seen, fields, options.expiry);
  if (written || written.error().kind != FailureKind::kConflict || !written.error().current) {
    return written;
  }
  return Resolve(seen, fields, options, std::move(written).error());
}

// What to do about a conflict: once more if the others left the value as it was, or changed other
// parts of it and may.
Outcome<EntityState> EntityCore::Resolve(const EntityState& seen, const Item& fields,
                                         const UpdateOptions& options, Failure conflict) const {
  const EntityState& current = *conflict.current;
  const Result<Item> base = layout_->Normalize(seen.Fields());
  const Result<Item> theirs = layout_->Normalize(current.Fields());
  if (!base || !theirs) {
    return std::unexpected(std::move(conflict));
  }
  if (*base == *theirs) {
    return WriteOnce(current, fields, options.expiry);
  }
  if (options.merge == MergePolicy::kNone) {
    return std::unexpected(std::move(conflict));
  }
  Item merged = Merge(*base, fields, *theirs, conflict.fields);
  if (!conflict.fields.empty()) {
    return std::unexpected(std::move(conflict));
  }
  return WriteOnce(current, std::move(merged), options.expiry);
}

Outcome<EntityState> EntityCore::WriteBackOnce(const EntityState& state) const {
  if (!layout_->Normalize(state.Fields())) {
    return FailWith(FailureKind::kCorrupt, "the migrated item is not what the entity says");
  }
  const Item item =
      TRY(layout_->Write(state.Fields(), &state, std::nullopt, environment_.clock->Now()));
  return Finish(items_.Replace(state.stored, item, {.repeat_when_same = false}),
                state.stored.revision.number, item);
}

Outcome<EntityState> EntityCore::Upsert(const Item& fields, const WriteOptions& options) const {
  const Item item = TRY(layout_->Write(fields, nullptr, options.expiry, environment_.clock->Now()));
  const Result<Item> key = patterns::KeyOf(table(), item);
  if (!key) {
    return Wrong(key.error().message);
  }
  if (HasUnique() || entity().lock == Lock::kLastWrite ||
      entity().fields.size() > kFieldsOfUpdateMax) {
    return UpsertByReading(*key, fields, options);
  }
  return Finish(items_.Overwrite(*key, layout_->WriteOver(item)), 0, item);
}

Outcome<EntityState> EntityCore::UpsertByReading(const Item& key, const Item& fields,
                                                 const WriteOptions& options) const {
  for (int round = 1;; ++round) {
    const std::optional<EntityState> current = TRY(Read(key, true));
    Outcome<EntityState> written =
        current ? WriteOnce(*current, fields, options.expiry) : Insert(fields, options);
    const bool again = !written && (written.error().kind == FailureKind::kConflict ||
                                    written.error().kind == FailureKind::kAlreadyExists ||
                                    written.error().kind == FailureKind::kNotFound ||
                                    written.error().kind == FailureKind::kGone);
    if (!again || round >= kRounds) {
      return written;
    }
    environment_.clock->SleepFor(options_.backoff.Jitter(round - 1, *environment_.random));
  }
}

Outcome<EntityState> EntityCore::Patch(const Item& key, const patterns::Update& update,
                                       const patterns::Condition& condition) const {
  const patterns::Update changes = TRY(layout_->PatchOf(update));
  const patterns::Condition allowed = layout_->IsCurrent() && layout_->ConditionOf(condition);
  for (int round = 1;; ++round) {
    Outcome<EntityState> written = Finish(items_.Patch(key, changes, allowed), 0, {});
    if (written || written.error().kind != FailureKind::kRefused || round >= kRounds) {
      return written;
    }
    const std::optional<EntityState>& current = written.error().current;
    if (!current || current->read_only) {
      return IsFuture(current ? current->stored_version : 0, entity().data_version);
    }
    if (layout_->IsCurrent(*current)) {
      return written;
    }
    // An item in an old shape gets the new one first. Whoever is faster may do it.
    TRY_VOID(CheckWritable(*current));
    Outcome<EntityState> migrated = WriteBackOnce(*current);
    if (!migrated && migrated.error().kind != FailureKind::kConflict) {
      return migrated;
    }
  }
}

Outcome<void> EntityCore::Remove(const EntityState& seen, const RemoveOptions& options) const {
  EntityState state = seen;
  for (int round = 1;; ++round) {
    Outcome<void> removed;
    if (HasUnique()) {
      removed = RemoveUnique(state);
    } else if (WriteResult<void> done = items_.Remove(state.stored, {.repeat_when_same = false});
               !done) {
      removed = std::unexpected(ToFailure(std::move(done).error(), seen.stored.revision.number));
    }
    if (removed) {
      NoteRemoved(patterns::KeyOf(table(), seen.stored.item).value_or(Item()));
      return {};
    }
    const Failure& failure = removed.error();
    if (failure.kind == FailureKind::kNotFound && options.idempotent) {
      return {};
    }
    if (failure.kind != FailureKind::kConflict) {
      return removed;
    }
    ++conflicts_;
    const Result<Item> base = layout_->Normalize(seen.Fields());
    const Result<Item> theirs =
        failure.current ? layout_->Normalize(failure.current->Fields()) : Invalid("");
    if (round > 1 || !base || !theirs || *base != *theirs) {
      return removed;
    }
    state = *failure.current;
  }
}

Outcome<bool> EntityCore::RemoveUnchecked(const Item& key) const {
  if (!HasUnique()) {
    const Result<bool> removed = items_.RemoveUnchecked(key);
    if (!removed) {
      return std::unexpected(detail::ToFailure(removed.error()));
    }
    NoteRemoved(key);
    return *removed;
  }
  for (int round = 1;; ++round) {
    const std::optional<EntityState> current = TRY(Read(key, true));
    if (!current) {
      return false;
    }
    Outcome<void> removed = Remove(*current, {.idempotent = true});
    if (removed) {
      return true;
    }
    if (removed.error().kind != FailureKind::kConflict || round >= kRounds) {
      return std::unexpected(std::move(removed).error());
    }
  }
}

Outcome<void> EntityCore::Expire(const Item& key, const patterns::Revision* seen,
                                 const Expiry& at) const {
  if (!table().expiry_attribute) {
    return Wrong("entity " + entity().name + " does not expire");
  }
  WriteResult<VersionedItem> written =
      items_.Patch(key, patterns::Update().Set(*table().expiry_attribute, at.ToValue()),
                   seen == nullptr ? patterns::Condition() : items_.versioning().Unchanged(*seen));
  if (!written && written.error().kind == WriteFailureKind::kRefused) {
    written.error().kind = WriteFailureKind::kConflict;
  }
  TRY_VOID(Finish(std::move(written), seen == nullptr ? 0 : seen->number, {}));
  return {};
}

Outcome<void> EntityCore::Touch(const Item& key, const Expiry& expiry) const {
  if (!table().expiry_attribute) {
    return Wrong("entity " + entity().name + " does not expire");
  }
  const TimePoint now = environment_.clock->Now();
  const Attribute attribute(*table().expiry_attribute);
  const UpdateItemInput input = patterns::MakeUpdate(
      table().table_name, key, patterns::Update().Set(attribute, expiry.ToValue()),
      patterns::ItemExists(table()) && attribute > EpochSeconds(now));
  for (int attempt = 1;; ++attempt) {
    const Result<UpdateItemOutput> done = database_->UpdateItem(input);
    if (done) {
      return {};
    }
    if (done.error().code == ErrorCode::kConditionFailed) {
      const Item* item = patterns::FindItem(done.error());
      if (item == nullptr) {
        return FailWith(FailureKind::kNotFound);
      }
      return patterns::IsExpired(*item, table(), now)
                 ? FailWith(FailureKind::kGone)
                 : Wrong("the item does not expire, so its life cannot be renewed");
    }
    // Done twice it leaves the same.
    const bool again =
        patterns::IsTransient(done.error().code) || patterns::MayHaveHappened(done.error().code);
    if (!again || attempt >= options_.attempts) {
      return std::unexpected(detail::ToFailure(done.error()));
    }
    environment_.clock->SleepFor(options_.backoff.Jitter(attempt - 1, *environment_.random));
  }
}

}  // namespace stator::entities::detail

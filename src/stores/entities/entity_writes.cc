#include <algorithm>
#include <chrono>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/advice.h"
#include "stator/patterns/fire_and_forget.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/retry.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stores/entities/failures.h"
#include "stores/entities/item_layout.h"
#include "value/size.h"

namespace stator::entities::detail {

namespace {

using patterns::Attribute;
using patterns::Expiry;
using patterns::VersionedItem;

// A clock that is further behind than this gets counted (Lock::kLastWrite).
constexpr auto kClockTolerance = std::chrono::seconds(5);
// Of an upsert by one expression, which may have 4 KB of text.
constexpr std::size_t kFieldsOfUpdateMax = 140;

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
  Result<EntityState> state = layout_->Read(std::move(item));
  return state ? std::optional(*std::move(state)) : std::nullopt;
}

Error EntityCore::FromWrite(const Error& error, std::uint64_t seen_rev) const {
  const patterns::WriteFacts& write = patterns::FactsOf(error);
  EntityFacts facts = FactsAbout(error.code, seen_rev);
  facts.bytes = write.bytes;
  facts.cause = write.cause;
  if (write.current) {
    facts.current = CurrentOf(*write.current);
  }
  Error advised = patterns::WithAdvice(error, table().table_name, "entity " + entity().name);
  return MakeError(advised.code, std::move(advised.message), std::move(facts));
}

// `sent` is what was to be stored, for its size when the database finds it too large.
Result<EntityState> EntityCore::Finish(Result<VersionedItem> written, std::uint64_t seen_rev,
                                       const Item& sent) const {
  if (written) {
    Note(*written);
    return layout_->Read(*std::move(written));
  }
  const Error& error = written.error();
  if (error.code == ErrorCode::kTooLarge && patterns::FactsOf(error).bytes == 0) {
    return std::unexpected(MakeError(error.code, error.message,
                                     {.seen_rev = seen_rev, .bytes = value::SizeOfItem(sent)}));
  }
  if (error.code == ErrorCode::kConflict || error.code == ErrorCode::kAlreadyExists) {
    ++conflicts_;
  }
  return std::unexpected(FromWrite(error, seen_rev));
}

Result<EntityState> EntityCore::Insert(Item fields, const WriteOptions& options) const {
  if (HasUnique()) {
    patterns::Transaction transaction = MakeTransaction(options.idempotency);
    EntityState after = TRY(InsertIn(transaction, std::move(fields), options, "item"));
    return Commit(transaction, std::move(after), ErrorCode::kAlreadyExists, 0);
  }
  const TimePoint now = environment_.clock->Now();
  const ExpiryChange expiry = TRY(layout_->ExpiryOfNew(options, now));
  Item item = TRY(layout_->Write(std::move(fields), nullptr, expiry, now));
  return Finish(items_.Insert(std::move(item), {.idempotency = options.idempotency}), 0, {});
}

Result<void> EntityCore::CheckWritable(const EntityState& seen) const {
  if (seen.read_only) {
    return IsFuture(seen.stored_version, entity().data_version);
  }
  if (options_.write_back == WriteBack::kNever && seen.stored_version < entity().data_version) {
    return Invalid("an item of version " + std::to_string(seen.stored_version) +
                   " is not written here (WriteBack::kNever)");
  }
  if (entity().lock == Lock::kLastWrite) {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(environment_.clock->Now());
    const auto seen_at = std::chrono::milliseconds(seen.stored.revision.number);
    clock_ahead_ += seen_at > now.time_since_epoch() + kClockTolerance ? 1 : 0;
  }
  return {};
}

bool EntityCore::WasDone(const EntityState& state, const patterns::Idempotency& idempotency) const {
  if (idempotency.kind() != patterns::Idempotency::Kind::kToken) {
    return false;
  }
  const Item& item = state.stored.item;
  const Result<Item> key = patterns::KeyOf(table(), item);
  return key && items_.versioning().Carries(
                    item, patterns::MakeWriteId(idempotency.token(), table(), *key));
}

Result<EntityState> EntityCore::WriteOnce(const EntityState& seen, Item fields,
                                          const ExpiryChange& expiry,
                                          const patterns::Idempotency& idempotency) const {
  if (WasDone(seen, idempotency)) {
    return seen;
  }
  TRY_VOID(CheckWritable(seen));
  const std::uint64_t seen_rev = seen.stored.revision.number;
  if (ChangesUnique(seen.Fields(), fields)) {
    patterns::Transaction transaction = MakeTransaction(idempotency);
    EntityState after = TRY(UpdateIn(transaction, seen, std::move(fields), "item"));
    return Commit(transaction, std::move(after), ErrorCode::kConflict, seen_rev);
  }
  const Item item =
      TRY(layout_->Write(std::move(fields), &seen, expiry, environment_.clock->Now()));
  return Finish(
      items_.Replace(seen.stored, item, {.repeat_when_same = false, .idempotency = idempotency}),
      seen_rev, item);
}

Result<EntityState> EntityCore::Update(const EntityState& seen, const Item& fields,
                                       const UpdateOptions& options) const {
  Result<EntityState> written =
      WriteOnce(seen, fields, ExpiryChange::To(options.expiry), options.idempotency);
  if (written || written.error().code != ErrorCode::kConflict ||
      !FactsOf(written.error()).current) {
    return written;
  }
  return Resolve(seen, fields, options, written.error());
}

// What to do about a conflict: once more if the others left the value as it was, or changed other
// parts of it and may.
Result<EntityState> EntityCore::Resolve(const EntityState& seen, const Item& fields,
                                        const UpdateOptions& options, const Error& conflict) const {
  EntityFacts facts = FactsOf(conflict);
  const EntityState& current = *facts.current;
  const Result<Item> base = layout_->Normalize(seen.Fields());
  const Result<Item> theirs = layout_->Normalize(current.Fields());
  if (!base || !theirs) {
    return std::unexpected(conflict);
  }
  if (*base == *theirs) {
    return WriteOnce(current, fields, ExpiryChange::To(options.expiry), options.idempotency);
  }
  if (options.merge == MergePolicy::kNone) {
    return std::unexpected(conflict);
  }
  Item merged = Merge(*base, fields, *theirs, facts.fields);
  if (!facts.fields.empty()) {
    return std::unexpected(MakeError(conflict.code, conflict.message, std::move(facts)));
  }
  return WriteOnce(current, std::move(merged), ExpiryChange::To(options.expiry),
                   options.idempotency);
}

Result<EntityState> EntityCore::WriteBackOnce(const EntityState& state) const {
  if (!layout_->Normalize(state.Fields())) {
    return Fail(ErrorCode::kCorruption, "the migrated item is not what the entity says");
  }
  const Item item =
      TRY(layout_->Write(state.Fields(), &state, ExpiryChange(), environment_.clock->Now()));
  return Finish(items_.Replace(state.stored, item, {.repeat_when_same = false}),
                state.stored.revision.number, item);
}

Result<bool> EntityCore::CompleteOnce(const EntityState& state, bool begins_life,
                                      bool dry_run) const {
  TRY_VOID(CheckWritable(state));
  const TimePoint now = environment_.clock->Now();
  const std::optional<std::string>& expiry_attribute = entity().expiry_attribute;
  const bool begins = begins_life && entity().life && expiry_attribute &&
                      !state.stored.item.contains(*expiry_attribute);
  const ExpiryChange expiry = begins ? TRY(layout_->ExpiryOfNew({}, now)) : ExpiryChange();
  const Item item = TRY(layout_->Write(state.Fields(), &state, expiry, now));
  if (items_.versioning().SameContent(item, state.stored.item)) {
    return WriteGuards(state, dry_run);
  }
  if (dry_run) {
    return true;
  }
  const EntityState written =
      TRY(Finish(items_.Replace(state.stored, item, {.repeat_when_same = false}),
                 state.stored.revision.number, item));
  TRY_VOID(WriteGuards(written, dry_run));
  return true;
}

Result<EntityState> EntityCore::Upsert(const Item& fields, const WriteOptions& options) const {
  const TimePoint now = environment_.clock->Now();
  const ExpiryChange expiry = TRY(layout_->ExpiryOfNew(options, now));
  const Item item = TRY(layout_->Write(fields, nullptr, expiry, now));
  const Item key = TRY(patterns::KeyOf(table(), item));
  if (HasUnique() || entity().lock == Lock::kLastWrite ||
      entity().fields.size() > kFieldsOfUpdateMax ||
      options.idempotency.kind() != patterns::Idempotency::Kind::kNone) {
    return UpsertByReading(key, fields, options);
  }
  return Finish(items_.Overwrite(key, layout_->WriteOver(item)), 0, item);
}

Result<EntityState> EntityCore::UpsertByReading(const Item& key, const Item& fields,
                                                const WriteOptions& options) const {
  return patterns::ReadModifyWrite(
      options_.retry, environment_, [&](const Error* /*overtaken*/) { return Read(key, true); },
      [](const std::optional<EntityState>&) -> Result<std::optional<EntityState>> {
        return std::nullopt;
      },
      [&](const std::optional<EntityState>& current) {
        if (!current) {
          return Insert(fields, options);
        }
        const auto expiry = layout_->ExpiryOfNew(options, environment_.clock->Now());
        return expiry ? WriteOnce(*current, fields, *expiry, options.idempotency)
                      : Result<EntityState>(std::unexpected(expiry.error()));
      });
}

Result<EntityState> EntityCore::Patch(const Item& key, const patterns::Update& update,
                                      const patterns::Condition& condition,
                                      const PatchOptions& options) const {
  const patterns::Update changes = TRY(layout_->PatchOf(update));
  const patterns::Condition allowed = layout_->IsCurrent() && layout_->ConditionOf(condition);
  for (patterns::Retry retry(options_.retry, environment_);;) {
    Result<EntityState> written =
        Finish(items_.Patch(key, changes, allowed, {.idempotency = options.idempotency}), 0, {});
    if (written || written.error().code != ErrorCode::kRefused) {
      return written;
    }
    const std::optional<EntityState>& current = FactsOf(written.error()).current;
    if (!current || current->read_only) {
      return IsFuture(current ? current->stored_version : 0, entity().data_version);
    }
    if (layout_->IsCurrent(*current)) {
      return written;
    }
    // An item in an old shape gets the new one first. Whoever is faster may do it.
    TRY_VOID(CheckWritable(*current));
    Result<EntityState> migrated = WriteBackOnce(*current);
    if (!migrated && (migrated.error().code != ErrorCode::kConflict || !retry.Wait())) {
      return migrated;
    }
  }
}

Result<void> EntityCore::Remove(const EntityState& seen, const RemoveOptions& options) const {
  EntityState state = seen;
  for (int round = 1;; ++round) {
    Result<void> removed;
    if (HasUnique()) {
      removed = RemoveUnique(state);
    } else if (const Result<void> done = items_.Remove(state.stored, {.repeat_when_same = false});
               !done) {
      removed = std::unexpected(FromWrite(done.error(), seen.stored.revision.number));
    }
    if (removed) {
      NoteRemoved(patterns::KeyOf(table(), seen.stored.item).value_or(Item()));
      return {};
    }
    if (removed.error().code == ErrorCode::kNotFound && options.idempotent) {
      return {};
    }
    if (removed.error().code != ErrorCode::kConflict) {
      return removed;
    }
    ++conflicts_;
    const std::optional<EntityState>& current = FactsOf(removed.error()).current;
    const Result<Item> base = layout_->Normalize(seen.Fields());
    const Result<Item> theirs = current ? layout_->Normalize(current->Fields()) : Invalid("");
    // Once more if they left the value as it was.
    if (round > 1 || !base || !theirs || *base != *theirs) {
      return removed;
    }
    state = *current;
  }
}

Result<bool> EntityCore::RemoveUnchecked(const Item& key) const {
  if (!HasUnique()) {
    const Result<bool> removed = items_.RemoveUnchecked(key);
    if (!removed) {
      return std::unexpected(FromWrite(patterns::ToWriteError(removed.error()), 0));
    }
    NoteRemoved(key);
    return *removed;
  }
  return patterns::ReadModifyWrite(
      options_.retry, environment_, [&](const Error* /*overtaken*/) { return Read(key, true); },
      [](const std::optional<EntityState>& current) -> Result<std::optional<bool>> {
        return current ? std::nullopt : std::optional(false);
      },
      [&](const std::optional<EntityState>& current) -> Result<bool> {
        TRY_VOID(Remove(*current, {.idempotent = true}));
        return true;
      });
}

Result<void> EntityCore::Expire(const Item& key, const patterns::Revision* seen,
                                const Expiry& at) const {
  if (!table().expiry_attribute) {
    return Invalid("entity " + entity().name + " does not expire");
  }
  Result<VersionedItem> written =
      items_.Patch(key, patterns::Update().Set(*table().expiry_attribute, at.ToValue()),
                   seen == nullptr ? patterns::Condition() : items_.versioning().Unchanged(*seen));
  if (!written && written.error().code == ErrorCode::kRefused) {
    written.error().code = ErrorCode::kConflict;
  }
  TRY_VOID(Finish(std::move(written), seen == nullptr ? 0 : seen->number, {}));
  return {};
}

Result<void> EntityCore::Touch(const Item& key, const Expiry& expiry) const {
  if (!table().expiry_attribute) {
    return Invalid("entity " + entity().name + " does not expire");
  }
  const TimePoint now = environment_.clock->Now();
  const Attribute attribute(*table().expiry_attribute);
  const UpdateItemInput input = patterns::MakeUpdate(
      table().table_name, key, patterns::Update().Set(attribute, expiry.ToValue()),
      patterns::ItemExists(table()) && attribute > EpochSeconds(now));
  // Done twice it leaves the same.
  const Result<UpdateItemOutput> done = patterns::RetryWhile(
      options_.retry, environment_, [&] { return database_->UpdateItem(input); },
      [](const Error& error) {
        return patterns::IsTransient(error.code) || patterns::MayHaveHappened(error.code);
      });
  if (done) {
    return {};
  }
  if (done.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(FromWrite(patterns::ToWriteError(done.error()), 0));
  }
  const Item* const item = patterns::FindItem(done.error());
  if (item == nullptr) {
    return NotFound();
  }
  return patterns::IsExpired(*item, table(), now)
             ? HasExpired()
             : Invalid("the item does not expire, so its life cannot be renewed");
}

void TouchInBackground(std::shared_ptr<const EntityCore> core, patterns::FireAndForget& background,
                       const Item& key, const Expiry& expiry) {
  const std::string what = "touch " + core->entity().name;
  background.Submit(
      patterns::KeyText(key), what,
      [core = std::move(core), key, expiry]() -> Result<void> { return core->Touch(key, expiry); });
}

}  // namespace stator::entities::detail

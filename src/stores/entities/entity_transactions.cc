#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/patterns/idempotency.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stores/entities/failures.h"
#include "stores/entities/item_layout.h"

namespace stator::entities::detail {

namespace {

using patterns::Transaction;

constexpr std::string_view kUnique = "unique ";

bool Same(const AttributeValue* left, const AttributeValue* right) {
  return left == nullptr || right == nullptr ? left == right : *left == *right;
}

// Who has a value: the key of the entity.
std::string OwnerOf(const patterns::TableLayout& table, const Item& item) {
  return patterns::KeyText(patterns::KeyOf(table, item).value_or(Item()));
}

}  // namespace

bool EntityCore::ChangesUnique(const Item& before, const Item& after) const {
  return std::any_of(entity().unique.begin(), entity().unique.end(), [&](const std::string& field) {
    return !Same(before.Find(field), after.Find(field));
  });
}

// One logical write: what gets no answer is sent again under the same token.
Transaction EntityCore::MakeTransaction(const patterns::Idempotency& idempotency) const {
  using patterns::Idempotency;
  return {*database_,
          idempotency.kind() == Idempotency::Kind::kToken
              ? idempotency.ForRequest(table().table_name)
              : Idempotency::Token(patterns::MakeWriteId(*environment_.random)),
          {.retry = options_.retry},
          environment_};
}

Result<EntityState> EntityCore::InsertIn(Transaction& transaction, Item fields,
                                         const WriteOptions& options,
                                         const std::string& label) const {
  const Item unique_of = HasUnique() ? fields : Item();
  const TimePoint now = environment_.clock->Now();
  const Result<ExpiryChange> expiry = layout_->ExpiryOfNew(options, now);
  Result<Item> item = expiry ? layout_->Write(std::move(fields), nullptr, *expiry, now)
                             : std::unexpected(expiry.error());
  if (!item) {
    transaction.Refuse(item.error());
    return std::unexpected(std::move(item).error());
  }
  if (guards_) {
    guards_->AddInsert(transaction, unique_of, OwnerOf(table(), *item));
  }
  return layout_->Read(items_.InsertIn(transaction, *std::move(item), label));
}

Result<EntityState> EntityCore::UpdateIn(Transaction& transaction, const EntityState& seen,
                                         Item fields, const std::string& label) const {
  Result<void> writable = CheckWritable(seen);
  const Item unique_of = HasUnique() ? fields : Item();
  Result<Item> item =
      writable ? layout_->Write(std::move(fields), &seen, ExpiryChange(), environment_.clock->Now())
               : std::unexpected(std::move(writable).error());
  if (!item) {
    transaction.Refuse(item.error());
    return std::unexpected(std::move(item).error());
  }
  if (guards_) {
    guards_->AddChange(transaction, seen.Fields(), unique_of, OwnerOf(table(), *item));
  }
  return layout_->Read(items_.ReplaceIn(transaction, seen.stored, *std::move(item), label));
}

Result<void> EntityCore::PatchIn(Transaction& transaction, const Item& key,
                                 const patterns::Update& update,
                                 const patterns::Condition& condition,
                                 const std::string& label) const {
  Result<patterns::Update> changes = layout_->PatchOf(update);
  if (!changes) {
    transaction.Refuse(changes.error());
    return std::unexpected(std::move(changes).error());
  }
  items_.PatchIn(transaction, key, *changes,
                 layout_->IsCurrent() && layout_->ConditionOf(condition), label);
  return {};
}

void EntityCore::RemoveIn(Transaction& transaction, const EntityState& seen,
                          const std::string& label) const {
  if (guards_) {
    guards_->AddRemove(transaction, seen.Fields(), OwnerOf(table(), seen.stored.item));
  }
  items_.RemoveIn(transaction, seen.stored, label);
}

void EntityCore::RequireIn(Transaction& transaction, const EntityState& seen,
                           const std::string& label) const {
  items_.RequireIn(transaction, seen.stored, label);
}

Error EntityCore::FromTransaction(const Error& error, ErrorCode taken,
                                  std::uint64_t seen_rev) const {
  const patterns::ActionFailure* const action = patterns::FirstConditionFailed(error);
  if (action == nullptr) {
    return FromWrite(patterns::ToWriteError(error), seen_rev);
  }
  // The entity itself comes first: a stale value says nothing about values of others.
  const auto* const own = patterns::FindConditionFailed(error, "item");
  if (own == nullptr && action->label.starts_with(kUnique)) {
    const std::string field = action->label.substr(kUnique.size());
    return MakeError(ErrorCode::kNotUnique, "another entity has this value of " + field,
                     {.seen_rev = seen_rev, .fields = {field}});
  }
  if (own == nullptr || !own->item) {
    return NotFound().error();
  }
  return MakeError(
      taken,
      taken == ErrorCode::kAlreadyExists ? "there is such an entity already"
                                         : "somebody else changed the entity meanwhile",
      {.current = CurrentOf(items_.versioning().Read(*own->item)), .seen_rev = seen_rev});
}

Result<EntityState> EntityCore::Commit(Transaction& transaction, EntityState after, ErrorCode taken,
                                       std::uint64_t seen_rev) const {
  const Result<patterns::Committed> outcome = transaction.Commit();
  if (!outcome) {
    Error error = FromTransaction(outcome.error(), taken, seen_rev);
    conflicts_ += error.code == taken ? 1 : 0;
    return std::unexpected(std::move(error));
  }
  if (outcome->repeated) {
    // It was done before; what others did since is not known here.
    const Item key = patterns::KeyOf(table(), after.stored.item).value_or(Item());
    std::optional<EntityState> current = TRY(Read(key, true));
    return current ? Result<EntityState>(*std::move(current)) : NotFound();
  }
  Note(after.stored);
  return after;
}

// The entity is only looked at, so nobody who read it before has a conflict.
Result<bool> EntityCore::WriteGuards(const EntityState& seen, bool dry_run) const {
  const std::string owner = OwnerOf(table(), seen.stored.item);
  if (!guards_ || TRY(guards_->AreHeld(*database_, seen.Fields(), owner))) {
    return false;
  }
  if (dry_run) {
    return true;
  }
  Transaction transaction = MakeTransaction();
  guards_->AddHold(transaction, seen.Fields(), owner);
  RequireIn(transaction, seen, "item");
  const Result<patterns::Committed> outcome = transaction.Commit();
  if (!outcome) {
    return std::unexpected(
        FromTransaction(outcome.error(), ErrorCode::kConflict, seen.stored.revision.number));
  }
  return true;
}

Result<void> EntityCore::RemoveUnique(const EntityState& seen) const {
  Transaction transaction = MakeTransaction();
  RemoveIn(transaction, seen, "item");
  const Result<patterns::Committed> outcome = transaction.Commit();
  if (!outcome) {
    return std::unexpected(
        FromTransaction(outcome.error(), ErrorCode::kConflict, seen.stored.revision.number));
  }
  return {};
}

}  // namespace stator::entities::detail

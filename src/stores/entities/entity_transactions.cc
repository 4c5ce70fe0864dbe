#include <algorithm>
#include <utility>
#include <variant>

#include "base/try.h"
#include "stator/patterns/idempotency.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stores/entities/failures.h"
#include "stores/entities/item_layout.h"

namespace stator::entities::detail {

namespace {

using patterns::Transaction;
using patterns::TransactionFailureKind;

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
Transaction EntityCore::MakeTransaction() const {
  return {*database_,
          patterns::Idempotency::Token(patterns::MakeWriteId(*environment_.random)),
          {.attempts = options_.attempts, .backoff = options_.backoff},
          environment_};
}

Outcome<EntityState> EntityCore::InsertIn(Transaction& transaction, Item fields,
                                          const WriteOptions& options,
                                          const std::string& label) const {
  const Item unique_of = HasUnique() ? fields : Item();
  Outcome<Item> item =
      layout_->Write(std::move(fields), nullptr, options.expiry, environment_.clock->Now());
  if (!item) {
    transaction.Refuse(item.error().error);
    return std::unexpected(std::move(item).error());
  }
  if (guards_) {
    guards_->AddInsert(transaction, unique_of, OwnerOf(table(), *item));
  }
  return layout_->Read(items_.InsertIn(transaction, *std::move(item), label));
}

Outcome<EntityState> EntityCore::UpdateIn(Transaction& transaction, const EntityState& seen,
                                          Item fields, const std::string& label) const {
  Outcome<void> writable = CheckWritable(seen);
  const Item unique_of = HasUnique() ? fields : Item();
  Outcome<Item> item =
      writable ? layout_->Write(std::move(fields), &seen, std::nullopt, environment_.clock->Now())
               : std::unexpected(std::move(writable).error());
  if (!item) {
    Error error = item.error().error;
    error.message = Describe(item.error().kind, error.message);
    transaction.Refuse(std::move(error));
    return std::unexpected(std::move(item).error());
  }
  if (guards_) {
    guards_->AddChange(transaction, seen.Fields(), unique_of, OwnerOf(table(), *item));
  }
  return layout_->Read(items_.ReplaceIn(transaction, seen.stored, *std::move(item), label));
}

Outcome<void> EntityCore::PatchIn(Transaction& transaction, const Item& key,
                                  const patterns::Update& update,
                                  const patterns::Condition& condition,
                                  const std::string& label) const {
  Outcome<patterns::Update> changes = layout_->PatchOf(update);
  if (!changes) {
    transaction.Refuse(changes.error().error);
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

Failure EntityCore::ToFailure(const patterns::TransactionFailure& failure, FailureKind taken,
                              std::uint64_t seen_rev) const {
  Failure made = detail::ToFailure(failure.error());
  made.seen_rev = seen_rev;
  made.ambiguous = failure.kind() == TransactionFailureKind::kAmbiguous;
  if (made.ambiguous) {
    made.kind = FailureKind::kTransport;
  }
  if (failure.Retryable()) {
    made.kind = FailureKind::kThrottled;
    made.retry_after = options_.backoff.cap;
  }
  const patterns::ActionFailure* action = failure.FirstConditionFailed();
  if (action == nullptr) {
    return made;
  }
  if (action->label.starts_with(kUnique)) {
    // The entity itself comes first: a stale value says nothing about values of others.
    const patterns::Reason* own = failure.Find("item");
    if (own == nullptr || !std::holds_alternative<patterns::ConditionFailed>(*own)) {
      made.kind = FailureKind::kNotUnique;
      made.fields = {action->label.substr(kUnique.size())};
      return made;
    }
  }
  const patterns::Reason* own = failure.Find("item");
  const auto* failed = own == nullptr ? nullptr : std::get_if<patterns::ConditionFailed>(own);
  made.kind = failed != nullptr && failed->item ? taken : FailureKind::kNotFound;
  if (failed != nullptr && failed->item) {
    made.current = CurrentOf(items_.versioning().Read(*failed->item));
  }
  return made;
}

Outcome<EntityState> EntityCore::Commit(Transaction& transaction, EntityState after,
                                        FailureKind taken, std::uint64_t seen_rev) const {
  const patterns::TransactionOutcome outcome = transaction.Commit();
  if (!outcome) {
    Failure failure = ToFailure(outcome.error(), taken, seen_rev);
    conflicts_ += failure.kind == taken ? 1 : 0;
    return std::unexpected(std::move(failure));
  }
  Note(after.stored);
  return after;
}

Outcome<void> EntityCore::RemoveUnique(const EntityState& seen) const {
  Transaction transaction = MakeTransaction();
  RemoveIn(transaction, seen, "item");
  const patterns::TransactionOutcome outcome = transaction.Commit();
  if (!outcome) {
    return std::unexpected(
        ToFailure(outcome.error(), FailureKind::kConflict, seen.stored.revision.number));
  }
  return {};
}

}  // namespace stator::entities::detail

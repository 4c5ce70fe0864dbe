#include <functional>
#include <optional>
#include <utility>

#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/transaction.h"
#include "stator/patterns/versioned_items.h"

namespace stator::patterns {

VersionedItem VersionedItems::InsertIn(Transaction& transaction, Item item,
                                       std::string label) const {
  const TableLayout& layout = versioning_.layout();
  const WriteStamp stamp =
      MakeStamp(transaction.idempotency(), KeyOf(layout, item).value_or(Item()));
  Item stored = versioning_.Stamped(std::move(item), nullptr, stamp);
  transaction.Insert({.table = layout, .item = stored, .label = std::move(label)});
  Recognise(transaction, stamp);
  return versioning_.Read(std::move(stored));
}

VersionedItem VersionedItems::ReplaceIn(Transaction& transaction, const VersionedItem& seen,
                                        Item item, std::string label) const {
  if (Result<void> fits = CheckKey(seen, item); !fits) {
    transaction.Refuse(std::move(fits).error());
    return seen;
  }
  const Item key = KeyOf(versioning_.layout(), seen.item).value_or(Item());
  const WriteStamp stamp = MakeStamp(transaction.idempotency(), key);
  if (stamp.of_token && versioning_.Carries(seen.item, stamp.write_id)) {
    transaction.WasCommitted();
    return seen;
  }
  transaction.Patch({.table = versioning_.layout(),
                     .key = key,
                     .update = versioning_.Changes(seen, item, stamp),
                     .condition = versioning_.Unchanged(seen.revision),
                     .label = std::move(label)});
  Recognise(transaction, stamp);
  return versioning_.Read(versioning_.Stamped(std::move(item), &seen, stamp));
}

void VersionedItems::PatchIn(Transaction& transaction, const Item& key, const Update& update,
                             const Condition& condition, std::string label) const {
  const WriteStamp stamp = MakeStamp(transaction.idempotency(), key);
  const auto action = [=, this](const VersionedItem* full) -> UpdateAction {
    return {.table = versioning_.layout(),
            .key = key,
            .update = PatchChanges(update, stamp, full),
            .condition = NotExpired(versioning_.layout(), stamp.at) &&
                         PatchCondition(condition, stamp, full),
            .label = label};
  };
  transaction.Patch(action(nullptr));
  Recognise(transaction, stamp, [versioning = versioning_, action](const Item& current) {
    const VersionedItem full = versioning.Read(current);
    return versioning.IsFull(current) ? std::optional(action(&full)) : std::nullopt;
  });
}

void VersionedItems::Recognise(
    Transaction& transaction, const WriteStamp& stamp,
    std::function<std::optional<UpdateAction>(const Item&)> otherwise) const {
  if (stamp.of_token) {
    transaction.RecogniseBy([versioning = versioning_, id = stamp.write_id](
                                const Item& item) { return versioning.Carries(item, id); },
                            std::move(otherwise));
  }
}

void VersionedItems::RemoveIn(Transaction& transaction, const VersionedItem& seen,
                              std::string label) const {
  transaction.Remove({.table = versioning_.layout(),
                      .key = KeyOf(versioning_.layout(), seen.item).value_or(Item()),
                      .condition = versioning_.Unchanged(seen.revision),
                      .label = std::move(label)});
}

void VersionedItems::RequireIn(Transaction& transaction, const VersionedItem& seen,
                               std::string label) const {
  transaction.Require({.table = versioning_.layout(),
                       .key = KeyOf(versioning_.layout(), seen.item).value_or(Item()),
                       .condition = versioning_.Unchanged(seen.revision),
                       .label = std::move(label)});
}

}  // namespace stator::patterns

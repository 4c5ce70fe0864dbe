#include "stator/patterns/counted.h"

#include <utility>

namespace stator::patterns {

namespace {

UpdateAction Counting(const Counted& counted, std::int64_t by) {
  return {.table = counted.counter_table,
          .key = counted.counter_key,
          .update = Update().Add(counted.counter_attribute, by),
          .label = "counter"};
}

}  // namespace

void AddCountedInsert(Transaction& transaction, const Counted& counted) {
  transaction.Insert({.table = counted.table, .item = counted.item, .label = "item"});
  transaction.PatchOrInsert(Counting(counted, counted.count));
}

void AddCountedRemove(Transaction& transaction, const Counted& counted) {
  Result<Item> key = KeyOf(counted.table, counted.item);
  if (!key) {
    transaction.Refuse(std::move(key).error());
    return;
  }
  transaction.Remove({.table = counted.table,
                      .key = *std::move(key),
                      .condition = ItemExists(counted.table),
                      .label = "item"});
  transaction.Patch(Counting(counted, -counted.count));
}

Result<Committed> CountedInsert(Database& database, Idempotency idempotency, const Counted& counted,
                                const Environment& environment) {
  Transaction transaction(database, std::move(idempotency), {}, environment);
  AddCountedInsert(transaction, counted);
  return transaction.Commit();
}

Result<Committed> CountedRemove(Database& database, Idempotency idempotency, const Counted& counted,
                                const Environment& environment) {
  Transaction transaction(database, std::move(idempotency), {}, environment);
  AddCountedRemove(transaction, counted);
  return transaction.Commit();
}

}  // namespace stator::patterns

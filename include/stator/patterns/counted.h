// An item together with the counter that counts it, in one transaction, so that they cannot
// disagree.
//
//   const Result<Committed> outcome = CountedInsert(
//       database, Idempotency::Token(request_id),
//       {.table = kPosts, .item = post, .counter_table = kUsers, .counter_key = {{"pk", "ann"}},
//        .counter_attribute = "posts"});
//
// The actions are labelled "item" and "counter": outcome.error().Find("item") tells that the item
// was there already, or was not. The counter's item is made by the first insert; a remove wants it
// to exist.

#pragma once

#include <cstdint>
#include <string>

#include "stator/api/database_interface.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/idempotency.h"
#include "stator/patterns/table_layout.h"
#include "stator/patterns/transaction.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

struct Counted {
  TableLayout table;
  Item item;  // of a remove, its key is enough
  TableLayout counter_table;
  Item counter_key;
  std::string counter_attribute;
  std::int64_t count = 1;
};

[[nodiscard]] Result<Committed> CountedInsert(Database& database, Idempotency idempotency,
                                              const Counted& counted,
                                              const Environment& environment = {});
[[nodiscard]] Result<Committed> CountedRemove(Database& database, Idempotency idempotency,
                                              const Counted& counted,
                                              const Environment& environment = {});

// The same as parts of a larger transaction.
void AddCountedInsert(Transaction& transaction, const Counted& counted);
void AddCountedRemove(Transaction& transaction, const Counted& counted);

}  // namespace stator::patterns

// The writes of a transaction, all or none: for TransactWriteItems and ExecuteTransaction.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine_core.h"
#include "engine/item_action.h"
#include "engine/pending_write.h"
#include "engine/writer_view.h"
#include "stator/api/common.h"
#include "stator/base/result.h"

namespace stator::engine {

struct TransactPlan {
  std::vector<ItemAction> actions;  // each on an item of its own
  // What its repetition is known by (engine/idempotency.h); both or none.
  std::optional<std::string> token;
  std::string digest;
  bool is_heavy = false;
};

// Whether it takes long to decide. `bytes` are those of its items.
void Weigh(std::size_t bytes, TransactPlan& plan);

struct TransactOutcome {
  bool was_done_before = false;
  std::vector<ConsumedCapacity> consumed_capacity;
};

// kTransactionCanceled when an action cannot be done. A repetition writes nothing.
Result<TransactOutcome> DecideTransaction(EngineCore& core, const TransactPlan& plan,
                                          ReturnConsumedCapacity wanted, WriterView& view,
                                          PendingWrite& write);

// What a transaction says when it could not have a lock in time: like a conflict that the service
// finds, by action.
Error ConflictOf(const TransactPlan& plan);

}  // namespace stator::engine

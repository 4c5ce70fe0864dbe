// The operations that write items, each in two halves. Plan... looks at the request, finds tables
// and keys, and needs no lock; Decide... reads what is there, under the locks, and fills in the
// write. Both may be called again when a schema was replaced in between; call.h has what happens
// around them.
//
// A plan borrows from its input.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core.h"
#include "engine/key_table.h"
#include "engine/pending_write.h"
#include "engine/writer_view.h"
#include "expression/condition.h"
#include "expression/update.h"
#include "stator/api/database.h"

namespace stator::engine {

// Of PutItem, UpdateItem and DeleteItem.
struct ItemPlan {
  std::optional<expression::Condition> condition;
  std::optional<expression::Update> update;
  TablePtr table;
  std::string item_key;
};

// One write of a batch, found and checked.
struct BatchWrite {
  const std::string* table_name;  // as the request has it
  const Table* table;
  std::string item_key;
  const Item* key;   // the key of a delete, the whole item of a put
  const Item* item;  // null for a delete
};

struct BatchPlan {
  std::vector<TablePtr> tables;
  std::vector<BatchWrite> writes;
  bool is_heavy = false;
};

enum class ActionKind : std::uint8_t { kCheck, kPut, kDelete, kUpdate };

// One action of a transaction, in one form for all kinds.
struct TransactAction {
  ActionKind kind = ActionKind::kCheck;
  const std::string* table_name = nullptr;
  const Item* key = nullptr;  // the key, or the whole item of a put
  std::optional<expression::Condition> condition;
  std::optional<expression::Update> update;
  ReturnValuesOnConditionCheckFailure on_failure = ReturnValuesOnConditionCheckFailure::kNone;

  TablePtr table;
  std::string item_key;
};

struct TransactPlan {
  std::vector<TransactAction> actions;
  std::optional<std::uint64_t> token_lock;
  std::string digest;  // of the request, when it has a token
  bool is_heavy = false;
};

// Whether so many bytes of items, with so many indexes, take long to decide.
inline bool IsHeavy(std::size_t bytes, std::size_t indexes) {
  constexpr std::size_t kHeavyBytes = 1 << 20;
  return bytes * (1 + indexes) > kHeavyBytes;
}

Result<ItemPlan> PlanPutItem(Core& core, const PutItemInput& input);
Result<PutItemOutput> DecidePutItem(Core& core, const PutItemInput& input, const ItemPlan& plan,
                                    WriterView& view, PendingWrite& write);
Result<ItemPlan> PlanUpdateItem(Core& core, const UpdateItemInput& input);
Result<UpdateItemOutput> DecideUpdateItem(Core& core, const UpdateItemInput& input,
                                          const ItemPlan& plan, WriterView& view,
                                          PendingWrite& write);
Result<ItemPlan> PlanDeleteItem(Core& core, const DeleteItemInput& input);
Result<DeleteItemOutput> DecideDeleteItem(Core& core, const DeleteItemInput& input,
                                          const ItemPlan& plan, WriterView& view,
                                          PendingWrite& write);
Result<BatchPlan> PlanBatchWriteItem(Core& core, const BatchWriteItemInput& input);
Result<BatchWriteItemOutput> DecideBatchWriteItem(Core& core, const BatchWriteItemInput& input,
                                                  const BatchPlan& plan, WriterView& view,
                                                  PendingWrite& write);
Result<TransactPlan> PlanTransactWriteItems(Core& core, const TransactWriteItemsInput& input);
Result<TransactWriteItemsOutput> DecideTransactWriteItems(Core& core,
                                                          const TransactWriteItemsInput& input,
                                                          const TransactPlan& plan,
                                                          WriterView& view, PendingWrite& write);

// What a transaction says when it could not have a lock in time: like a conflict that the service
// finds, by action.
Error ConflictOf(const TransactPlan& plan);

}  // namespace stator::engine

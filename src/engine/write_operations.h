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

#include "engine/engine_core.h"
#include "engine/key_table.h"
#include "engine/pending_write.h"
#include "engine/statement_action.h"
#include "engine/transaction_writes.h"
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
  std::size_t item_bytes = 0;  // of all of them (value/size.h)
  bool is_heavy = false;
};

// Of ExecuteStatement.
using StatementPlan = StatementAction;

// Of BatchExecuteStatement: its statements that could be planned, and the answers to the others.
struct StatementBatchPlan {
  std::vector<std::optional<StatementAction>> members;  // in the order of the request
  std::vector<BatchStatementResponse> responses;
  bool is_heavy = false;
};

// Whether so many bytes of items, with so many indexes, take long to decide.
inline bool IsHeavy(std::size_t bytes, std::size_t indexes) {
  constexpr std::size_t kHeavyBytes = 1 << 20;
  return bytes * (1 + indexes) > kHeavyBytes;
}

Result<ItemPlan> PlanPutItem(EngineCore& core, const PutItemInput& input);
Result<PutItemOutput> DecidePutItem(EngineCore& core, const PutItemInput& input,
                                    const ItemPlan& plan, WriterView& view, PendingWrite& write);
Result<ItemPlan> PlanUpdateItem(EngineCore& core, const UpdateItemInput& input);
Result<UpdateItemOutput> DecideUpdateItem(EngineCore& core, const UpdateItemInput& input,
                                          const ItemPlan& plan, WriterView& view,
                                          PendingWrite& write);
Result<ItemPlan> PlanDeleteItem(EngineCore& core, const DeleteItemInput& input);
Result<DeleteItemOutput> DecideDeleteItem(EngineCore& core, const DeleteItemInput& input,
                                          const ItemPlan& plan, WriterView& view,
                                          PendingWrite& write);
Result<BatchPlan> PlanBatchWriteItem(EngineCore& core, const BatchWriteItemInput& input);
Result<BatchWriteItemOutput> DecideBatchWriteItem(EngineCore& core,
                                                  const BatchWriteItemInput& input,
                                                  const BatchPlan& plan, WriterView& view,
                                                  PendingWrite& write);
Result<TransactPlan> PlanTransactWriteItems(EngineCore& core, const TransactWriteItemsInput& input);
Result<TransactWriteItemsOutput> DecideTransactWriteItems(EngineCore& core,
                                                          const TransactWriteItemsInput& input,
                                                          const TransactPlan& plan,
                                                          WriterView& view, PendingWrite& write);

// Statements may turn out to be reads, which are answered at once and wait for nobody: Read...
// checks the request, and says nothing about one that writes. What it has checked Plan... need not.
Result<std::optional<ExecuteStatementOutput>> ReadExecuteStatement(
    EngineCore& core, const ExecuteStatementInput& input);
Result<StatementPlan> PlanExecuteStatement(EngineCore& core, const ExecuteStatementInput& input);
Result<ExecuteStatementOutput> DecideExecuteStatement(EngineCore& core,
                                                      const ExecuteStatementInput& input,
                                                      const StatementPlan& plan, WriterView& view,
                                                      PendingWrite& write);
Result<std::optional<BatchExecuteStatementOutput>> ReadBatchExecuteStatement(
    EngineCore& core, const BatchExecuteStatementInput& input);
Result<StatementBatchPlan> PlanBatchExecuteStatement(EngineCore& core,
                                                     const BatchExecuteStatementInput& input);
Result<BatchExecuteStatementOutput> DecideBatchExecuteStatement(
    EngineCore& core, const BatchExecuteStatementInput& input, const StatementBatchPlan& plan,
    WriterView& view, PendingWrite& write);
Result<std::optional<ExecuteTransactionOutput>> ReadExecuteTransaction(
    EngineCore& core, const ExecuteTransactionInput& input);
Result<TransactPlan> PlanExecuteTransaction(EngineCore& core, const ExecuteTransactionInput& input);
Result<ExecuteTransactionOutput> DecideExecuteTransaction(EngineCore& core,
                                                          const ExecuteTransactionInput& input,
                                                          const TransactPlan& plan,
                                                          WriterView& view, PendingWrite& write);

// By input and output; null for what always writes.
template <class Input, class Output>
using Reader = Result<std::optional<Output>> (*)(EngineCore&, const Input&);
template <class Input, class Output>
inline constexpr Reader<Input, Output> kReader = nullptr;
template <>
inline constexpr Reader<ExecuteStatementInput, ExecuteStatementOutput>
    kReader<ExecuteStatementInput, ExecuteStatementOutput> = ReadExecuteStatement;
template <>
inline constexpr Reader<BatchExecuteStatementInput, BatchExecuteStatementOutput>
    kReader<BatchExecuteStatementInput, BatchExecuteStatementOutput> = ReadBatchExecuteStatement;
template <>
inline constexpr Reader<ExecuteTransactionInput, ExecuteTransactionOutput>
    kReader<ExecuteTransactionInput, ExecuteTransactionOutput> = ReadExecuteTransaction;

}  // namespace stator::engine

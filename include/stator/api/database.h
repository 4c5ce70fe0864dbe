// Database: DynamoDB's operations as C++ functions, wherever the data live. The embedded engine and
// the client of a remote endpoint both implement it; programs and stores are written against it.
//
//   const auto written = database.PutItem({
//       .table_name = "tasks",
//       .item = {{"pk", "task#1"}, {"attempts", 3}},
//       .condition_expression = "attribute_not_exists(pk)",
//   });
//   if (!written && written.error().code == ErrorCode::kConditionFailed) { ... }
//
// The operations are listed in stator/api/operations.inc, each with its methods below.
//
// COST: an object of this class owns the store or the connections; make one and share it.
// THREADS: every method may be called from many threads at once.
// ERRORS: Result carries DynamoDB's message; the code is for branching (base/result.h).
// RETRIES: the embedded engine has nothing to retry. A client repeats only what is safe to repeat;
// a write whose outcome cannot be known fails with kAmbiguous.

#pragma once

#include <functional>

#include "stator/api/account.h"
#include "stator/api/backups.h"
#include "stator/api/batch_execute_statement.h"
#include "stator/api/batch_get_item.h"
#include "stator/api/batch_write_item.h"
#include "stator/api/checkpoints.h"
#include "stator/api/continuous_backups.h"
#include "stator/api/contributor_insights.h"
#include "stator/api/create_table.h"
#include "stator/api/delete_item.h"
#include "stator/api/delete_table.h"
#include "stator/api/describe_table.h"
#include "stator/api/error_details.h"
#include "stator/api/execute_statement.h"
#include "stator/api/execute_transaction.h"
#include "stator/api/exports.h"
#include "stator/api/get_item.h"
#include "stator/api/imports.h"
#include "stator/api/kinesis_streaming.h"
#include "stator/api/list_tables.h"
#include "stator/api/put_item.h"
#include "stator/api/query.h"
#include "stator/api/resource_policy.h"
#include "stator/api/restore_table.h"
#include "stator/api/rewind_table.h"
#include "stator/api/scan.h"
#include "stator/api/streams.h"
#include "stator/api/tags.h"
#include "stator/api/time_to_live.h"
#include "stator/api/transact_get_items.h"
#include "stator/api/transact_write_items.h"
#include "stator/api/update_item.h"
#include "stator/api/update_table.h"
#include "stator/base/result.h"

namespace stator {

// Called exactly once, with the outcome.
template <class Output>
using Completion = std::move_only_function<void(Result<Output>)>;

class Database {
 public:
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database();

  // A method for each operation:
  //
  //   virtual Result<GetItemOutput> GetItem(const GetItemInput& input);
  //
  // Whoever derives from Database overrides those that it has. The others fail with
  // kUnknownOperation, so that an operation more is no work for anybody.
#define STATOR_OPERATION(Name, ...) virtual Result<Name##Output> Name(const Name##Input& input);
#include "stator/api/operations.inc"

  // The writes of items have a second one, which does not wait for the disk:
  //
  //   virtual void StartPutItem(const PutItemInput& input, Completion<PutItemOutput> done);
  //
  // `done` is called when the write is durable, or has failed, perhaps before the call returns and
  // perhaps on another thread, where it must not block. `input` is read only during the call. A
  // home without such a path waits.
#define STATOR_ITEM_WRITE(Name, ...) \
  virtual void Start##Name(const Name##Input& input, Completion<Name##Output> done);
#include "stator/api/operations.inc"

 protected:
  Database() = default;
};

}  // namespace stator

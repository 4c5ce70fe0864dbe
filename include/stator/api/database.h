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

#include "stator/api/account.h"
#include "stator/api/backups.h"
#include "stator/api/batch_execute_statement.h"
#include "stator/api/batch_get_item.h"
#include "stator/api/batch_write_item.h"
#include "stator/api/checkpoints.h"
#include "stator/api/continuous_backups.h"
#include "stator/api/contributor_insights.h"
#include "stator/api/create_table.h"
#include "stator/api/database_interface.h"
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

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
// COST: an object of this class owns the store or the connections; make one and share it.
// THREADS: every method may be called from many threads at once.
// ERRORS: Result carries DynamoDB's message; the code is for branching (base/result.h).
// RETRIES: the embedded engine has nothing to retry. A client repeats only what is safe to repeat;
// a write whose outcome cannot be known fails with kAmbiguous.

#pragma once

#include <functional>

#include "stator/api/account.h"
#include "stator/api/batch_get_item.h"
#include "stator/api/batch_write_item.h"
#include "stator/api/continuous_backups.h"
#include "stator/api/create_table.h"
#include "stator/api/delete_item.h"
#include "stator/api/delete_table.h"
#include "stator/api/describe_table.h"
#include "stator/api/error_details.h"
#include "stator/api/get_item.h"
#include "stator/api/list_tables.h"
#include "stator/api/put_item.h"
#include "stator/api/query.h"
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
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database() = default;

  // Items.
  virtual Result<PutItemOutput> PutItem(const PutItemInput& input) = 0;
  virtual Result<GetItemOutput> GetItem(const GetItemInput& input) = 0;
  virtual Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) = 0;
  virtual Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input) = 0;
  virtual Result<QueryOutput> Query(const QueryInput& input) = 0;
  virtual Result<ScanOutput> Scan(const ScanInput& input) = 0;
  virtual Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) = 0;
  virtual Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) = 0;
  virtual Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) = 0;
  virtual Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) = 0;

  // Tables.
  virtual Result<CreateTableOutput> CreateTable(const CreateTableInput& input) = 0;
  virtual Result<UpdateTableOutput> UpdateTable(const UpdateTableInput& input) = 0;
  virtual Result<DeleteTableOutput> DeleteTable(const DeleteTableInput& input) = 0;
  virtual Result<DescribeTableOutput> DescribeTable(const DescribeTableInput& input) = 0;
  virtual Result<ListTablesOutput> ListTables(const ListTablesInput& input) = 0;
  virtual Result<UpdateTimeToLiveOutput> UpdateTimeToLive(const UpdateTimeToLiveInput& input) = 0;
  virtual Result<DescribeTimeToLiveOutput> DescribeTimeToLive(
      const DescribeTimeToLiveInput& input) = 0;
  virtual Result<TagResourceOutput> TagResource(const TagResourceInput& input) = 0;
  virtual Result<UntagResourceOutput> UntagResource(const UntagResourceInput& input) = 0;
  virtual Result<ListTagsOfResourceOutput> ListTagsOfResource(
      const ListTagsOfResourceInput& input) = 0;
  virtual Result<UpdateContinuousBackupsOutput> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) = 0;
  virtual Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
      const DescribeContinuousBackupsInput& input) = 0;

  // Streams.
  virtual Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input) = 0;
  virtual Result<DescribeStreamOutput> DescribeStream(const DescribeStreamInput& input) = 0;
  virtual Result<GetShardIteratorOutput> GetShardIterator(const GetShardIteratorInput& input) = 0;
  virtual Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) = 0;

  // The account.
  virtual Result<DescribeLimitsOutput> DescribeLimits(const DescribeLimitsInput& input) = 0;
  virtual Result<DescribeEndpointsOutput> DescribeEndpoints(
      const DescribeEndpointsInput& input) = 0;

  // The item writes without waiting for the disk: `done` is called when the write is durable, or
  // has failed, perhaps before the call returns and perhaps on another thread, where it must not
  // block. `input` is read only during the call. A home without such a path waits.
  virtual void StartPutItem(const PutItemInput& input, Completion<PutItemOutput> done) {
    done(PutItem(input));
  }
  virtual void StartUpdateItem(const UpdateItemInput& input, Completion<UpdateItemOutput> done) {
    done(UpdateItem(input));
  }
  virtual void StartDeleteItem(const DeleteItemInput& input, Completion<DeleteItemOutput> done) {
    done(DeleteItem(input));
  }
  virtual void StartBatchWriteItem(const BatchWriteItemInput& input,
                                   Completion<BatchWriteItemOutput> done) {
    done(BatchWriteItem(input));
  }
  virtual void StartTransactWriteItems(const TransactWriteItemsInput& input,
                                       Completion<TransactWriteItemsOutput> done) {
    done(TransactWriteItems(input));
  }
};

}  // namespace stator

// The embedded engine: Database on a store in this process.
//
// COST: opening reads the catalog, not the data. One engine owns its directory; nobody else can
// open it meanwhile.
// THREADS: as Database says. Readers never wait for writers. Writers of one item wait for each
// other while they decide, not for the disk in between: each builds on what the one before has
// queued.

#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "engine/arn.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

struct EngineOptions {
  storage::StoreOptions store;
  Account account = {};
  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();
  // How long a write waits, all in all, for others on the same items before it fails with
  // TransactionConflict, and for a disk that does not keep up before it fails with kUnavailable.
  std::chrono::milliseconds lock_wait_max{5000};
  // How often expired items are looked for, old stream records removed, and so on. Zero: only when
  // RunHousekeeping is called.
  std::chrono::milliseconds housekeeping_interval{1000};
};

class Engine final : public Database {
 public:
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options);
  ~Engine() override;

  Result<PutItemOutput> PutItem(const PutItemInput& input) override;
  Result<GetItemOutput> GetItem(const GetItemInput& input) override;
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override;
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input) override;
  Result<QueryOutput> Query(const QueryInput& input) override;
  Result<ScanOutput> Scan(const ScanInput& input) override;
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override;
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override;
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) override;
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override;

  Result<CreateTableOutput> CreateTable(const CreateTableInput& input) override;
  Result<UpdateTableOutput> UpdateTable(const UpdateTableInput& input) override;
  Result<DeleteTableOutput> DeleteTable(const DeleteTableInput& input) override;
  Result<DescribeTableOutput> DescribeTable(const DescribeTableInput& input) override;
  Result<ListTablesOutput> ListTables(const ListTablesInput& input) override;
  Result<UpdateTimeToLiveOutput> UpdateTimeToLive(const UpdateTimeToLiveInput& input) override;
  Result<DescribeTimeToLiveOutput> DescribeTimeToLive(
      const DescribeTimeToLiveInput& input) override;
  Result<TagResourceOutput> TagResource(const TagResourceInput& input) override;
  Result<UntagResourceOutput> UntagResource(const UntagResourceInput& input) override;
  Result<ListTagsOfResourceOutput> ListTagsOfResource(
      const ListTagsOfResourceInput& input) override;
  Result<UpdateContinuousBackupsOutput> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) override;
  Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
      const DescribeContinuousBackupsInput& input) override;

  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input) override;
  Result<DescribeStreamOutput> DescribeStream(const DescribeStreamInput& input) override;
  Result<GetShardIteratorOutput> GetShardIterator(const GetShardIteratorInput& input) override;
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) override;

  Result<DescribeLimitsOutput> DescribeLimits(const DescribeLimitsInput& input) override;
  Result<DescribeEndpointsOutput> DescribeEndpoints(const DescribeEndpointsInput& input) override;

  void StartPutItem(const PutItemInput& input, Completion<PutItemOutput> done) override;
  void StartUpdateItem(const UpdateItemInput& input, Completion<UpdateItemOutput> done) override;
  void StartDeleteItem(const DeleteItemInput& input, Completion<DeleteItemOutput> done) override;
  void StartBatchWriteItem(const BatchWriteItemInput& input,
                           Completion<BatchWriteItemOutput> done) override;
  void StartTransactWriteItems(const TransactWriteItemsInput& input,
                               Completion<TransactWriteItemsOutput> done) override;

  // One round of housekeeping now: expired items, old stream records, old tokens.
  Result<void> RunHousekeeping();
  // Returns when the jobs behind schema changes are done: back-fill, clean-up.
  void AwaitBackgroundJobs();

  // Good, or why writes are refused.
  [[nodiscard]] Result<void> Health() const;
  [[nodiscard]] storage::StoreStatistics StoreStatistics() const;
  // No write holds a lock, waits, or is on its way to the disk. For tests.
  [[nodiscard]] bool IsQuiet() const;

  // Finishes what was begun, saves statistics, gives the directory free. The destructor does it
  // too, but cannot report.
  Result<void> Close();

 private:
  struct State;

  explicit Engine(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace stator::engine

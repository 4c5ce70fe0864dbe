// ForwardingDatabase: a Database in front of another one. It passes every call on; what derives
// from it overrides the calls that it wants to see, to count, to fail or to change.
//
//   class CountingDatabase final : public ForwardingDatabase {
//    public:
//     using ForwardingDatabase::ForwardingDatabase;
//     Result<GetItemOutput> GetItem(const GetItemInput& input) override {
//       ++reads;
//       return ForwardingDatabase::GetItem(input);
//     }
//     std::atomic<int> reads = 0;
//   };
//
// The Start... forms are not passed on but made of the plain calls, as in Database: whoever
// overrides PutItem sees every PutItem. The price is that they wait.
// THREADS: as the database behind it.

#pragma once

#include "stator/api/database.h"

namespace stator {

class ForwardingDatabase : public Database {
 public:
  // Does not own `next`, which must outlive this object.
  explicit ForwardingDatabase(Database& next) : next_(&next) {}

  // Items.
  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    return next_->PutItem(input);
  }
  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    return next_->GetItem(input);
  }
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override {
    return next_->UpdateItem(input);
  }
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input) override {
    return next_->DeleteItem(input);
  }
  Result<QueryOutput> Query(const QueryInput& input) override { return next_->Query(input); }
  Result<ScanOutput> Scan(const ScanInput& input) override { return next_->Scan(input); }
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    return next_->BatchGetItem(input);
  }
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override {
    return next_->BatchWriteItem(input);
  }
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) override {
    return next_->TransactGetItems(input);
  }
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override {
    return next_->TransactWriteItems(input);
  }

  // Tables.
  Result<CreateTableOutput> CreateTable(const CreateTableInput& input) override {
    return next_->CreateTable(input);
  }
  Result<UpdateTableOutput> UpdateTable(const UpdateTableInput& input) override {
    return next_->UpdateTable(input);
  }
  Result<DeleteTableOutput> DeleteTable(const DeleteTableInput& input) override {
    return next_->DeleteTable(input);
  }
  Result<DescribeTableOutput> DescribeTable(const DescribeTableInput& input) override {
    return next_->DescribeTable(input);
  }
  Result<ListTablesOutput> ListTables(const ListTablesInput& input) override {
    return next_->ListTables(input);
  }
  Result<UpdateTimeToLiveOutput> UpdateTimeToLive(const UpdateTimeToLiveInput& input) override {
    return next_->UpdateTimeToLive(input);
  }
  Result<DescribeTimeToLiveOutput> DescribeTimeToLive(
      const DescribeTimeToLiveInput& input) override {
    return next_->DescribeTimeToLive(input);
  }
  Result<TagResourceOutput> TagResource(const TagResourceInput& input) override {
    return next_->TagResource(input);
  }
  Result<UntagResourceOutput> UntagResource(const UntagResourceInput& input) override {
    return next_->UntagResource(input);
  }
  Result<ListTagsOfResourceOutput> ListTagsOfResource(
      const ListTagsOfResourceInput& input) override {
    return next_->ListTagsOfResource(input);
  }
  Result<UpdateContinuousBackupsOutput> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) override {
    return next_->UpdateContinuousBackups(input);
  }
  Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
      const DescribeContinuousBackupsInput& input) override {
    return next_->DescribeContinuousBackups(input);
  }

  // Streams.
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input) override {
    return next_->ListStreams(input);
  }
  Result<DescribeStreamOutput> DescribeStream(const DescribeStreamInput& input) override {
    return next_->DescribeStream(input);
  }
  Result<GetShardIteratorOutput> GetShardIterator(const GetShardIteratorInput& input) override {
    return next_->GetShardIterator(input);
  }
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) override {
    return next_->GetRecords(input);
  }

  // The account.
  Result<DescribeLimitsOutput> DescribeLimits(const DescribeLimitsInput& input) override {
    return next_->DescribeLimits(input);
  }
  Result<DescribeEndpointsOutput> DescribeEndpoints(const DescribeEndpointsInput& input) override {
    return next_->DescribeEndpoints(input);
  }

 protected:
  [[nodiscard]] Database& next() const { return *next_; }

 private:
  Database* next_;
};

}  // namespace stator

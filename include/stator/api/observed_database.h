// ObservedDatabase: tells a function of yours about every call to the database behind it, for logs
// and metrics.
//
//   ObservedDatabase observed(*database, [&](const ObservedCall& call) {
//     histogram(call.operation).Record(call.duration);
//     if (call.error != nullptr) { Log(call.operation, call.error->message); }
//   });
//
// How often a client had to send a request is ClientOptions::on_call's to tell.
// THREADS: as the database behind it; the function is called on the thread of the call, after it.

#pragma once

#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stator/api/forwarding_database.h"
#include "stator/base/clock.h"

namespace stator {

// Good during the report only.
struct ObservedCall {
  std::string_view operation;  // "PutItem"
  Duration duration = {};
  const Error* error = nullptr;  // null on success
};

class ObservedDatabase final : public ForwardingDatabase {
 public:
  using Observer = std::function<void(const ObservedCall&)>;

  // `next` and `clock` must outlive this object.
  ObservedDatabase(Database& next, Observer observer, Clock& clock = SystemClock())
      : ForwardingDatabase(next), observer_(std::move(observer)), clock_(&clock) {}

  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    return Observe("PutItem", [&] { return ForwardingDatabase::PutItem(input); });
  }
  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    return Observe("GetItem", [&] { return ForwardingDatabase::GetItem(input); });
  }
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override {
    return Observe("UpdateItem", [&] { return ForwardingDatabase::UpdateItem(input); });
  }
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input) override {
    return Observe("DeleteItem", [&] { return ForwardingDatabase::DeleteItem(input); });
  }
  Result<QueryOutput> Query(const QueryInput& input) override {
    return Observe("Query", [&] { return ForwardingDatabase::Query(input); });
  }
  Result<ScanOutput> Scan(const ScanInput& input) override {
    return Observe("Scan", [&] { return ForwardingDatabase::Scan(input); });
  }
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    return Observe("BatchGetItem", [&] { return ForwardingDatabase::BatchGetItem(input); });
  }
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override {
    return Observe("BatchWriteItem", [&] { return ForwardingDatabase::BatchWriteItem(input); });
  }
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) override {
    return Observe("TransactGetItems", [&] { return ForwardingDatabase::TransactGetItems(input); });
  }
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override {
    return Observe("TransactWriteItems",
                   [&] { return ForwardingDatabase::TransactWriteItems(input); });
  }
  Result<CreateTableOutput> CreateTable(const CreateTableInput& input) override {
    return Observe("CreateTable", [&] { return ForwardingDatabase::CreateTable(input); });
  }
  Result<UpdateTableOutput> UpdateTable(const UpdateTableInput& input) override {
    return Observe("UpdateTable", [&] { return ForwardingDatabase::UpdateTable(input); });
  }
  Result<DeleteTableOutput> DeleteTable(const DeleteTableInput& input) override {
    return Observe("DeleteTable", [&] { return ForwardingDatabase::DeleteTable(input); });
  }
  Result<DescribeTableOutput> DescribeTable(const DescribeTableInput& input) override {
    return Observe("DescribeTable", [&] { return ForwardingDatabase::DescribeTable(input); });
  }
  Result<ListTablesOutput> ListTables(const ListTablesInput& input) override {
    return Observe("ListTables", [&] { return ForwardingDatabase::ListTables(input); });
  }
  Result<UpdateTimeToLiveOutput> UpdateTimeToLive(const UpdateTimeToLiveInput& input) override {
    return Observe("UpdateTimeToLive", [&] { return ForwardingDatabase::UpdateTimeToLive(input); });
  }
  Result<DescribeTimeToLiveOutput> DescribeTimeToLive(
      const DescribeTimeToLiveInput& input) override {
    return Observe("DescribeTimeToLive",
                   [&] { return ForwardingDatabase::DescribeTimeToLive(input); });
  }
  Result<TagResourceOutput> TagResource(const TagResourceInput& input) override {
    return Observe("TagResource", [&] { return ForwardingDatabase::TagResource(input); });
  }
  Result<UntagResourceOutput> UntagResource(const UntagResourceInput& input) override {
    return Observe("UntagResource", [&] { return ForwardingDatabase::UntagResource(input); });
  }
  Result<ListTagsOfResourceOutput> ListTagsOfResource(
      const ListTagsOfResourceInput& input) override {
    return Observe("ListTagsOfResource",
                   [&] { return ForwardingDatabase::ListTagsOfResource(input); });
  }
  Result<UpdateContinuousBackupsOutput> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) override {
    return Observe("UpdateContinuousBackups",
                   [&] { return ForwardingDatabase::UpdateContinuousBackups(input); });
  }
  Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
      const DescribeContinuousBackupsInput& input) override {
    return Observe("DescribeContinuousBackups",
                   [&] { return ForwardingDatabase::DescribeContinuousBackups(input); });
  }
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input) override {
    return Observe("ListStreams", [&] { return ForwardingDatabase::ListStreams(input); });
  }
  Result<DescribeStreamOutput> DescribeStream(const DescribeStreamInput& input) override {
    return Observe("DescribeStream", [&] { return ForwardingDatabase::DescribeStream(input); });
  }
  Result<GetShardIteratorOutput> GetShardIterator(const GetShardIteratorInput& input) override {
    return Observe("GetShardIterator", [&] { return ForwardingDatabase::GetShardIterator(input); });
  }
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) override {
    return Observe("GetRecords", [&] { return ForwardingDatabase::GetRecords(input); });
  }
  Result<DescribeLimitsOutput> DescribeLimits(const DescribeLimitsInput& input) override {
    return Observe("DescribeLimits", [&] { return ForwardingDatabase::DescribeLimits(input); });
  }
  Result<DescribeEndpointsOutput> DescribeEndpoints(const DescribeEndpointsInput& input) override {
    return Observe("DescribeEndpoints",
                   [&] { return ForwardingDatabase::DescribeEndpoints(input); });
  }

 private:
  template <class Call>
  std::invoke_result_t<Call> Observe(std::string_view operation, Call call) {
    const Duration start = clock_->Elapsed();
    std::invoke_result_t<Call> result = call();
    observer_({.operation = operation,
               .duration = clock_->Elapsed() - start,
               .error = result ? nullptr : &result.error()});
    return result;
  }

  Observer observer_;
  Clock* clock_;
};

}  // namespace stator

// Database over HTTP: any endpoint that speaks DynamoDB's protocol. Each operation is one message
// (wire/messages.h) sent by a RequestSender.
//
// THREADS: every method may be called from many threads at once; each call in flight has a
// connection of its own, which later calls use again.
// ERRORS: those of the endpoint, with its words; kUnavailable, kTimeout, kIo when it cannot be
// reached; kAmbiguous for a write whose answer was lost (client/repetition.h).

#pragma once

#include <memory>
#include <string_view>

#include "client/request_sender.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/client/options.h"

namespace stator::client {

class Client final : public Database {
 public:
  explicit Client(RequestSender::Parts parts);

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

 private:
  template <class Output, class Input>
  Result<Output> Send(std::string_view target, const Input& input);

  Random& random_;
  RequestSender sender_;
};

// A client of the endpoint that `location` names (client/endpoints.h), with the credentials of the
// usual chain unless the options have some. Nothing is sent before the first call.
// Fails with kValidation for a location or an environment that makes no sense.
Result<std::unique_ptr<Database>> Connect(std::string_view location, const ClientOptions& options,
                                          Clock& clock, Random& random);

}  // namespace stator::client

// For tests: a Database that remembers what it was asked and gives the answers that it was told to
// give, and a client that talks to it through the protocol.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "stator/api/database.h"
#include "wire/exchange.h"
#include "wire/handler.h"

namespace stator::wire {

class FakeDatabase : public Database {
 public:
  FakeDatabase();
  ~FakeDatabase() override;

  // The last input of that type; null when there was none.
  template <class Input>
  const Input* Last() const {
    const std::optional<Input>& input = std::get<std::optional<Input>>(inputs_);
    return input ? &*input : nullptr;
  }

  // What the operation with that output answers from now on.
  template <class Output>
  void Script(Result<Output> output) {
    std::get<Result<Output>>(outputs_) = std::move(output);
  }
  template <class Output>
  void Script(Output output) {
    Script<Output>(Result<Output>(std::move(output)));
  }

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
  Result<Output> Play(const Input& input);

  template <class... Types>
  using Inputs = std::tuple<std::optional<Types>...>;
  template <class... Types>
  using Outputs = std::tuple<Result<Types>...>;

  Inputs<PutItemInput, GetItemInput, UpdateItemInput, DeleteItemInput, QueryInput, ScanInput,
         BatchGetItemInput, BatchWriteItemInput, TransactGetItemsInput, TransactWriteItemsInput,
         CreateTableInput, UpdateTableInput, DeleteTableInput, DescribeTableInput, ListTablesInput,
         UpdateTimeToLiveInput, DescribeTimeToLiveInput, TagResourceInput, UntagResourceInput,
         ListTagsOfResourceInput, UpdateContinuousBackupsInput, DescribeContinuousBackupsInput,
         ListStreamsInput, DescribeStreamInput, GetShardIteratorInput, GetRecordsInput,
         DescribeLimitsInput, DescribeEndpointsInput>
      inputs_;
  Outputs<PutItemOutput, GetItemOutput, UpdateItemOutput, DeleteItemOutput, QueryOutput, ScanOutput,
          BatchGetItemOutput, BatchWriteItemOutput, TransactGetItemsOutput,
          TransactWriteItemsOutput, CreateTableOutput, UpdateTableOutput, DeleteTableOutput,
          DescribeTableOutput, ListTablesOutput, UpdateTimeToLiveOutput, DescribeTimeToLiveOutput,
          TagResourceOutput, UntagResourceOutput, ListTagsOfResourceOutput,
          UpdateContinuousBackupsOutput, DescribeContinuousBackupsOutput, ListStreamsOutput,
          DescribeStreamOutput, GetShardIteratorOutput, GetRecordsOutput, DescribeLimitsOutput,
          DescribeEndpointsOutput>
      outputs_;
};

// Sends bodies to a fake and gives back what a client would see.
class FakeServer {
 public:
  FakeDatabase& database() { return database_; }

  Answer Send(std::string_view target, std::string_view body, const Caller& caller = {});

  // The body of the answer to DynamoDB_20120810.<operation>.
  std::string Ask(std::string_view operation, std::string_view body);
  std::string AskStreams(std::string_view operation, std::string_view body);

  // What the database was told by that request; null when the request did not come so far.
  template <class Input>
  const Input* Decode(std::string_view operation, std::string_view body) {
    const Answer answer = Send("DynamoDB_20120810." + std::string(operation), body);
    return answer.status == 200 ? database_.Last<Input>() : nullptr;
  }

 private:
  FakeDatabase database_;
  DatabaseHandler handler_{database_};
};

// {"__type":"com.amazon.coral.validate#ValidationException","message":"..."}
std::string ValidationBody(std::string_view message);

// {"__type":"com.amazon.coral.service#SerializationException","Message":"..."}
std::string SerializationBody(std::string_view message);

}  // namespace stator::wire

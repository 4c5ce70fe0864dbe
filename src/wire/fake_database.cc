// For tests: what fake_database.h declares.

#include "wire/fake_database.h"

namespace stator::wire {

FakeDatabase::FakeDatabase() = default;
FakeDatabase::~FakeDatabase() = default;

template <class Output, class Input>
Result<Output> FakeDatabase::Play(const Input& input) {
  std::get<std::optional<Input>>(inputs_) = input;
  return std::get<Result<Output>>(outputs_);
}

Result<PutItemOutput> FakeDatabase::PutItem(const PutItemInput& input) {
  return Play<PutItemOutput>(input);
}

Result<GetItemOutput> FakeDatabase::GetItem(const GetItemInput& input) {
  return Play<GetItemOutput>(input);
}

Result<UpdateItemOutput> FakeDatabase::UpdateItem(const UpdateItemInput& input) {
  return Play<UpdateItemOutput>(input);
}

Result<DeleteItemOutput> FakeDatabase::DeleteItem(const DeleteItemInput& input) {
  return Play<DeleteItemOutput>(input);
}

Result<QueryOutput> FakeDatabase::Query(const QueryInput& input) {
  return Play<QueryOutput>(input);
}

Result<ScanOutput> FakeDatabase::Scan(const ScanInput& input) {
  return Play<ScanOutput>(input);
}

Result<BatchGetItemOutput> FakeDatabase::BatchGetItem(const BatchGetItemInput& input) {
  return Play<BatchGetItemOutput>(input);
}

Result<BatchWriteItemOutput> FakeDatabase::BatchWriteItem(const BatchWriteItemInput& input) {
  return Play<BatchWriteItemOutput>(input);
}

Result<TransactGetItemsOutput> FakeDatabase::TransactGetItems(const TransactGetItemsInput& input) {
  return Play<TransactGetItemsOutput>(input);
}

Result<TransactWriteItemsOutput> FakeDatabase::TransactWriteItems(
    const TransactWriteItemsInput& input) {
  return Play<TransactWriteItemsOutput>(input);
}

Result<CreateTableOutput> FakeDatabase::CreateTable(const CreateTableInput& input) {
  return Play<CreateTableOutput>(input);
}

Result<UpdateTableOutput> FakeDatabase::UpdateTable(const UpdateTableInput& input) {
  return Play<UpdateTableOutput>(input);
}

Result<DeleteTableOutput> FakeDatabase::DeleteTable(const DeleteTableInput& input) {
  return Play<DeleteTableOutput>(input);
}

Result<DescribeTableOutput> FakeDatabase::DescribeTable(const DescribeTableInput& input) {
  return Play<DescribeTableOutput>(input);
}

Result<ListTablesOutput> FakeDatabase::ListTables(const ListTablesInput& input) {
  return Play<ListTablesOutput>(input);
}

Result<UpdateTimeToLiveOutput> FakeDatabase::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  return Play<UpdateTimeToLiveOutput>(input);
}

Result<DescribeTimeToLiveOutput> FakeDatabase::DescribeTimeToLive(
    const DescribeTimeToLiveInput& input) {
  return Play<DescribeTimeToLiveOutput>(input);
}

Result<TagResourceOutput> FakeDatabase::TagResource(const TagResourceInput& input) {
  return Play<TagResourceOutput>(input);
}

Result<UntagResourceOutput> FakeDatabase::UntagResource(const UntagResourceInput& input) {
  return Play<UntagResourceOutput>(input);
}

Result<ListTagsOfResourceOutput> FakeDatabase::ListTagsOfResource(
    const ListTagsOfResourceInput& input) {
  return Play<ListTagsOfResourceOutput>(input);
}

Result<UpdateContinuousBackupsOutput> FakeDatabase::UpdateContinuousBackups(
    const UpdateContinuousBackupsInput& input) {
  return Play<UpdateContinuousBackupsOutput>(input);
}

Result<DescribeContinuousBackupsOutput> FakeDatabase::DescribeContinuousBackups(
    const DescribeContinuousBackupsInput& input) {
  return Play<DescribeContinuousBackupsOutput>(input);
}

Result<ListStreamsOutput> FakeDatabase::ListStreams(const ListStreamsInput& input) {
  return Play<ListStreamsOutput>(input);
}

Result<DescribeStreamOutput> FakeDatabase::DescribeStream(const DescribeStreamInput& input) {
  return Play<DescribeStreamOutput>(input);
}

Result<GetShardIteratorOutput> FakeDatabase::GetShardIterator(const GetShardIteratorInput& input) {
  return Play<GetShardIteratorOutput>(input);
}

Result<GetRecordsOutput> FakeDatabase::GetRecords(const GetRecordsInput& input) {
  return Play<GetRecordsOutput>(input);
}

Result<DescribeLimitsOutput> FakeDatabase::DescribeLimits(const DescribeLimitsInput& input) {
  return Play<DescribeLimitsOutput>(input);
}

Result<DescribeEndpointsOutput> FakeDatabase::DescribeEndpoints(
    const DescribeEndpointsInput& input) {
  return Play<DescribeEndpointsOutput>(input);
}

Answer FakeServer::Send(std::string_view target, std::string_view body, const Caller& caller) {
  std::string padded(body);
  padded.append(kBodyPaddingBytes, ' ');
  std::optional<Answer> answer;
  handler_.Handle(
      {.target = target, .body = std::string_view(padded).substr(0, body.size()), .caller = caller},
      [&answer](Answer given) { answer = std::move(given); });
  return answer.value_or(Answer{.status = 0});
}

std::string FakeServer::Ask(std::string_view operation, std::string_view body) {
  return Send("DynamoDB_20120810." + std::string(operation), body).body;
}

std::string FakeServer::AskStreams(std::string_view operation, std::string_view body) {
  return Send("DynamoDBStreams_20120810." + std::string(operation), body).body;
}

std::string ValidationBody(std::string_view message) {
  return R"({"__type":"com.amazon.coral.validate#ValidationException","message":")" +
         std::string(message) + "\"}";
}

std::string SerializationBody(std::string_view message) {
  return R"({"__type":"com.amazon.coral.service#SerializationException","Message":")" +
         std::string(message) + "\"}";
}

}  // namespace stator::wire

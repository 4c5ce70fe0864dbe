#include "client/client.h"

#include <string>
#include <type_traits>
#include <utility>

#include "value/check_value.h"
#include "wire/body_parser.h"
#include "wire/messages.h"

namespace stator::client {
namespace {

template <class Output>
Result<void> ReadAnswer(std::string_view body, Output& output) {
  output = {};
  if constexpr (std::is_empty_v<Output>) {
    return {};  // TagResource and UntagResource answer nothing.
  }
  wire::BodyParser& parser = wire::BodyParser::OfThisThread();
  const Result<simdjson::dom::element> json = parser.Parse(body);
  simdjson::dom::object object;
  if (!json || json->get(object) != simdjson::SUCCESS) {
    return Fail(ErrorCode::kSerialization, "it is not JSON");
  }
  wire::Decoding decoding;
  wire::Read(object, decoding, output);
  parser.Finish();
  return decoding.FinishAnswer();
}

}  // namespace

Client::Client(RequestSender::Parts parts) : random_(*parts.random), sender_(std::move(parts)) {}

template <class Output, class Input>
Result<Output> Client::Send(std::string_view target, const Input& input) {
  std::string body;
  wire::Append(input, body);
  // Everything else the endpoint checks; this it could not even read.
  if (!value::IsUtf8(body)) {
    return Invalid("One or more parameter values were invalid: Text must be valid UTF-8");
  }
  Output output{};
  const Result<void> sent =
      sender_.Send({.target = target, .body = body, .repetition = RepetitionOf(input)},
                   [&output](std::string& answer) { return ReadAnswer(answer, output); });
  if (!sent) {
    return std::unexpected(sent.error());
  }
  return output;
}

Result<PutItemOutput> Client::PutItem(const PutItemInput& input) {
  return Send<PutItemOutput>("DynamoDB_20120810.PutItem", input);
}

Result<GetItemOutput> Client::GetItem(const GetItemInput& input) {
  return Send<GetItemOutput>("DynamoDB_20120810.GetItem", input);
}

Result<UpdateItemOutput> Client::UpdateItem(const UpdateItemInput& input) {
  return Send<UpdateItemOutput>("DynamoDB_20120810.UpdateItem", input);
}

Result<DeleteItemOutput> Client::DeleteItem(const DeleteItemInput& input) {
  return Send<DeleteItemOutput>("DynamoDB_20120810.DeleteItem", input);
}

Result<QueryOutput> Client::Query(const QueryInput& input) {
  return Send<QueryOutput>("DynamoDB_20120810.Query", input);
}

Result<ScanOutput> Client::Scan(const ScanInput& input) {
  return Send<ScanOutput>("DynamoDB_20120810.Scan", input);
}

Result<BatchGetItemOutput> Client::BatchGetItem(const BatchGetItemInput& input) {
  return Send<BatchGetItemOutput>("DynamoDB_20120810.BatchGetItem", input);
}

Result<BatchWriteItemOutput> Client::BatchWriteItem(const BatchWriteItemInput& input) {
  return Send<BatchWriteItemOutput>("DynamoDB_20120810.BatchWriteItem", input);
}

Result<TransactGetItemsOutput> Client::TransactGetItems(const TransactGetItemsInput& input) {
  return Send<TransactGetItemsOutput>("DynamoDB_20120810.TransactGetItems", input);
}

Result<TransactWriteItemsOutput> Client::TransactWriteItems(const TransactWriteItemsInput& input) {
  if (input.client_request_token) {
    return Send<TransactWriteItemsOutput>("DynamoDB_20120810.TransactWriteItems", input);
  }
  // With a token the endpoint recognises a repetition.
  TransactWriteItemsInput with_token = input;
  with_token.client_request_token = random_.Uuid();
  return Send<TransactWriteItemsOutput>("DynamoDB_20120810.TransactWriteItems", with_token);
}

Result<CreateTableOutput> Client::CreateTable(const CreateTableInput& input) {
  return Send<CreateTableOutput>("DynamoDB_20120810.CreateTable", input);
}

Result<UpdateTableOutput> Client::UpdateTable(const UpdateTableInput& input) {
  return Send<UpdateTableOutput>("DynamoDB_20120810.UpdateTable", input);
}

Result<DeleteTableOutput> Client::DeleteTable(const DeleteTableInput& input) {
  return Send<DeleteTableOutput>("DynamoDB_20120810.DeleteTable", input);
}

Result<DescribeTableOutput> Client::DescribeTable(const DescribeTableInput& input) {
  return Send<DescribeTableOutput>("DynamoDB_20120810.DescribeTable", input);
}

Result<ListTablesOutput> Client::ListTables(const ListTablesInput& input) {
  return Send<ListTablesOutput>("DynamoDB_20120810.ListTables", input);
}

Result<UpdateTimeToLiveOutput> Client::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  return Send<UpdateTimeToLiveOutput>("DynamoDB_20120810.UpdateTimeToLive", input);
}

Result<DescribeTimeToLiveOutput> Client::DescribeTimeToLive(const DescribeTimeToLiveInput& input) {
  return Send<DescribeTimeToLiveOutput>("DynamoDB_20120810.DescribeTimeToLive", input);
}

Result<TagResourceOutput> Client::TagResource(const TagResourceInput& input) {
  return Send<TagResourceOutput>("DynamoDB_20120810.TagResource", input);
}

Result<UntagResourceOutput> Client::UntagResource(const UntagResourceInput& input) {
  return Send<UntagResourceOutput>("DynamoDB_20120810.UntagResource", input);
}

Result<ListTagsOfResourceOutput> Client::ListTagsOfResource(const ListTagsOfResourceInput& input) {
  return Send<ListTagsOfResourceOutput>("DynamoDB_20120810.ListTagsOfResource", input);
}

Result<UpdateContinuousBackupsOutput> Client::UpdateContinuousBackups(
    const UpdateContinuousBackupsInput& input) {
  return Send<UpdateContinuousBackupsOutput>("DynamoDB_20120810.UpdateContinuousBackups", input);
}

Result<DescribeContinuousBackupsOutput> Client::DescribeContinuousBackups(
    const DescribeContinuousBackupsInput& input) {
  return Send<DescribeContinuousBackupsOutput>("DynamoDB_20120810.DescribeContinuousBackups",
                                               input);
}

Result<ListStreamsOutput> Client::ListStreams(const ListStreamsInput& input) {
  return Send<ListStreamsOutput>("DynamoDBStreams_20120810.ListStreams", input);
}

Result<DescribeStreamOutput> Client::DescribeStream(const DescribeStreamInput& input) {
  return Send<DescribeStreamOutput>("DynamoDBStreams_20120810.DescribeStream", input);
}

Result<GetShardIteratorOutput> Client::GetShardIterator(const GetShardIteratorInput& input) {
  return Send<GetShardIteratorOutput>("DynamoDBStreams_20120810.GetShardIterator", input);
}

Result<GetRecordsOutput> Client::GetRecords(const GetRecordsInput& input) {
  return Send<GetRecordsOutput>("DynamoDBStreams_20120810.GetRecords", input);
}

Result<DescribeLimitsOutput> Client::DescribeLimits(const DescribeLimitsInput& input) {
  return Send<DescribeLimitsOutput>("DynamoDB_20120810.DescribeLimits", input);
}

Result<DescribeEndpointsOutput> Client::DescribeEndpoints(const DescribeEndpointsInput& input) {
  return Send<DescribeEndpointsOutput>("DynamoDB_20120810.DescribeEndpoints", input);
}

}  // namespace stator::client

// The bodies of all operations: a server reads inputs and appends outputs, a client appends inputs
// and reads outputs. Each operation has a file of its own name in which its two messages are
// described, once for both ends; what several of them contain is described in the *_shapes.h files.

#pragma once

#include <string>

#include "stator/api/database.h"
#include "wire/codec.h"
#include "wire/decoding.h"

namespace stator::wire {

// Reads all that `body` has for `input`. Faults go to `decoding`, whose Finish tells what they
// mean; those of an answer its FinishAnswer.
void Read(JsonObject body, Decoding& decoding, PutItemInput& input);
void Read(JsonObject body, Decoding& decoding, GetItemInput& input);
void Read(JsonObject body, Decoding& decoding, UpdateItemInput& input);
void Read(JsonObject body, Decoding& decoding, DeleteItemInput& input);
void Read(JsonObject body, Decoding& decoding, QueryInput& input);
void Read(JsonObject body, Decoding& decoding, ScanInput& input);
void Read(JsonObject body, Decoding& decoding, BatchGetItemInput& input);
void Read(JsonObject body, Decoding& decoding, BatchWriteItemInput& input);
void Read(JsonObject body, Decoding& decoding, TransactGetItemsInput& input);
void Read(JsonObject body, Decoding& decoding, TransactWriteItemsInput& input);
void Read(JsonObject body, Decoding& decoding, CreateTableInput& input);
void Read(JsonObject body, Decoding& decoding, UpdateTableInput& input);
void Read(JsonObject body, Decoding& decoding, DeleteTableInput& input);
void Read(JsonObject body, Decoding& decoding, DescribeTableInput& input);
void Read(JsonObject body, Decoding& decoding, ListTablesInput& input);
void Read(JsonObject body, Decoding& decoding, UpdateTimeToLiveInput& input);
void Read(JsonObject body, Decoding& decoding, DescribeTimeToLiveInput& input);
void Read(JsonObject body, Decoding& decoding, TagResourceInput& input);
void Read(JsonObject body, Decoding& decoding, UntagResourceInput& input);
void Read(JsonObject body, Decoding& decoding, ListTagsOfResourceInput& input);
void Read(JsonObject body, Decoding& decoding, UpdateContinuousBackupsInput& input);
void Read(JsonObject body, Decoding& decoding, DescribeContinuousBackupsInput& input);
void Read(JsonObject body, Decoding& decoding, ListStreamsInput& input);
void Read(JsonObject body, Decoding& decoding, DescribeStreamInput& input);
void Read(JsonObject body, Decoding& decoding, GetShardIteratorInput& input);
void Read(JsonObject body, Decoding& decoding, GetRecordsInput& input);
void Read(JsonObject body, Decoding& decoding, DescribeLimitsInput& input);
void Read(JsonObject body, Decoding& decoding, DescribeEndpointsInput& input);

void Append(const PutItemOutput& output, std::string& out);
void Append(const GetItemOutput& output, std::string& out);
void Append(const UpdateItemOutput& output, std::string& out);
void Append(const DeleteItemOutput& output, std::string& out);
void Append(const QueryOutput& output, std::string& out);
void Append(const ScanOutput& output, std::string& out);
void Append(const BatchGetItemOutput& output, std::string& out);
void Append(const BatchWriteItemOutput& output, std::string& out);
void Append(const TransactGetItemsOutput& output, std::string& out);
void Append(const TransactWriteItemsOutput& output, std::string& out);
void Append(const CreateTableOutput& output, std::string& out);
void Append(const UpdateTableOutput& output, std::string& out);
void Append(const DeleteTableOutput& output, std::string& out);
void Append(const DescribeTableOutput& output, std::string& out);
void Append(const ListTablesOutput& output, std::string& out);
void Append(const UpdateTimeToLiveOutput& output, std::string& out);
void Append(const DescribeTimeToLiveOutput& output, std::string& out);
void Append(const TagResourceOutput& output, std::string& out);
void Append(const UntagResourceOutput& output, std::string& out);
void Append(const ListTagsOfResourceOutput& output, std::string& out);
void Append(const UpdateContinuousBackupsOutput& output, std::string& out);
void Append(const DescribeContinuousBackupsOutput& output, std::string& out);
void Append(const ListStreamsOutput& output, std::string& out);
void Append(const DescribeStreamOutput& output, std::string& out);
void Append(const GetShardIteratorOutput& output, std::string& out);
void Append(const GetRecordsOutput& output, std::string& out);
void Append(const DescribeLimitsOutput& output, std::string& out);
void Append(const DescribeEndpointsOutput& output, std::string& out);

void Append(const PutItemInput& input, std::string& out);
void Append(const GetItemInput& input, std::string& out);
void Append(const UpdateItemInput& input, std::string& out);
void Append(const DeleteItemInput& input, std::string& out);
void Append(const QueryInput& input, std::string& out);
void Append(const ScanInput& input, std::string& out);
void Append(const BatchGetItemInput& input, std::string& out);
void Append(const BatchWriteItemInput& input, std::string& out);
void Append(const TransactGetItemsInput& input, std::string& out);
void Append(const TransactWriteItemsInput& input, std::string& out);
void Append(const CreateTableInput& input, std::string& out);
void Append(const UpdateTableInput& input, std::string& out);
void Append(const DeleteTableInput& input, std::string& out);
void Append(const DescribeTableInput& input, std::string& out);
void Append(const ListTablesInput& input, std::string& out);
void Append(const UpdateTimeToLiveInput& input, std::string& out);
void Append(const DescribeTimeToLiveInput& input, std::string& out);
void Append(const TagResourceInput& input, std::string& out);
void Append(const UntagResourceInput& input, std::string& out);
void Append(const ListTagsOfResourceInput& input, std::string& out);
void Append(const UpdateContinuousBackupsInput& input, std::string& out);
void Append(const DescribeContinuousBackupsInput& input, std::string& out);
void Append(const ListStreamsInput& input, std::string& out);
void Append(const DescribeStreamInput& input, std::string& out);
void Append(const GetShardIteratorInput& input, std::string& out);
void Append(const GetRecordsInput& input, std::string& out);
void Append(const DescribeLimitsInput& input, std::string& out);
void Append(const DescribeEndpointsInput& input, std::string& out);

void Read(JsonObject body, Decoding& decoding, PutItemOutput& output);
void Read(JsonObject body, Decoding& decoding, GetItemOutput& output);
void Read(JsonObject body, Decoding& decoding, UpdateItemOutput& output);
void Read(JsonObject body, Decoding& decoding, DeleteItemOutput& output);
void Read(JsonObject body, Decoding& decoding, QueryOutput& output);
void Read(JsonObject body, Decoding& decoding, ScanOutput& output);
void Read(JsonObject body, Decoding& decoding, BatchGetItemOutput& output);
void Read(JsonObject body, Decoding& decoding, BatchWriteItemOutput& output);
void Read(JsonObject body, Decoding& decoding, TransactGetItemsOutput& output);
void Read(JsonObject body, Decoding& decoding, TransactWriteItemsOutput& output);
void Read(JsonObject body, Decoding& decoding, CreateTableOutput& output);
void Read(JsonObject body, Decoding& decoding, UpdateTableOutput& output);
void Read(JsonObject body, Decoding& decoding, DeleteTableOutput& output);
void Read(JsonObject body, Decoding& decoding, DescribeTableOutput& output);
void Read(JsonObject body, Decoding& decoding, ListTablesOutput& output);
void Read(JsonObject body, Decoding& decoding, UpdateTimeToLiveOutput& output);
void Read(JsonObject body, Decoding& decoding, DescribeTimeToLiveOutput& output);
void Read(JsonObject body, Decoding& decoding, TagResourceOutput& output);
void Read(JsonObject body, Decoding& decoding, UntagResourceOutput& output);
void Read(JsonObject body, Decoding& decoding, ListTagsOfResourceOutput& output);
void Read(JsonObject body, Decoding& decoding, UpdateContinuousBackupsOutput& output);
void Read(JsonObject body, Decoding& decoding, DescribeContinuousBackupsOutput& output);
void Read(JsonObject body, Decoding& decoding, ListStreamsOutput& output);
void Read(JsonObject body, Decoding& decoding, DescribeStreamOutput& output);
void Read(JsonObject body, Decoding& decoding, GetShardIteratorOutput& output);
void Read(JsonObject body, Decoding& decoding, GetRecordsOutput& output);
void Read(JsonObject body, Decoding& decoding, DescribeLimitsOutput& output);
void Read(JsonObject body, Decoding& decoding, DescribeEndpointsOutput& output);

}  // namespace stator::wire

// The bodies of all operations: JSON to the input struct, the output struct to JSON. Each operation
// has a file of its own name in which its two messages are described; what several of them contain
// is described in the *_shapes.h files.

#pragma once

#include <string>

#include "stator/api/database.h"
#include "wire/codec.h"
#include "wire/decoding.h"

namespace stator::wire {

// Reads all that `body` has for `input`. Faults go to `decoding`, whose Finish tells what they
// mean.
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
void Append(const DescribeContinuousBackupsOutput& output, std::string& out);
void Append(const ListStreamsOutput& output, std::string& out);
void Append(const DescribeStreamOutput& output, std::string& out);
void Append(const GetShardIteratorOutput& output, std::string& out);
void Append(const GetRecordsOutput& output, std::string& out);
void Append(const DescribeLimitsOutput& output, std::string& out);
void Append(const DescribeEndpointsOutput& output, std::string& out);

}  // namespace stator::wire

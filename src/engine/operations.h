// The operations of the engine, one function each, one file each (get_item.cc, ...). Engine is the
// class that makes a Database of them. Writes of items are in write_operations.h.

#pragma once

#include "engine/core.h"
#include "stator/api/database.h"

namespace stator::engine {

Result<GetItemOutput> GetItem(Core& core, const GetItemInput& input);
Result<QueryOutput> Query(Core& core, const QueryInput& input);
Result<ScanOutput> Scan(Core& core, const ScanInput& input);
Result<BatchGetItemOutput> BatchGetItem(Core& core, const BatchGetItemInput& input);
Result<TransactGetItemsOutput> TransactGetItems(Core& core, const TransactGetItemsInput& input);

Result<CreateTableOutput> CreateTable(Core& core, const CreateTableInput& input);
Result<UpdateTableOutput> UpdateTable(Core& core, const UpdateTableInput& input);
Result<DeleteTableOutput> DeleteTable(Core& core, const DeleteTableInput& input);
Result<DescribeTableOutput> DescribeTable(Core& core, const DescribeTableInput& input);
Result<ListTablesOutput> ListTables(Core& core, const ListTablesInput& input);
Result<UpdateTimeToLiveOutput> UpdateTimeToLive(Core& core, const UpdateTimeToLiveInput& input);
Result<DescribeTimeToLiveOutput> DescribeTimeToLive(Core& core,
                                                    const DescribeTimeToLiveInput& input);
Result<TagResourceOutput> TagResource(Core& core, const TagResourceInput& input);
Result<UntagResourceOutput> UntagResource(Core& core, const UntagResourceInput& input);
Result<ListTagsOfResourceOutput> ListTagsOfResource(Core& core,
                                                    const ListTagsOfResourceInput& input);
Result<UpdateContinuousBackupsOutput> UpdateContinuousBackups(
    Core& core, const UpdateContinuousBackupsInput& input);
Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
    Core& core, const DescribeContinuousBackupsInput& input);

Result<ListStreamsOutput> ListStreams(Core& core, const ListStreamsInput& input);
Result<DescribeStreamOutput> DescribeStream(Core& core, const DescribeStreamInput& input);
Result<GetShardIteratorOutput> GetShardIterator(Core& core, const GetShardIteratorInput& input);
Result<GetRecordsOutput> GetRecords(Core& core, const GetRecordsInput& input);

Result<DescribeLimitsOutput> DescribeLimits(Core& core, const DescribeLimitsInput& input);
Result<DescribeEndpointsOutput> DescribeEndpoints(Core& core, const DescribeEndpointsInput& input);

}  // namespace stator::engine

// What DynamoDB checks of a request before it looks at anything else: lengths, ranges, patterns. It
// needs neither the table nor the expressions, and it reports everything that is wrong at once.
// Every home of the data calls it first, so that C++ callers and HTTP clients hear the same.

#pragma once

#include "api/violations.h"
#include "stator/api/database.h"

namespace stator::api {

void CheckConstraints(const PutItemInput& input, Violations& violations);
void CheckConstraints(const GetItemInput& input, Violations& violations);
void CheckConstraints(const UpdateItemInput& input, Violations& violations);
void CheckConstraints(const DeleteItemInput& input, Violations& violations);
void CheckConstraints(const QueryInput& input, Violations& violations);
void CheckConstraints(const ScanInput& input, Violations& violations);
void CheckConstraints(const BatchGetItemInput& input, Violations& violations);
void CheckConstraints(const BatchWriteItemInput& input, Violations& violations);
void CheckConstraints(const TransactGetItemsInput& input, Violations& violations);
void CheckConstraints(const TransactWriteItemsInput& input, Violations& violations);

void CheckConstraints(const CreateTableInput& input, Violations& violations);
void CheckConstraints(const UpdateTableInput& input, Violations& violations);
void CheckConstraints(const DeleteTableInput& input, Violations& violations);
void CheckConstraints(const DescribeTableInput& input, Violations& violations);
void CheckConstraints(const ListTablesInput& input, Violations& violations);
void CheckConstraints(const UpdateTimeToLiveInput& input, Violations& violations);
void CheckConstraints(const DescribeTimeToLiveInput& input, Violations& violations);
void CheckConstraints(const TagResourceInput& input, Violations& violations);
void CheckConstraints(const UntagResourceInput& input, Violations& violations);
void CheckConstraints(const ListTagsOfResourceInput& input, Violations& violations);
void CheckConstraints(const UpdateContinuousBackupsInput& input, Violations& violations);
void CheckConstraints(const DescribeContinuousBackupsInput& input, Violations& violations);

void CheckConstraints(const ListStreamsInput& input, Violations& violations);
void CheckConstraints(const DescribeStreamInput& input, Violations& violations);
void CheckConstraints(const GetShardIteratorInput& input, Violations& violations);
void CheckConstraints(const GetRecordsInput& input, Violations& violations);

void CheckConstraints(const DescribeLimitsInput& input, Violations& violations);
void CheckConstraints(const DescribeEndpointsInput& input, Violations& violations);

// The first thing that an operation does with its input.
template <class Input>
Result<void> CheckConstraints(const Input& input) {
  Violations violations;
  CheckConstraints(input, violations);
  return violations.ToResult();
}

}  // namespace stator::api

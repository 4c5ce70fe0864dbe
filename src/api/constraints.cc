#include "api/constraints.h"

#include "api/constraint_checker.h"
#include "api/shape_constraints.h"
#include "base/limits.h"

// The order of the calls is the order in which the service reports.

namespace stator::api {
namespace {

constexpr LengthRange kAttributesToGetLength = {.minimum = 1};  // [model] AttributeNameList

}  // namespace

void CheckConstraints(const PutItemInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("ReturnValues");
  checker.Read("ReturnConsumedCapacity");
  checker.Read("ReturnItemCollectionMetrics");
  CheckTableLength(checker, input.table_name);
  checker.Read("Item");
  checker.Read("ConditionalOperator");
  CheckExpected(checker, "Expected", input.expected);
  checker.Read("ReturnValuesOnConditionCheckFailure");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const DeleteItemInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("ReturnValues");
  checker.Read("ReturnConsumedCapacity");
  CheckTableLength(checker, input.table_name);
  checker.Read("ReturnItemCollectionMetrics");
  checker.Read("Key");
  checker.Read("ConditionalOperator");
  CheckExpected(checker, "Expected", input.expected);
  checker.Read("ReturnValuesOnConditionCheckFailure");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const UpdateItemInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("ReturnConsumedCapacity");
  CheckTableLength(checker, input.table_name);
  checker.Read("ReturnItemCollectionMetrics");
  checker.Read("ReturnValues");
  checker.Read("Key");
  checker.Read("ConditionalOperator");
  CheckExpected(checker, "Expected", input.expected);
  CheckAttributeUpdates(checker, "AttributeUpdates", input.attribute_updates);
  checker.Read("ReturnValuesOnConditionCheckFailure");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const GetItemInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("ReturnConsumedCapacity");
  checker.Texts("AttributesToGet", input.attributes_to_get, kAttributesToGetLength);
  CheckTableLength(checker, input.table_name);
  checker.Read("Key");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const QueryInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("Select");
  checker.Name("IndexName", input.index_name);
  checker.Read("ReturnConsumedCapacity");
  CheckConditions(checker, "QueryFilter", input.query_filter);
  CheckTableLength(checker, input.table_name);
  checker.Read("ConditionalOperator");
  checker.Texts("AttributesToGet", input.attributes_to_get, kAttributesToGetLength);
  if (checker.Readable("Limit") && input.limit.value_or(1) < 1) {
    // Query alone prints no value and a capital letter.
    violations.Add("Limit", "", "Member must have value greater than or equal to 1");
  }
  CheckConditions(checker, "KeyConditions", input.key_conditions);
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const ScanInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("Select");
  checker.Name("IndexName", input.index_name);
  checker.Within("TotalSegments", input.total_segments, 1, limits::kScanSegmentsMax);
  checker.Read("ReturnConsumedCapacity");
  CheckTableLength(checker, input.table_name);
  checker.Read("ConditionalOperator");
  CheckConditions(checker, "ScanFilter", input.scan_filter);
  checker.Within("Segment", input.segment, 0, limits::kScanSegmentsMax - 1);
  checker.AtLeast("Limit", input.limit, 1);
  checker.Texts("AttributesToGet", input.attributes_to_get, kAttributesToGetLength);
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const DescribeLimitsInput& /*input*/, Violations& /*violations*/) {}
void CheckConstraints(const DescribeEndpointsInput& /*input*/, Violations& /*violations*/) {}

}  // namespace stator::api

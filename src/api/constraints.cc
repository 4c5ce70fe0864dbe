#include "api/constraints.h"

#include "api/constraint_checker.h"
#include "api/shape_constraints.h"
#include "base/limits.h"

// The order of the calls is the order in which the service reports.

namespace stator::api {
namespace {

constexpr LengthRange kAttributesToGetLength = {.minimum = 1};  // [model] AttributeNameList

// How the newer messages list what there is; the slips are the service's.
constexpr std::string_view kReturnValues = "ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE";
constexpr std::string_view kConditionalOperators = "ALL, OR";

template <class Input>
Layer LayerOf(const Violations& violations) {
  return violations.FallsBack() ? Layer::kOlder : kLayerOf<Input>;
}

// What is wrong in a request that the older checks are in charge of, whatever its operation.
void CheckFallingBack(const PutItemInput& input, Violations& violations) {
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

void CheckFallingBack(const DeleteItemInput& input, Violations& violations) {
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

void CheckFallingBack(const UpdateItemInput& input, Violations& violations) {
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

}  // namespace

void CheckConstraints(const PutItemInput& input, Violations& violations) {
  if (violations.FallsBack()) {
    CheckFallingBack(input, violations);
    return;
  }
  ConstraintChecker checker(violations, kLayerOf<PutItemInput>);
  CheckTableLength(checker, input.table_name);
  checker.Read("ReturnConsumedCapacity");
  checker.ReadNewer("ReturnValues", kReturnValues);
  checker.Read("ReturnItemCollectionMetrics");
  checker.ReadNewer("ConditionalOperator", kConditionalOperators);
  CheckExpected(checker, "Expected", input.expected);
  checker.Read("ReturnValuesOnConditionCheckFailure");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const DeleteItemInput& input, Violations& violations) {
  if (violations.FallsBack()) {
    CheckFallingBack(input, violations);
    return;
  }
  ConstraintChecker checker(violations, kLayerOf<DeleteItemInput>);
  CheckTableLength(checker, input.table_name);
  checker.Read("ReturnConsumedCapacity");
  checker.ReadNewer("ReturnValues", kReturnValues);
  checker.Read("ReturnItemCollectionMetrics");
  checker.ReadNewer("ConditionalOperator", kConditionalOperators);
  CheckExpected(checker, "Expected", input.expected);
  checker.Read("ReturnValuesOnConditionCheckFailure");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const UpdateItemInput& input, Violations& violations) {
  if (violations.FallsBack()) {
    CheckFallingBack(input, violations);
    return;
  }
  ConstraintChecker checker(violations, kLayerOf<UpdateItemInput>);
  CheckTableLength(checker, input.table_name);
  checker.ReadNewerAlone("ReturnValues", kReturnValues);
  checker.Read("ReturnConsumedCapacity");
  checker.Read("ReturnItemCollectionMetrics");
  checker.ReadNewer("ConditionalOperator", kConditionalOperators);
  CheckExpected(checker, "Expected", input.expected);
  CheckAttributeUpdates(checker, "AttributeUpdates", input.attribute_updates);
  checker.Read("ReturnValuesOnConditionCheckFailure");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const GetItemInput& input, Violations& violations) {
  const Layer layer = LayerOf<GetItemInput>(violations);
  ConstraintChecker checker(violations, layer);
  if (layer != Layer::kOlder) {
    CheckTableLength(checker, input.table_name);
  }
  checker.Read("ReturnConsumedCapacity");
  checker.Texts("AttributesToGet", input.attributes_to_get, kAttributesToGetLength);
  if (layer == Layer::kOlder) {
    CheckTableLength(checker, input.table_name);
  }
  checker.Read("Key");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const QueryInput& input, Violations& violations) {
  const Layer layer = LayerOf<QueryInput>(violations);
  ConstraintChecker checker(violations, layer);
  if (layer != Layer::kOlder) {
    CheckTableLength(checker, input.table_name);
    checker.ReadNewerAlone("ConditionalOperator", kConditionalOperators);
  }
  checker.Read("Select");
  checker.Name("IndexName", input.index_name);
  checker.Read("ReturnConsumedCapacity");
  CheckConditions(checker, "QueryFilter", input.query_filter);
  if (layer == Layer::kOlder) {
    CheckTableLength(checker, input.table_name);
    checker.Read("ConditionalOperator");
  }
  checker.Texts("AttributesToGet", input.attributes_to_get, kAttributesToGetLength);
  checker.AtLeast("Limit", input.limit, 1);
  CheckConditions(checker, "KeyConditions", input.key_conditions);
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const ScanInput& input, Violations& violations) {
  ConstraintChecker checker(violations, LayerOf<ScanInput>(violations));
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

// Constraints of the requests about tables, tags, expiry and streams.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "api/constraint_checker.h"
#include "api/constraints.h"
#include "api/shape_constraints.h"
#include "base/limits.h"

namespace stator::api {
namespace {

constexpr LengthRange kResourceArnLength = {1, 1283};  // [model] ResourceArnString
constexpr LengthRange kRevisionIdLength = {1, 255};    // [model] PolicyRevisionId
constexpr LengthRange kTtlAttributeLength = {1, 255};  // [model] TimeToLiveAttributeName
constexpr LengthRange kStreamArnLength = {37, 1024};   // [model] StreamArn
constexpr LengthRange kShardIdLength = {28, 65};       // [model] ShardId
constexpr LengthRange kSequenceLength = {21, 40};      // [model] SequenceNumber
constexpr LengthRange kIteratorLength = {1, 2048};     // [model] ShardIterator
constexpr std::int64_t kListInsightsLimitMax = 100;    // [model] ListContributorInsightsLimit
constexpr std::int64_t kRecoveryDaysMax = 35;          // [model] RecoveryPeriodInDays

// Of the operations that take nothing but a table.
void CheckTableOnly(std::string_view table_name, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, table_name);
  CheckTableName(checker, table_name);
}

void CheckResourceArn(ConstraintChecker& checker, std::string_view resource_arn) {
  if (!checker.Readable("ResourceArn")) {
    checker.violations().AddAlone("Invalid TableArn");
    return;
  }
  checker.Text("ResourceArn", resource_arn, kResourceArnLength);
}

void CheckKinesisConfiguration(ConstraintChecker& checker, std::string_view member) {
  if (checker.Readable(member)) {
    const MemberPath path = checker.PathOf(member);
    ConstraintChecker(checker.violations(), &path).Read("ApproximateCreationDateTimePrecision");
  }
}

void CheckUpdate(ConstraintChecker& element, const GlobalSecondaryIndexUpdate& update) {
  constexpr std::string_view kMembers[] = {"Update", "Create", "Delete"};
  const MemberPath path = element.PathOf(kMembers[update.index()]);
  ConstraintChecker checker(element.violations(), &path);
  if (const auto* create = std::get_if<GlobalSecondaryIndex>(&update)) {
    CheckGlobalSecondaryIndex(checker, *create);
  } else if (const auto* change = std::get_if<UpdateGlobalSecondaryIndexAction>(&update)) {
    checker.Name("IndexName", change->index_name);
    CheckProvisionedThroughput(checker, change->provisioned_throughput);
  } else {
    checker.Name("IndexName", std::get<DeleteGlobalSecondaryIndexAction>(update).index_name);
  }
}

}  // namespace

void CheckConstraints(const CreateTableInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckAttributeDefinitions(checker, input.attribute_definitions);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  if (!input.table_name.empty()) {
    CheckTableNameAtOnce(checker, input.table_name);
  }
  checker.Read("BillingMode");
  CheckProvisionedThroughput(checker, input.provisioned_throughput);
  CheckKeySchema(checker, input.key_schema, kTableKeySchemaLength);
  CheckGlobalSecondaryIndexes(checker, input.global_secondary_indexes);
  CheckLocalSecondaryIndexes(checker, input.local_secondary_indexes);
  CheckStreamSpecification(checker, input.stream_specification);
  CheckSseSpecification(checker, input.sse_specification);
  CheckTags(checker, input.tags);
  checker.Read("TableClass");
}

void CheckConstraints(const UpdateTableInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckAttributeDefinitions(checker, input.attribute_definitions);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  CheckProvisionedThroughput(checker, input.provisioned_throughput);
  checker.Read("BillingMode");
  if (checker.Readable("GlobalSecondaryIndexUpdates") && input.global_secondary_index_updates) {
    const MemberPath list = checker.PathOf("GlobalSecondaryIndexUpdates");
    for (std::size_t i = 0; i < input.global_secondary_index_updates->size(); ++i) {
      const MemberPath path = MemberPath::Element(&list, i);
      if (violations.ReportUnreadable(path)) {
        continue;
      }
      ConstraintChecker element(violations, &path);
      CheckUpdate(element, (*input.global_secondary_index_updates)[i]);
    }
  }
  CheckStreamSpecification(checker, input.stream_specification);
  CheckSseSpecification(checker, input.sse_specification);
  checker.Read("TableClass");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const DeleteTableInput& input, Violations& violations) {
  CheckTableOnly(input.table_name, violations);
}

void CheckConstraints(const DescribeTableInput& input, Violations& violations) {
  CheckTableOnly(input.table_name, violations);
}

void CheckConstraints(const UpdateContinuousBackupsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  if (checker.Readable("PointInTimeRecoverySpecification")) {
    const MemberPath path = checker.PathOf("PointInTimeRecoverySpecification");
    ConstraintChecker inner(violations, &path);
    inner.Read("PointInTimeRecoveryEnabled");
    inner.Within("RecoveryPeriodInDays",
                 input.point_in_time_recovery_specification.recovery_period_in_days, 1,
                 kRecoveryDaysMax);
  }
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const DescribeContinuousBackupsInput& input, Violations& violations) {
  CheckTableOnly(input.table_name, violations);
}

void CheckConstraints(const DescribeTimeToLiveInput& input, Violations& violations) {
  CheckTableOnly(input.table_name, violations);
}

void CheckConstraints(const UpdateTimeToLiveInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  if (checker.Readable("TimeToLiveSpecification")) {
    const MemberPath path = checker.PathOf("TimeToLiveSpecification");
    ConstraintChecker inner(violations, &path);
    inner.Read("Enabled");
    inner.Text("AttributeName", input.time_to_live_specification.attribute_name,
               kTtlAttributeLength);
  }
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const ListTablesInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Within("Limit", input.limit, 1, limits::kListTablesLimitMax);
  checker.Name("ExclusiveStartTableName", input.exclusive_start_table_name);
}

void CheckConstraints(const TagResourceInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckResourceArn(checker, input.resource_arn);
  CheckTags(checker, input.tags);
}

void CheckConstraints(const UntagResourceInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckResourceArn(checker, input.resource_arn);
  if (!checker.Readable("TagKeys")) {
    return;
  }
  const MemberPath list = checker.PathOf("TagKeys");
  ConstraintChecker elements(violations, &list);
  for (std::size_t i = 0; i < input.tag_keys.size(); ++i) {
    elements.Text(std::to_string(i + 1) + ".member", input.tag_keys[i], kTagKeyLength);
  }
}

void CheckConstraints(const ListTagsOfResourceInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckResourceArn(checker, input.resource_arn);
}

void CheckConstraints(const PutResourcePolicyInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckResourceArn(checker, input.resource_arn);
  checker.Read("Policy");
  checker.Text("ExpectedRevisionId", input.expected_revision_id, kRevisionIdLength);
}

void CheckConstraints(const GetResourcePolicyInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckResourceArn(checker, input.resource_arn);
}

void CheckConstraints(const DeleteResourcePolicyInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckResourceArn(checker, input.resource_arn);
  checker.Text("ExpectedRevisionId", input.expected_revision_id, kRevisionIdLength);
}

void CheckConstraints(const UpdateContributorInsightsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  checker.Name("IndexName", input.index_name);
  checker.Read("ContributorInsightsAction");
  checker.Read("ContributorInsightsMode");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const DescribeContributorInsightsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  checker.Name("IndexName", input.index_name);
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const ListContributorInsightsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  if (input.table_name) {
    CheckTableLengthOfTableOperation(checker, *input.table_name);
  }
  checker.Within("MaxResults", input.max_results, 1, kListInsightsLimitMax);
  if (input.table_name) {
    CheckTableName(checker, *input.table_name);
  }
}

void CheckConstraints(const EnableKinesisStreamingDestinationInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  checker.Text("StreamArn", input.stream_arn, kStreamArnLength);
  CheckKinesisConfiguration(checker, "EnableKinesisStreamingConfiguration");
  CheckTableName(checker, input.table_name);
}

// These two name a destination that there is, or are told that there is none.
void CheckConstraints(const DisableKinesisStreamingDestinationInput& input,
                      Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  checker.Read("StreamArn");
  CheckKinesisConfiguration(checker, "EnableKinesisStreamingConfiguration");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const UpdateKinesisStreamingDestinationInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  checker.Read("StreamArn");
  CheckKinesisConfiguration(checker, "UpdateKinesisStreamingConfiguration");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const DescribeKinesisStreamingDestinationInput& input,
                      Violations& violations) {
  CheckTableOnly(input.table_name, violations);
}

void CheckConstraints(const ListStreamsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Name("TableName", input.table_name);
  checker.AtLeast("Limit", input.limit, 1);
  checker.Text("ExclusiveStartStreamArn", input.exclusive_start_stream_arn, kStreamArnLength);
}

void CheckConstraints(const DescribeStreamInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("StreamArn", input.stream_arn, kStreamArnLength);
  checker.AtLeast("Limit", input.limit, 1);
  checker.Text("ExclusiveStartShardId", input.exclusive_start_shard_id, kShardIdLength);
  const MemberPath path = checker.PathOf("ShardFilter");
  ConstraintChecker filter(violations, &path);
  filter.Read("Type");
  filter.Text("ShardId", input.child_shards_of, kShardIdLength);
}

void CheckConstraints(const GetShardIteratorInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("StreamArn", input.stream_arn, kStreamArnLength);
  checker.Text("ShardId", input.shard_id, kShardIdLength);
  checker.Read("ShardIteratorType");
  checker.Text("SequenceNumber", input.sequence_number, kSequenceLength);
}

void CheckConstraints(const GetRecordsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("ShardIterator", input.shard_iterator, kIteratorLength);
  checker.AtLeast("Limit", input.limit, 1);
}

}  // namespace stator::api

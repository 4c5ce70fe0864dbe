#include "stator/api/contributor_insights.h"

#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<UpdateContributorInsightsInput> {
  static constexpr std::string_view kName = "UpdateContributorInsightsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Optional("IndexName", input.index_name);
    visit.Required("ContributorInsightsAction", input.contributor_insights_action);
    visit.Optional("ContributorInsightsMode", input.contributor_insights_mode);
  }
};

template <>
struct Shape<UpdateContributorInsightsOutput> {
  static constexpr std::string_view kName = "UpdateContributorInsightsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableName", output.table_name);
    visit.Optional("IndexName", output.index_name);
    visit.Required("ContributorInsightsStatus", output.contributor_insights_status);
    visit.Optional("ContributorInsightsMode", output.contributor_insights_mode);
  }
};

template <>
struct Shape<DescribeContributorInsightsInput> {
  static constexpr std::string_view kName = "DescribeContributorInsightsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Optional("IndexName", input.index_name);
  }
};

template <>
struct Shape<CountedKey> {
  static constexpr std::string_view kName = "CountedKey";
  static void Visit(auto& visit, auto& counted) {
    visit.Required("Key", counted.key);
    visit.Required("Count", counted.count);
    visit.Required("CountErrorMax", counted.count_error_max);
  }
};

template <>
struct Shape<CountedKeys> {
  static constexpr std::string_view kName = "CountedKeys";
  static void Visit(auto& visit, auto& keys) {
    visit.Required("Since", keys.since);
    visit.Required("AccessedPartitions", keys.accessed_partitions);
    visit.Required("AccessedItems", keys.accessed_items);
    visit.Required("ThrottledPartitions", keys.throttled_partitions);
    visit.Required("ThrottledItems", keys.throttled_items);
  }
};

// StatorCountedKeys is ours; SDKs pass over what their model does not have.
template <>
struct Shape<DescribeContributorInsightsOutput> {
  static constexpr std::string_view kName = "DescribeContributorInsightsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableName", output.table_name);
    visit.Optional("IndexName", output.index_name);
    visit.Optional("ContributorInsightsRuleList", output.contributor_insights_rule_list);
    visit.Required("ContributorInsightsStatus", output.contributor_insights_status);
    visit.Optional("LastUpdateDateTime", output.last_update_date_time);
    visit.Optional("ContributorInsightsMode", output.contributor_insights_mode);
    visit.Optional("StatorCountedKeys", output.counted_keys);
  }
};

template <>
struct Shape<ListContributorInsightsInput> {
  static constexpr std::string_view kName = "ListContributorInsightsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("TableName", input.table_name);
    visit.Optional("NextToken", input.next_token);
    visit.Optional("MaxResults", input.max_results);
  }
};

template <>
struct Shape<ContributorInsightsSummary> {
  static constexpr std::string_view kName = "ContributorInsightsSummary";
  static void Visit(auto& visit, auto& summary) {
    visit.Required("TableName", summary.table_name);
    visit.Optional("IndexName", summary.index_name);
    visit.Required("ContributorInsightsStatus", summary.contributor_insights_status);
    visit.Optional("ContributorInsightsMode", summary.contributor_insights_mode);
  }
};

template <>
struct Shape<ListContributorInsightsOutput> {
  static constexpr std::string_view kName = "ListContributorInsightsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ContributorInsightsSummaries", output.contributor_insights_summaries);
    visit.Optional("NextToken", output.next_token);
  }
};

template struct Body<UpdateContributorInsightsInput>;
template struct Body<UpdateContributorInsightsOutput>;
template struct Body<DescribeContributorInsightsInput>;
template struct Body<DescribeContributorInsightsOutput>;
template struct Body<ListContributorInsightsInput>;
template struct Body<ListContributorInsightsOutput>;

}  // namespace stator::wire

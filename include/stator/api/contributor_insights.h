// UpdateContributorInsights, DescribeContributorInsights, ListContributorInsights: whether it is
// counted which keys of a table or of an index are used most and which are throttled most.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/clock.h"
#include "stator/value/attribute_value.h"

namespace stator {

enum class ContributorInsightsAction : std::uint8_t { kEnable, kDisable };
enum class ContributorInsightsMode : std::uint8_t { kAccessedAndThrottledKeys, kThrottledKeys };
enum class ContributorInsightsStatus : std::uint8_t {
  kEnabling,
  kEnabled,
  kDisabling,
  kDisabled,
  kFailed
};

struct UpdateContributorInsightsInput {
  std::string table_name;
  std::optional<std::string> index_name = std::nullopt;
  ContributorInsightsAction contributor_insights_action = ContributorInsightsAction::kEnable;
  std::optional<ContributorInsightsMode> contributor_insights_mode = std::nullopt;
};

struct UpdateContributorInsightsOutput {
  std::string table_name;
  std::optional<std::string> index_name = std::nullopt;
  ContributorInsightsStatus contributor_insights_status = ContributorInsightsStatus::kDisabled;
  std::optional<ContributorInsightsMode> contributor_insights_mode = std::nullopt;
};

struct DescribeContributorInsightsInput {
  std::string table_name;
  std::optional<std::string> index_name = std::nullopt;
};

// The count of a key is at most so much too high, and never too low.
struct CountedKey {
  Item key;
  double count = 0;
  double count_error_max = 0;
};

// What was counted, the most used first. Uses are in capacity units. Items are told only where keys
// have a sort key. Amazon shows it in CloudWatch, and only Stator in the answer.
struct CountedKeys {
  TimePoint since = {};
  std::vector<CountedKey> accessed_partitions;
  std::vector<CountedKey> accessed_items;
  std::vector<CountedKey> throttled_partitions;
  std::vector<CountedKey> throttled_items;
};

struct DescribeContributorInsightsOutput {
  std::string table_name;
  std::optional<std::string> index_name = std::nullopt;
  std::vector<std::string> contributor_insights_rule_list;
  ContributorInsightsStatus contributor_insights_status = ContributorInsightsStatus::kDisabled;
  std::optional<TimePoint> last_update_date_time = std::nullopt;
  std::optional<ContributorInsightsMode> contributor_insights_mode = std::nullopt;
  std::optional<CountedKeys> counted_keys = std::nullopt;  // while it is on
};

struct ListContributorInsightsInput {
  std::optional<std::string> table_name = std::nullopt;
  std::optional<std::string> next_token = std::nullopt;
  std::optional<std::int32_t> max_results = std::nullopt;  // at most 100
};

struct ContributorInsightsSummary {
  std::string table_name;
  std::optional<std::string> index_name = std::nullopt;
  ContributorInsightsStatus contributor_insights_status = ContributorInsightsStatus::kDisabled;
  std::optional<ContributorInsightsMode> contributor_insights_mode = std::nullopt;
};

struct ListContributorInsightsOutput {
  std::vector<ContributorInsightsSummary> contributor_insights_summaries;
  std::optional<std::string> next_token = std::nullopt;
};

}  // namespace stator

// UpdateContributorInsights, DescribeContributorInsights, ListContributorInsights.

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/contributors.h"
#include "engine/operations.h"
#include "keyspace/key_part.h"

namespace stator::engine {
namespace {

constexpr std::size_t kListedByDefault = 100;
constexpr std::size_t kContributorsMax = 100;  // what AWS shows of each list

// The place of a global index in the table.
Result<std::size_t> PlaceOf(const Table& table, const std::string& name) {
  for (std::size_t at = 0; at < table.indexes.size(); ++at) {
    if (table.indexes[at].name == name && table.indexes[at].global) {
      return at;
    }
  }
  return Fail(ErrorCode::kResourceNotFound, "Requested resource not found: Table: " + table.name +
                                                " has no global secondary index " + name);
}

ContributorInsightsStatus StatusOf(const std::optional<keyspace::Insights>& insights) {
  return insights && insights->enabled ? ContributorInsightsStatus::kEnabled
                                       : ContributorInsightsStatus::kDisabled;
}

std::optional<ContributorInsightsMode> ModeOf(const std::optional<keyspace::Insights>& insights) {
  return insights && insights->enabled ? std::optional(insights->mode) : std::nullopt;
}

// As CloudWatch calls them: accessed (C) and throttled (T) partition keys and keys of items.
std::vector<std::string> RulesOf(const std::string& resource, bool has_sort,
                                 const keyspace::Insights& insights) {
  std::vector<std::string> rules;
  const auto since = std::chrono::floor<std::chrono::milliseconds>(insights.updated_at);
  const auto add = [&](const char* kind) {
    rules.push_back("DynamoDBContributorInsights-" + std::string(kind) + "-" + resource + "-" +
                    std::to_string(since.time_since_epoch().count()));
  };
  const bool counts_uses = insights.mode == ContributorInsightsMode::kAccessedAndThrottledKeys;
  if (counts_uses) {
    add("PKC");
  }
  if (counts_uses && has_sort) {
    add("SKC");
  }
  add("PKT");
  if (has_sort) {
    add("SKT");
  }
  return rules;
}

Result<std::vector<CountedKey>> Named(const std::vector<TopKeys::Counted>& counted,
                                      const std::vector<KeyAttribute>& attributes) {
  std::vector<CountedKey> keys;
  for (const TopKeys::Counted& each : counted) {
    CountedKey key{.key = {}, .count = each.count, .count_error_max = each.error};
    std::string_view parts = each.key;
    for (const KeyAttribute& attribute : attributes) {
      if (parts.empty()) {
        break;
      }
      key.key.Set(attribute.name, TRY(keyspace::TakeKeyPart(parts)));
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

Result<CountedKeys> CountedOf(const Contributors& contributors,
                              const std::vector<KeyAttribute>& attributes) {
  using Of = Contributors::Of;
  CountedKeys keys;
  const auto most = [&](Of what) {
    return Named(contributors.Most(what, kContributorsMax), attributes);
  };
  keys.accessed_partitions = TRY(most(Of::kAccessedPartitions));
  keys.accessed_items = TRY(most(Of::kAccessedItems));
  keys.throttled_partitions = TRY(most(Of::kThrottledPartitions));
  keys.throttled_items = TRY(most(Of::kThrottledItems));
  return keys;
}

// A table or an index, as far as it matters here.
struct Counted {
  const std::optional<keyspace::Insights>& insights;
  const Contributors* contributors;
  std::vector<KeyAttribute> attributes;
  bool has_sort;
};

Counted CountedIn(const Table& table) {
  std::vector<KeyAttribute> attributes = {table.partition};
  if (table.sort) {
    attributes.push_back(*table.sort);
  }
  return {.insights = table.insights,
          .contributors = table.contributors.get(),
          .attributes = std::move(attributes),
          .has_sort = table.sort.has_value()};
}

Counted CountedIn(const Index& index) {
  return {.insights = index.insights,
          .contributors = index.contributors.get(),
          .attributes = index.KeyAttributes(),
          .has_sort = !index.sort.empty()};
}

// What is listed of a table: itself, then its indexes, as far as they were ever asked for.
void AppendSummaries(const Table& table, std::vector<ContributorInsightsSummary>& summaries) {
  const auto append = [&](const auto& counted, std::optional<std::string> index_name) {
    if (counted.insights) {
      summaries.push_back({.table_name = table.name,
                           .index_name = std::move(index_name),
                           .contributor_insights_status = StatusOf(counted.insights),
                           .contributor_insights_mode = ModeOf(counted.insights)});
    }
  };
  append(table, std::nullopt);
  for (const Index& index : table.indexes) {
    append(index, index.name);
  }
}

// Names have no slash.
std::string TokenOf(const ContributorInsightsSummary& summary) {
  return summary.table_name + "/" + summary.index_name.value_or("");
}

}  // namespace

Result<UpdateContributorInsightsOutput> UpdateContributorInsights(
    EngineCore& core, const UpdateContributorInsightsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const bool enable = input.contributor_insights_action == ContributorInsightsAction::kEnable;
  const auto lock = core.catalog.ChangeLock();
  TRY_VOID(core.transient_states.CheckArrived(
      TableNameFrom(input.table_name).value_or(input.table_name)));
  Table next = *TRY(core.catalog.FindNamed(input.table_name));
  UpdateContributorInsightsOutput output{
      .table_name = next.name,
      .index_name = input.index_name,
      .contributor_insights_status =
          enable ? ContributorInsightsStatus::kEnabling : ContributorInsightsStatus::kDisabling};
  const auto change = [&](auto& counted) {
    const keyspace::Insights before = counted.insights.value_or(keyspace::Insights{});
    const ContributorInsightsMode mode = input.contributor_insights_mode.value_or(before.mode);
    output.contributor_insights_mode = mode;
    if (before.enabled == enable && before.mode == mode) {
      return false;  // and what was counted stays
    }
    counted.insights =
        keyspace::Insights{.enabled = enable, .mode = mode, .updated_at = core.clock.Now()};
    SetContributors(counted);
    return true;
  };
  const bool changes =
      input.index_name ? change(next.indexes[TRY(PlaceOf(next, *input.index_name))]) : change(next);
  if (changes) {
    TRY_VOID(core.catalog.Publish(std::move(next)));
  }
  return output;
}

Result<DescribeContributorInsightsOutput> DescribeContributorInsights(
    EngineCore& core, const DescribeContributorInsightsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const TablePtr table = TRY(core.catalog.FindNamed(input.table_name));
  const Counted counted = input.index_name
                              ? CountedIn(table->indexes[TRY(PlaceOf(*table, *input.index_name))])
                              : CountedIn(*table);
  DescribeContributorInsightsOutput output{
      .table_name = table->name,
      .index_name = input.index_name,
      .contributor_insights_rule_list = {},
      .contributor_insights_status = StatusOf(counted.insights),
      .contributor_insights_mode = ModeOf(counted.insights)};
  if (counted.insights) {
    output.last_update_date_time = counted.insights->updated_at;
  }
  if (counted.contributors != nullptr) {
    output.contributor_insights_rule_list =
        RulesOf(table->name + (input.index_name ? "-" + *input.index_name : ""), counted.has_sort,
                *counted.insights);
    output.counted_keys = TRY(CountedOf(*counted.contributors, counted.attributes));
    output.counted_keys->since = std::max(counted.insights->updated_at, core.opened_at);
  }
  return output;
}

Result<ListContributorInsightsOutput> ListContributorInsights(
    EngineCore& core, const ListContributorInsightsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  std::vector<ContributorInsightsSummary> all;
  if (input.table_name) {
    AppendSummaries(*TRY(core.catalog.FindNamed(*input.table_name)), all);
  } else {
    for (const TablePtr& table : core.catalog.All()) {
      AppendSummaries(*table, all);
    }
  }
  auto first = all.begin();
  if (input.next_token) {
    if (!input.next_token->contains('/')) {
      return Invalid("Invalid NextToken");
    }
    // What was shown last may be gone; what comes behind it is still behind it.
    const auto is_behind = [&](const ContributorInsightsSummary& summary) {
      const std::string_view table(input.next_token->data(), input.next_token->find('/'));
      return summary.table_name > table;
    };
    first = std::ranges::find(all, *input.next_token, TokenOf);
    first = first != all.end() ? first + 1 : std::ranges::find_if(all, is_behind);
  }
  const std::size_t limit = input.max_results.value_or(static_cast<std::int32_t>(kListedByDefault));
  ListContributorInsightsOutput output;
  const std::size_t left = static_cast<std::size_t>(all.end() - first);
  output.contributor_insights_summaries.assign(
      std::make_move_iterator(first),
      std::make_move_iterator(first + static_cast<std::ptrdiff_t>(std::min(limit, left))));
  if (left > limit) {
    output.next_token = TokenOf(output.contributor_insights_summaries.back());
  }
  return output;
}

}  // namespace stator::engine

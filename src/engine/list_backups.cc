#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/backups.h"
#include "engine/operations.h"

namespace stator::engine {
namespace {

constexpr std::int64_t kLimitByDefault = 100;

BackupSummary SummaryOf(const Backup& backup) {
  const keyspace::TableSettings& table = backup.row.table.settings;
  BackupDetails details = DetailsOf(backup);
  return {.table_name = table.name,
          .table_id = table.uuid,
          .table_arn = table.arn,
          .backup_arn = std::move(details.backup_arn),
          .backup_name = std::move(details.backup_name),
          .backup_creation_date_time = details.backup_creation_date_time,
          .backup_expiry_date_time = details.backup_expiry_date_time,
          .backup_status = details.backup_status,
          .backup_type = details.backup_type,
          .backup_size_bytes = details.backup_size_bytes};
}

bool IsOfType(const Backup& backup, BackupTypeFilter filter) {
  return filter == BackupTypeFilter::kAll ||
         (filter == BackupTypeFilter::kUser && backup.row.type == BackupType::kUser) ||
         (filter == BackupTypeFilter::kSystem && backup.row.type == BackupType::kSystem);
}

// The first place that can be asked for.
Result<keyspace::BackupId> FirstOf(EngineCore& core, const ListBackupsInput& input) {
  keyspace::BackupId first;
  if (input.time_range_lower_bound) {
    const auto bound = std::chrono::ceil<std::chrono::milliseconds>(
        input.time_range_lower_bound->time_since_epoch());
    first.created_ms = bound.count() < 0 ? 0 : static_cast<std::uint64_t>(bound.count());
  }
  if (input.exclusive_start_backup_arn) {
    keyspace::BackupId start = TRY(BackupIdFrom(core.account, *input.exclusive_start_backup_arn));
    if (++start.number == 0) {
      ++start.created_ms;
    }
    first = std::max(first, start);
  }
  return first;
}

}  // namespace

Result<ListBackupsOutput> ListBackups(EngineCore& core, const ListBackupsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  if (input.time_range_lower_bound && input.time_range_upper_bound &&
      *input.time_range_lower_bound > *input.time_range_upper_bound) {
    return Invalid("Time range lower bound must be less than or equal to upper bound");
  }
  const auto limit = static_cast<std::size_t>(input.limit.value_or(kLimitByDefault));
  const BackupTypeFilter type = input.backup_type.value_or(BackupTypeFilter::kUser);
  const std::optional<std::string_view> table =
      input.table_name ? TableNameFrom(*input.table_name) : std::nullopt;
  ListBackupsOutput output;
  const auto visit = [&](const Backup& backup) -> Result<bool> {
    const TimePoint created = DetailsOf(backup).backup_creation_date_time;
    if (input.time_range_upper_bound && created >= *input.time_range_upper_bound) {
      return false;
    }
    if (!IsOfType(backup, type) || (table && backup.row.table.settings.name != *table)) {
      return true;
    }
    if (output.backup_summaries.size() == limit) {
      output.last_evaluated_backup_arn = output.backup_summaries.back().backup_arn;
      return false;
    }
    output.backup_summaries.push_back(SummaryOf(backup));
    return true;
  };
  const keyspace::BackupId first = TRY(FirstOf(core, input));
  TRY_VOID(VisitBackups(core, first, visit));
  return output;
}

}  // namespace stator::engine

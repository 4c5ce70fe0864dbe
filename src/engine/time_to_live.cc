// UpdateTimeToLive and DescribeTimeToLive.

#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/background.h"
#include "engine/operations.h"
#include "engine/rewind.h"

namespace stator::engine {

Result<UpdateTimeToLiveOutput> UpdateTimeToLive(EngineCore& core,
                                                const UpdateTimeToLiveInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const TimeToLiveSpecification& wanted = input.time_to_live_specification;
  const auto lock = core.catalog.ChangeLock();
  TRY_VOID(core.transient_states.CheckArrived(
      TableNameFrom(input.table_name).value_or(input.table_name)));
  const TablePtr current = TRY(core.catalog.FindNamed(input.table_name));
  TRY_VOID(CheckIsOpen(*current));
  if (!wanted.enabled && !current->ttl_attribute) {
    return Invalid("TimeToLive is already disabled");
  }
  if (current->ttl_attribute && *current->ttl_attribute != wanted.attribute_name) {
    return Invalid("TimeToLive is active on a different AttributeName: current AttributeName is " +
                   *current->ttl_attribute);
  }
  if (wanted.enabled && current->ttl_attribute) {
    return Invalid("TimeToLive is already enabled");
  }
  // Last, so that whoever asks for what was asked for before hears the same however far the work is.
  if (current->ttl_enabling || current->ttl_disabling) {
    return Invalid("Time to live has been modified multiple times within a fixed interval");
  }
  Table next = *current;
  if (wanted.enabled) {
    next.ttl_attribute = wanted.attribute_name;
    next.ttl_enabling = true;
  } else {
    next.ttl_disabling = std::exchange(next.ttl_attribute, std::nullopt);
  }
  const std::uint32_t table_id = next.id;
  TRY_VOID(core.catalog.Publish(std::move(next)));
  core.background->Enqueue([&core, table_id]() -> Result<void> {
    TRY_VOID(core.background->AwaitNewSchema(table_id));
    return FinishTtlChange(core, table_id);
  });
  return UpdateTimeToLiveOutput{.time_to_live_specification = wanted};
}

Result<DescribeTimeToLiveOutput> DescribeTimeToLive(EngineCore& core,
                                                    const DescribeTimeToLiveInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const TablePtr table = TRY(core.catalog.FindNamed(input.table_name));
  DescribeTimeToLiveOutput output;
  // What was asked for is so from then on; the work behind it shows nowhere.
  if (table->ttl_attribute) {
    output.time_to_live_status = TimeToLiveStatus::kEnabled;
    output.attribute_name = table->ttl_attribute;
  }
  return output;
}

}  // namespace stator::engine

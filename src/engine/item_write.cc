#include "engine/item_write.h"

#include <memory>
#include <utility>

#include "stator/api/error_details.h"

namespace stator::engine {

Result<void> CheckCondition(const std::optional<expression::Condition>& condition,
                            const std::optional<Item>& before,
                            ReturnValuesOnConditionCheckFailure wanted) {
  if (!condition || condition->Matches(before ? &*before : nullptr)) {
    return {};
  }
  Error error{.code = ErrorCode::kConditionFailed, .message = "The conditional request failed"};
  if (wanted == ReturnValuesOnConditionCheckFailure::kAllOld && before) {
    auto detail = std::make_shared<ConditionFailedDetail>();
    detail->item = before;
    error.detail = std::move(detail);
  }
  return std::unexpected(std::move(error));
}

std::optional<ItemCollectionMetrics> CollectionMetrics(const Table& table, const Item& key,
                                                       ReturnItemCollectionMetrics wanted) {
  if (wanted == ReturnItemCollectionMetrics::kNone || !table.has_local_indexes()) {
    return std::nullopt;
  }
  // The service estimates in whole gigabytes, and says so with a lower and an upper bound.
  return ItemCollectionMetrics{
      .item_collection_key = {{table.partition.name, key.at(table.partition.name)}},
      .size_estimate_range_gb = {0.0, 1.0},
  };
}

}  // namespace stator::engine

// The part of an append's transaction that checks and moves heads, and what its failure tells.

#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "base/limits.h"
#include "stator/patterns/transaction.h"
#include "stores/events/core.h"
#include "stores/events/heads.h"

namespace stator::events {

// What the actions of an append are called, in the failures of its transaction.
inline constexpr const char* kEventLabel = "event";
inline constexpr const char* kRecordLabel = "append";
inline constexpr const char* kHeadLabel = "head";
inline constexpr const char* kGlobalHeadLabel = "global head";

// Room in a transaction for keys, names and conditions that are not counted exactly.
inline constexpr std::size_t kTransactionSlackBytes = 128 * limits::kKilobyte;

// Moves heads: the global one from where it was seen, watched ones too, others from anywhere below.
// Watched heads that do not move must still be where they were seen.
void AddHeadActions(const Core& core, const std::map<HeadKey, HeadMove>& moves,
                    const Heads& watched, const std::optional<Head>& global,
                    patterns::Transaction& transaction);

// What became of the actions of a transaction that failed.
const std::vector<patterns::ActionFailure>& ActionsOf(const Error& failure);

// The condition that an action failed with; null for another reason.
const patterns::ConditionFailed* FindFailedCondition(const patterns::ActionFailure& action);

// Takes note of the heads that were in the way: of the global one, and of the greatest id.
// REQUIRES: core.lane is held, if there is a global head.
void LearnHeads(Core& core, const Error& failure, SortableId& highest);

}  // namespace stator::events

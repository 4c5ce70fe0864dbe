// The condition of an append: which heads it has to watch, and whether an event stands in its way.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"
#include "stores/events/core.h"
#include "stores/events/heads.h"

namespace stator::events {

// Fails with kValidation for a condition that the recorded settings do not allow: on everything
// without a global head, on types alone without heads of types.
Result<void> CheckCondition(const Core& core, const AppendCondition& condition);

struct ConditionState {
  // As they were before the search for matches. While they stay there, so does its result: every
  // event that matches the query moves one of them.
  Heads watched;
  struct Match {
    std::string event_id;
    SortableId sortable_id;
  };
  std::optional<Match> match;  // the first
};

// The heads that conditions need, to be read before they are evaluated.
std::vector<HeadKey> FindHeads(const std::vector<AppendCondition>& conditions);

// All of them, with strong reads. `heads` are those of FindHeads, and perhaps others. Fails with
// kValidation for an `after` that says too little without a global head.
Result<ConditionState> EvaluateConditions(Core& core,
                                          const std::vector<AppendCondition>& conditions,
                                          const Heads& heads);

// The failure of an append whose condition does not hold.
Error MakeConflict(const ConditionState::Match& match);

}  // namespace stator::events

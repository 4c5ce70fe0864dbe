#include "stores/events/head_actions.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace stator::events {

void AddHeadActions(const Core& core, const std::map<HeadKey, HeadMove>& moves,
                    const Heads& watched, const std::optional<Head>& global,
                    patterns::Transaction& transaction) {
  for (const auto& [key, move] : moves) {
    const auto seen = watched.find(key);
    const bool is_global = key.kind == HeadKey::Kind::kAll;
    patterns::Condition condition = IsBelow(move.first);
    if (is_global) {
      condition = IsStill(global);
    } else if (seen != watched.end()) {
      condition = IsStill(seen->second);
    }
    transaction.PatchOrInsert({.table = core.tags_table,
                               .key = core.keys.Head(key),
                               .update = MakeHeadUpdate(key, move),
                               .condition = std::move(condition),
                               .label = is_global ? kGlobalHeadLabel : kHeadLabel});
  }
  for (const auto& [key, head] : watched) {
    if (!moves.contains(key)) {
      transaction.Require({.table = core.tags_table,
                           .key = core.keys.Head(key),
                           .condition = IsStill(head),
                           .label = kHeadLabel});
    }
  }
}

const std::vector<patterns::ActionFailure>& ActionsOf(const Error& failure) {
  static const std::vector<patterns::ActionFailure> none;
  const auto* const detail = FindDetail<patterns::TransactionDetail>(failure);
  return detail == nullptr ? none : detail->actions;
}

const patterns::ConditionFailed* FindFailedCondition(const patterns::ActionFailure& action) {
  return std::get_if<patterns::ConditionFailed>(&action.reason);
}

void LearnHeads(Core& core, const Error& failure, SortableId& highest) {
  for (const patterns::ActionFailure& action : ActionsOf(failure)) {
    const patterns::ConditionFailed* failed = FindFailedCondition(action);
    if (failed == nullptr || (action.label != kHeadLabel && action.label != kGlobalHeadLabel)) {
      continue;
    }
    const Result<Head> head =
        failed->item ? DecodeHead(*failed->item) : Fail(ErrorCode::kCorruption, "no item");
    if (head) {
      highest = std::max(highest, head->last);
    }
    if (action.label == kGlobalHeadLabel) {
      core.global_head = head ? std::optional<Head>(*head) : std::nullopt;
    }
  }
  core.source.Observe(highest);
}

}  // namespace stator::events

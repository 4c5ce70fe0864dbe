// Several appends in one transaction, in an order in which each could have come after the other.

#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/transaction.h"
#include "stator/stores/events/append.h"
#include "stores/events/core.h"
#include "stores/events/heads.h"

namespace stator::events {

class AppendRun;

// Which appends go together: what fits one transaction, and no condition that an event of an
// earlier member would break; that one has to wait until the event is there, and is then refused.
class AppendGroupLimits {
 public:
  explicit AppendGroupLimits(const Core& core) : core_(&core) {}

  // The first one is always admitted. One that is left out does not hold up those behind it.
  bool Admit(const AppendRun& run);

 private:
  [[nodiscard]] bool IsCompatible(const AppendRun& run) const;

  const Core* core_;
  std::vector<const AppendRun*> members_;
  std::set<HeadKey> heads_;  // moved or watched
  std::set<std::string> entries_;
  std::set<std::string> append_ids_;
  std::size_t actions_ = 0;
  std::size_t bytes_ = 0;
};

class AppendGroup {
 public:
  AppendGroup(Core& core, std::vector<AppendRun*> runs) : core_(&core), runs_(std::move(runs)) {}

  // Those that were committed, together. The others were not, as far as is known, and each has to
  // go on alone. REQUIRES: core.lane is held.
  std::vector<AppendRun*> Commit();

  static Appended AnswerOf(const AppendRun& run);

 private:
  enum class Outcome : std::uint8_t { kCommitted, kMoved, kFailed };

  // Leaves out those whose conditions do not hold. Which heads must stay for the others. False when
  // nothing could be read.
  bool Evaluate();
  Outcome TryOnce();
  void AssignAllPlaces();
  Outcome Judge(const Error& failure);
  void RememberCommit();

  Core* core_;
  std::vector<AppendRun*> runs_;
  Heads watched_;
  std::optional<Head> global_;
  SortableId highest_;
};

}  // namespace stator::events

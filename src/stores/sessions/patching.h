// Changes of one record in one conditional write, without reading it: what workers do. None of them
// makes a record, brings back one that has expired, or touches one of another epoch.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/patterns/expression.h"
#include "stator/patterns/update.h"
#include "stator/stores/sessions/record.h"
#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/workflow.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {

// Of `from`, or of all states when it is empty, whether `to` can be reached from there. Fails with
// kIllegalTransition.
Result<std::vector<std::string>> LegalOrigins(const StateMachine& machine,
                                              const std::vector<std::string>& from,
                                              const std::string& to);

// Why an update was refused, told by the record as it is. Nothing: the epoch is over, or there is
// no record.
using Explain = std::function<Error(const Record& current)>;

// Adds the expiry to the update, and epoch and existence to the condition. `repeatable` as in
// patterns::PatchOptions.
Result<Record> PatchRecord(SessionState& state, const KindSpec& kind, std::string_view id,
                           patterns::Update update, const patterns::Condition& condition,
                           bool repeatable, const Explain& explain);

struct StateUpdate {
  std::vector<std::string> from;
  std::string to;
  patterns::Update update = {};
  patterns::Condition condition = {};
  std::optional<std::string> worker = std::nullopt;
  std::optional<Duration> lease = std::nullopt;
};

Result<Record> ChangeState(SessionState& state, const KindSpec& kind, std::string_view id,
                           const StateUpdate& change);

// The lease is this worker's and has not lapsed.
patterns::Condition HoldsLease(const SessionStoreCore& core, const std::string& worker);
// Nobody else's lease is in the way.
patterns::Condition MayTakeLease(const SessionStoreCore& core, const std::string& worker);
void SetLease(const SessionStoreCore& core, const std::string& worker, Duration length,
              patterns::Update& update);
bool IsLeaseHeldBy(const SessionStoreCore& core, const Record& record, const std::string& worker);

Error StaleRecord();
Error IllegalTransition(const Record& current, const std::string& wanted);

}  // namespace stator::sessions

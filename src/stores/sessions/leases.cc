#include <utility>

#include "base/try.h"
#include "stator/stores/sessions/session.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/patching.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;
using patterns::Update;

Error LeaseError(ErrorCode code, const Record& current) {
  return MakeError(code, "the lease is another worker's, or nobody's",
                   {.state = current.state, .lease = current.lease});
}

Condition IsWorking(const KindSpec& kind) {
  return kind.machine.empty() ? Condition()
                              : Attribute(kind.machine.attribute) == kind.machine.working;
}

bool IsWorking(const KindSpec& kind, const Record& record) {
  return kind.machine.empty() || record.state == kind.machine.working;
}

}  // namespace

Result<Record> Session::TakeLease(std::string_view kind, std::string_view id,
                                  std::string_view worker, Duration length) const {
  const SessionStoreCore& core = *state_->core;
  const KindSpec* spec = TRY(core.Kind(kind));
  Update update;
  SetLease(core, std::string(worker), length, update);
  return PatchRecord(*state_, *spec, id, std::move(update),
                     IsWorking(*spec) && MayTakeLease(core, std::string(worker)),
                     /*repeatable=*/true, [&](const Record& current) {
                       return IsWorking(*spec, current)
                                  ? LeaseError(ErrorCode::kLeaseHeld, current)
                                  : IllegalTransition(current, spec->machine.working);
                     });
}

Result<Record> Session::RenewLease(std::string_view kind, std::string_view id,
                                   std::string_view worker, Duration length) const {
  const SessionStoreCore& core = *state_->core;
  const KindSpec* spec = TRY(core.Kind(kind));
  Update update;
  SetLease(core, std::string(worker), length, update);
  return PatchRecord(*state_, *spec, id, std::move(update), HoldsLease(core, std::string(worker)),
                     /*repeatable=*/true, [](const Record& current) {
                       return LeaseError(ErrorCode::kLeaseLost, current);
                     });
}

Result<Record> Session::ReleaseLease(std::string_view kind, std::string_view id,
                                     std::string_view worker) const {
  const SessionStoreCore& core = *state_->core;
  const KindSpec* spec = TRY(core.Kind(kind));
  return PatchRecord(
      *state_, *spec, id, Update().Remove(kLeaseOwner).Remove(kLeaseUntil),
      HoldsLease(core, std::string(worker)), /*repeatable=*/true,
      [](const Record& current) { return LeaseError(ErrorCode::kLeaseLost, current); });
}

}  // namespace stator::sessions

// PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy. What a policy means is no matter of the
// engine: whoever knows the callers evaluates it.

#include "engine/resource_policy.h"

#include <optional>
#include <utility>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/resource_arn.h"
#include "engine/stream_row.h"
#include "policy/policy.h"

namespace stator::engine {
namespace {

using keyspace::AttachedPolicy;

constexpr std::string_view kNoPolicy = "NO_POLICY";

// What has a policy, or can have one: a table or a stream.
struct Holder {
  TablePtr table = nullptr;
  std::optional<StreamRow> stream = std::nullopt;

  [[nodiscard]] std::string Arn() const { return table ? table->arn : ArnOf(*stream); }
  [[nodiscard]] const std::optional<AttachedPolicy>& policy() const {
    return table ? table->policy : stream->policy;
  }
};

Result<Holder> FindHolder(const EngineCore& core, const std::string& arn, std::string_view action) {
  if (IsStreamArn(arn)) {
    StreamRow stream = TRY(FindStream(core, arn));
    return Holder{.stream = std::move(stream)};
  }
  TRY_VOID(CheckResourceArn(core, arn, action));
  Result<TablePtr> table = core.catalog.FindNamed(arn);
  if (!table) {
    return Fail(ErrorCode::kResourceNotFound, std::move(table).error().message);
  }
  return Holder{.table = *std::move(table)};
}

// As it is about to be changed.
Result<Holder> FindChanged(const EngineCore& core, const std::string& arn,
                           std::string_view action) {
  if (const auto name = TableNameFrom(arn)) {
    TRY_VOID(core.transient_states.CheckArrived(*name));
  }
  return FindHolder(core, arn, action);
}

// REQUIRES: ChangeLock.
Result<void> SetPolicy(EngineCore& core, Holder holder, std::optional<AttachedPolicy> policy)
    STATOR_REQUIRES(core.catalog.change_mutex()) {
  if (holder.table) {
    Table next = *holder.table;
    next.policy = std::move(policy);
    TRY_VOID(core.catalog.Publish(std::move(next)));
    return {};
  }
  holder.stream->policy = std::move(policy);
  storage::WriteBatch batch;
  PutStream(*holder.stream, batch);
  return core.store->Write(std::move(batch));
}

std::unexpected<Error> NotFound(const std::string& arn) {
  return Fail(ErrorCode::kPolicyNotFound,
              "Resource-based policy not found for the provided ResourceArn: " + arn);
}

Result<void> CheckRevision(const Holder& holder, const std::optional<std::string>& expected) {
  if (!expected) {
    return {};
  }
  const std::string_view current =
      holder.policy() ? std::string_view(holder.policy()->revision) : kNoPolicy;
  if (*expected != current) {
    return Fail(
        ErrorCode::kPolicyNotFound,
        "Resource-based policy not found for the provided ResourceArn: Requested update for "
        "policy with revision ID " +
            *expected);
  }
  return {};
}

}  // namespace

Result<AttachedPolicy> MakeAttachedPolicy(EngineCore& core, const std::string& text,
                                          std::string_view resource_arn) {
  if (text.size() > limits::kResourcePolicyBytesMax) {
    return Invalid("One or more parameter values were invalid: the policy has " +
                   std::to_string(text.size()) + " bytes, which is more than the " +
                   std::to_string(limits::kResourcePolicyBytesMax) + " that it may have");
  }
  const Result<policy::Policy> parsed = policy::Policy::ParseAttached(text);
  const Result<void> fits =
      parsed ? parsed->CheckFor(resource_arn) : std::unexpected(parsed.error());
  if (!fits) {
    return Invalid("One or more parameter values were invalid: Invalid policy document: " +
                   fits.error().message);
  }
  return AttachedPolicy{.text = text, .revision = core.random.Uuid()};
}

Result<PutResourcePolicyOutput> PutResourcePolicy(EngineCore& core,
                                                  const PutResourcePolicyInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const auto lock = core.catalog.ChangeLock();
  Holder holder = TRY(FindChanged(core, input.resource_arn, "PutResourcePolicy"));
  AttachedPolicy next = TRY(MakeAttachedPolicy(core, input.policy, holder.Arn()));
  TRY_VOID(CheckRevision(holder, input.expected_revision_id));
  if (holder.policy() && holder.policy()->text == input.policy) {
    return PutResourcePolicyOutput{.revision_id = holder.policy()->revision};
  }
  PutResourcePolicyOutput output{.revision_id = next.revision};
  TRY_VOID(SetPolicy(core, std::move(holder), std::move(next)));
  return output;
}

Result<GetResourcePolicyOutput> GetResourcePolicy(EngineCore& core,
                                                  const GetResourcePolicyInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const Holder holder = TRY(FindHolder(core, input.resource_arn, "GetResourcePolicy"));
  if (!holder.policy()) {
    return NotFound(input.resource_arn);
  }
  return GetResourcePolicyOutput{.policy = holder.policy()->text,
                                 .revision_id = holder.policy()->revision};
}

Result<DeleteResourcePolicyOutput> DeleteResourcePolicy(EngineCore& core,
                                                        const DeleteResourcePolicyInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const auto lock = core.catalog.ChangeLock();
  Holder holder = TRY(FindChanged(core, input.resource_arn, "DeleteResourcePolicy"));
  if (!holder.policy()) {
    return input.expected_revision_id
               ? Result<DeleteResourcePolicyOutput>(NotFound(input.resource_arn))
               : DeleteResourcePolicyOutput{};
  }
  TRY_VOID(CheckRevision(holder, input.expected_revision_id));
  DeleteResourcePolicyOutput output{.revision_id = holder.policy()->revision};
  TRY_VOID(SetPolicy(core, std::move(holder), std::nullopt));
  return output;
}

}  // namespace stator::engine

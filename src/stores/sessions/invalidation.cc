#include <algorithm>
#include <set>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"
#include "stator/stores/sessions/session.h"
#include "stores/sessions/blobs.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/record_codec.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Update;

// What can be removed of a session, by how it has to be.
struct Leftovers {
  std::vector<std::string> once = {};  // their keys do not come again
  // Sort key and epoch: one of a later epoch may take the place at any time.
  std::vector<std::pair<std::string, std::int64_t>> reusable = {};
};

struct Removed {
  std::vector<std::string> deleted = {};
  std::vector<std::string> remaining = {};
  std::optional<Error> error = std::nullopt;
};

// Everything of epochs before those of `meta`; with `all` of these, too. Never of later ones, which
// may begin while this is read.
Result<Leftovers> FindLeftovers(const SessionState& state, const Meta& meta, bool all) {
  const SessionStoreCore& core = *state.core;
  Leftovers found;
  Result<void> walked = core.live.ForEach(
      core.partition,
      {.partition = core.PartitionOf(state.id), .attributes = {kEpoch}, .include_expired = true},
      [&](const Item& item) {
        const std::string sort_key = TextOf(item, kSortKey);
        const KindSpec* kind = core.workflow.FindKindOfKey(sort_key);
        if (kind == nullptr) {
          return true;
        }
        const std::int64_t epoch = EpochOfItem(item);
        const std::int64_t current = meta.EpochOf(kind->step);
        if (epoch > current || (epoch == current && !all)) {
          return true;
        }
        const bool comes_again =
            kind->reusable_ids && ParseSortKey(*kind, sort_key).role != KeyRole::kPart;
        if (comes_again) {
          found.reusable.emplace_back(sort_key, epoch);
        } else {
          found.once.push_back(sort_key);
        }
        return true;
      });
  if (!walked) {
    return std::unexpected(std::move(walked).error());
  }
  return found;
}

void RemoveOnce(const SessionState& state, const std::vector<std::string>& keys, Removed& removed) {
  const SessionStoreCore& core = *state.core;
  if (keys.empty()) {
    return;
  }
  std::vector<WriteRequest> writes;
  writes.reserve(keys.size());
  for (const std::string& key : keys) {
    writes.emplace_back(DeleteRequest{core.MakeKey(state.id, key)});
  }
  patterns::BatchWriteOutcome outcome =
      patterns::BatchWriter(*core.database, {.parallelism = 1, .allow_versioned = true},
                            core.environment)
          .Write({{.table = core.layout, .writes = std::move(writes)}});
  std::set<std::string> left;
  for (const patterns::TableWrites& table : outcome.remaining) {
    for (const WriteRequest& write : table.writes) {
      left.insert(TextOf(std::get<DeleteRequest>(write).key, kSortKey));
    }
  }
  for (const std::string& key : keys) {
    (left.contains(key) ? removed.remaining : removed.deleted).push_back(key);
  }
  if (outcome.error) {
    removed.error = std::move(outcome.error);
  }
}

void RemoveIfStillOld(const SessionState& state, const std::string& key, std::int64_t epoch,
                      Removed& removed) {
  const SessionStoreCore& core = *state.core;
  const DeleteItemInput input = patterns::MakeDelete(
      core.options.table, core.MakeKey(state.id, key), EpochIs(Attribute(kEpoch), epoch));
  const Result<DeleteItemOutput> output = patterns::RetryTransient(
      core.options.retry, core.environment, [&] { return core.database->DeleteItem(input); });
  // A failed condition: a record of a later epoch has taken the place.
  if (output || output.error().code == ErrorCode::kConditionFailed) {
    removed.deleted.push_back(key);
  } else {
    removed.remaining.push_back(key);
    removed.error = output.error();
  }
}

Removed RemoveLeftovers(const SessionState& state, const Meta& meta, bool all) {
  Removed removed;
  const Result<Leftovers> found = FindLeftovers(state, meta, all);
  if (!found) {
    removed.error = found.error();
    return removed;
  }
  RemoveOnce(state, found->once, removed);
  for (const auto& [key, epoch] : found->reusable) {
    RemoveIfStillOld(state, key, epoch, removed);
  }
  std::sort(removed.deleted.begin(), removed.deleted.end());
  return removed;
}

Result<Invalidation> Report(std::vector<std::string> steps, Removed removed, CleanedBlobs blobs) {
  if (removed.error || !blobs.remaining.empty()) {
    std::vector<std::string> remaining = std::move(removed.remaining);
    remaining.insert(remaining.end(), blobs.remaining.begin(), blobs.remaining.end());
    return std::unexpected(
        MakeError(ErrorCode::kIncomplete,
                  "what was invalidated is invisible, but not all of it could be removed; sweep "
                  "again later",
                  {.remaining = std::move(remaining), .cause = std::move(removed.error)}));
  }
  return Invalidation{.steps = std::move(steps),
                      .deleted = std::move(removed.deleted),
                      .blobs_removed = blobs.removed};
}

std::vector<std::string> FoldersOf(const Workflow& workflow,
                                   const std::vector<std::string>& steps) {
  std::vector<std::string> folders;
  for (const std::string& step : steps) {
    const StepSpec* spec = workflow.FindStep(step);
    folders.insert(folders.end(), spec->blob_folders.begin(), spec->blob_folders.end());
  }
  return folders;
}

// Writes to the session itself, for whoever owns it. What it is afterwards.
Result<Meta> PatchMeta(const SessionState& state, const Update& update) {
  const SessionStoreCore& core = *state.core;
  core.Forget(state.id);
  Result<patterns::VersionedItem> written =
      core.items.Patch(core.MetaKey(state.id), update, MetaIsOurs(state));
  if (written) {
    return ParseMeta(written->item);
  }
  const Error& error = written.error();
  if (error.code == ErrorCode::kNotFound || error.code == ErrorCode::kExpired) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  const std::optional<patterns::VersionedItem>& current = patterns::FactsOf(error).current;
  if (error.code == ErrorCode::kRefused && current) {
    TRY_VOID(CheckMeta(state, ParseMeta(current->item)));
  }
  return std::unexpected(FromWrite(core, error));
}

// The fence: one write that ends the epochs of all steps at once.
Result<Invalidation> Invalidate(SessionState& state, const std::vector<std::string>& steps) {
  if (steps.empty()) {
    return Invalidation{};
  }
  const SessionStoreCore& core = *state.core;
  Update update;
  for (const std::string& step : steps) {
    const Attribute epoch = Attribute(kEpoch)[step];
    update.Set(epoch, patterns::Sum(patterns::IfNotExists(epoch, 0), 1));
  }
  for (const KindSpec& kind : core.workflow.spec().kinds) {
    if (std::find(steps.begin(), steps.end(), kind.step) != steps.end()) {
      update.Remove(Attribute(kLatest)[kind.name]);
    }
  }
  const std::vector<std::string> folders = FoldersOf(core.workflow, steps);
  const FoundBlobs blobs = folders.empty() ? FoundBlobs() : FindBlobs(core, state.id, folders);
  const Meta meta = TRY(PatchMeta(state, update));
  state.LearnEpochs(meta, steps);
  Removed removed = RemoveLeftovers(state, meta, /*all=*/false);
  return Report(steps, std::move(removed), RemoveBlobs(core, blobs));
}

}  // namespace

Result<Invalidation> Session::InvalidateFrom(std::string_view step) const {
  return Invalidate(*state_, TRY(state_->core->workflow.StepsFrom(step)));
}

Result<Invalidation> Session::InvalidateAfter(std::string_view step) const {
  return Invalidate(*state_, TRY(state_->core->workflow.StepsAfter(step)));
}

Result<Invalidation> Session::Sweep() const {
  const sessions::Meta meta = TRY(ReadMeta(*state_));
  return Report({}, RemoveLeftovers(*state_, meta, /*all=*/false), {});
}

Result<Invalidation> Session::Expire() const {
  const SessionStoreCore& core = *state_->core;
  const AttributeValue now = patterns::Expiry::Now(*core.environment.clock).ToValue();
  const FoundBlobs blobs = FindBlobs(core, state_->id, {});
  const sessions::Meta meta = TRY(PatchMeta(*state_, Update().Set(kExpiry, now)));
  Removed removed = RemoveLeftovers(*state_, meta, /*all=*/true);
  return Report({}, std::move(removed), RemoveBlobs(core, blobs));
}

}  // namespace stator::sessions

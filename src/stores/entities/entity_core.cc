#include "stator/stores/entities/detail/entity_core.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/patterns/advice.h"
#include "stator/patterns/requests.h"
#include "stores/entities/failures.h"
#include "stores/entities/item_layout.h"
#include "stores/entities/open_entities.h"
#include "stores/entities/recent_writes.h"

namespace stator::entities::detail {

namespace {

using patterns::TableLayout;
using patterns::VersionedItem;

TableLayout TableOf(const EntityDescription& entity, const RepositoryOptions& options) {
  TableLayout table{
      .table_name = options.table_name.empty() ? entity.name : options.table_name,
      .key_attributes = {entity.partition_key.attribute},
      .expiry_attribute = entity.expiry_attribute,
      .versioned = true,
  };
  if (entity.sort_key) {
    table.key_attributes.push_back(entity.sort_key->attribute);
  }
  return table;
}

patterns::VersionedItemsOptions ItemOptions(const EntityDescription& entity,
                                            const RepositoryOptions& options) {
  const bool by_time = entity.lock == Lock::kLastWrite;
  return {
      .names = RevisionNamesOf(entity),
      .recent_writes_kept = options.write_ids_kept,
      .rule = by_time ? patterns::RevisionRule::kMilliseconds : patterns::RevisionRule::kCount,
      .retry = options.retry,
  };
}

bool HasTextKeys(const EntityDescription& entity) {
  return entity.partition_key.type == ScalarAttributeType::kString &&
         (!entity.sort_key || entity.sort_key->type == ScalarAttributeType::kString);
}

}  // namespace

EntityFacts EntityCore::FactsAbout(ErrorCode code, std::uint64_t seen_rev) const {
  return {.seen_rev = seen_rev,
          .retry_after = IsThrottled(code) ? Duration(options_.retry.wait_max) : Duration::zero()};
}

Error EntityCore::FromRead(Error error) const {
  error = patterns::WithAdvice(patterns::ToReadError(std::move(error)), table().table_name,
                               "entity " + entity().name);
  return MakeError(error.code, std::move(error.message), FactsAbout(error.code, 0));
}

Result<std::shared_ptr<const EntityCore>> EntityCore::Make(
    Database& database, EntityDescription entity, Migrations migrations, const EntityCodec& codec,
    RepositoryOptions options, patterns::Environment environment) {
  TRY_VOID(CheckVersions(entity));
  if (!entity.unique.empty() && !options.guard_table && !HasTextKeys(entity)) {
    return Invalid("entity " + entity.name +
                   ": unique values need a guard_table, because the keys of the entity's own "
                   "table are no text");
  }
  auto layout = std::make_unique<const ItemLayout>(std::move(entity), std::move(migrations), codec);
  const std::shared_ptr<const EntityCore> core(
      new EntityCore(database, std::move(layout), std::move(options), environment));
  TRY_VOID(NoteOpen(core));
  return core;
}

EntityCore::EntityCore(Database& database, std::unique_ptr<const ItemLayout> layout,
                       RepositoryOptions options, patterns::Environment environment)
    : database_(&database),
      layout_(std::move(layout)),
      options_(std::move(options)),
      environment_(environment),
      items_(database, TableOf(layout_->entity(), options_),
             ItemOptions(layout_->entity(), options_), environment),
      live_(database, {.retry = options_.retry}, environment),
      batch_(database, {}, environment) {
  if (HasUnique()) {
    TableLayout guards = options_.guard_table.value_or(table());
    guards.versioned = false;
    guards_.emplace(std::move(guards), entity().name, entity().unique);
  }
  if (options_.read_your_writes > Duration::zero()) {
    recent_ =
        std::make_unique<RecentWrites>(options_.read_your_writes, options_.remembered_writes_max);
  }
}

EntityCore::~EntityCore() = default;

const EntityDescription& EntityCore::entity() const {
  return layout_->entity();
}

const TableLayout& EntityCore::table() const {
  return items_.versioning().layout();
}

bool EntityCore::HasUnique() const {
  return !entity().unique.empty();
}

RepositoryCounts EntityCore::counts() const {
  return {.writes = writes_,
          .conflicts = conflicts_,
          .strong_reads = strong_reads_,
          .migrated_reads = migrated_reads_,
          .written_back = written_back_,
          .clock_ahead = clock_ahead_};
}

void EntityCore::Note(const VersionedItem& written) const {
  ++writes_;
  if (recent_) {
    const Result<Item> key = patterns::KeyOf(table(), written.item);
    recent_->Note(patterns::KeyText(key.value_or(Item())), written.revision.number,
                  environment_.clock->Elapsed());
  }
}

void EntityCore::NoteRemoved(const Item& key) const {
  ++writes_;
  if (recent_) {
    recent_->Note(patterns::KeyText(key), std::nullopt, environment_.clock->Elapsed());
  }
}

Result<EntityState> EntityCore::StateOf(Item item) const {
  return layout_->Read(items_.versioning().Read(std::move(item)));
}

Result<bool> EntityCore::ReadItem(Item key, bool consistent, VersionedItem& found) const {
  if (consistent || !recent_) {
    return items_.ReadInto(std::move(key), {.consistent_read = consistent}, found);
  }
  Result<bool> read = items_.ReadInto(key, {.consistent_read = false}, found);
  if (read && recent_->IsStale(patterns::KeyText(key),
                               *read ? std::optional(found.revision.number) : std::nullopt,
                               environment_.clock->Elapsed())) {
    ++strong_reads_;
    read = items_.ReadInto(std::move(key), {}, found);
  }
  return read;
}

Result<bool> EntityCore::ReadInto(Item key, bool consistent, EntityState& state) const {
  Result<bool> found = ReadItem(std::move(key), consistent, state.stored);
  if (!found) {
    return std::unexpected(FromRead(std::move(found).error()));
  }
  if (!*found) {
    return false;
  }
  TRY_VOID(layout_->ReadFields(state));
  if (state.stored_version < state.data_version) {
    ++migrated_reads_;
    if (options_.write_back == WriteBack::kOnRead) {
      if (Result<EntityState> written = WriteBackOnce(state)) {
        ++written_back_;
        state = *std::move(written);
      }
    }
  }
  return true;
}

Result<std::optional<EntityState>> EntityCore::Read(Item key, bool consistent) const {
  // The one variable that is returned is made where the caller wants it.
  Result<std::optional<EntityState>> read(std::in_place, std::in_place);
  if (Result<bool> found = ReadInto(std::move(key), consistent, **read); !found) {
    read = std::unexpected(std::move(found).error());
  } else if (!*found) {
    read->reset();
  }
  return read;
}

Result<std::vector<std::optional<EntityState>>> EntityCore::StatesOf(
    std::vector<std::optional<Item>> items) const {
  std::vector<std::optional<EntityState>> states;
  states.reserve(items.size());
  for (std::optional<Item>& item : items) {
    if (item) {
      states.emplace_back(TRY(StateOf(*std::move(item))));
    } else {
      states.emplace_back(std::nullopt);
    }
  }
  return states;
}

Result<std::vector<std::optional<EntityState>>> EntityCore::ReadMany(const std::vector<Item>& keys,
                                                                     bool consistent) const {
  patterns::BatchReadOutcome read = batch_.Read(table(), keys, {.consistent_read = consistent});
  if (!read.complete()) {
    return std::unexpected(
        FromRead(read.error.value_or(Error{ErrorCode::kThrottled, "some keys were not read"})));
  }
  return StatesOf(std::move(read.items));
}

Result<std::vector<std::optional<EntityState>>> EntityCore::ReadTogether(
    const std::vector<Item>& keys) const {
  auto read = live_.GetTogether(table(), keys);
  if (!read) {
    return std::unexpected(FromRead(std::move(read).error()));
  }
  return StatesOf(*std::move(read));
}

}  // namespace stator::entities::detail

#include "stator/stores/entities/maintenance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stores/entities/segmented_scan.h"
#include "value/size.h"

namespace stator::entities {

namespace detail {

namespace {

using patterns::Attribute;
using patterns::TableLayout;

constexpr std::size_t kProblemsMax = 100;
constexpr int kSegmentsMax = 1000;
constexpr double kWriteUnitBytes = 1024;

std::vector<SegmentPosition> NewPositions(const ScanOptions& options) {
  return std::vector<SegmentPosition>(
      static_cast<std::size_t>(std::clamp(options.segments, 1, kSegmentsMax)));
}

// Which items are in an old shape, as far as the database can tell.
patterns::Condition IsOld(const EntityDescription& entity) {
  const Attribute version(entity.names().data_version);
  const patterns::Condition old = version < entity.data_version;
  return entity.implicit_version < entity.data_version ? old || version.NotExists() : old;
}

double WriteUnits(const Item& item) {
  return std::ceil(static_cast<double>(value::SizeOfItem(item)) / kWriteUnitBytes);
}

// How far a backfill got, in the database.
class Checkpoint {
 public:
  static Result<Checkpoint> Make(const EntityCore& core, const BackfillOptions& options) {
    const EntityDescription& entity = core.entity();
    const bool has_text_keys =
        entity.partition_key.type == ScalarAttributeType::kString &&
        (!entity.sort_key || entity.sort_key->type == ScalarAttributeType::kString);
    if (!options.checkpoint_table && !has_text_keys) {
      return Invalid("the checkpoint needs a checkpoint_table, because the keys of table " +
                     core.table().table_name + " are no text");
    }
    TableLayout table = options.checkpoint_table.value_or(core.table());
    Item key = {{table.key_attributes.front(), "BACKFILL#" + entity.name + "#v" +
                                                   std::to_string(entity.data_version) +
                                                   (options.everything ? "#everything" : "")}};
    if (table.key_attributes.size() > 1) {
      key.Set(table.key_attributes[1], "BACKFILL");
    }
    return Checkpoint(core.database(), std::move(table), std::move(key));
  }

  // Where an interrupted backfill of as many segments stopped.
  Result<std::optional<std::vector<SegmentPosition>>> Load(std::size_t segments,
                                                           std::uint64_t& migrated) {
    const GetItemOutput output = TRY(database_->GetItem(
        {.table_name = table_.table_name, .key = key_, .consistent_read = true}));
    const Item* item = output.item ? &*output.item : nullptr;
    const AttributeValue* complete = item == nullptr ? nullptr : item->Find("complete");
    const AttributeValue* list = item == nullptr ? nullptr : item->Find("positions");
    const List* positions = list == nullptr ? nullptr : list->If<List>();
    if (positions == nullptr || positions->size() != segments ||
        (complete != nullptr && *complete == AttributeValue(true))) {
      return std::nullopt;
    }
    std::vector<SegmentPosition> loaded;
    for (const AttributeValue& position : *positions) {
      const Map* map = position.If<Map>();
      const AttributeValue* next = map == nullptr ? nullptr : map->Find("next");
      const AttributeValue* done = map == nullptr ? nullptr : map->Find("done");
      loaded.push_back({.next = next != nullptr && next->Is<Map>()
                                    ? std::optional<Item>(*next->If<Map>())
                                    : std::nullopt,
                        .done = done != nullptr && *done == AttributeValue(true)});
    }
    const AttributeValue* count = item->Find("migrated");
    const Number* number = count == nullptr ? nullptr : count->If<Number>();
    migrated = number == nullptr ? 0 : static_cast<std::uint64_t>(number->ToInt64().value_or(0));
    return loaded;
  }

  Result<void> Save(const std::vector<SegmentPosition>& positions, std::uint64_t migrated) {
    List list;
    bool complete = true;
    for (const SegmentPosition& position : positions) {
      Map map = {{"done", position.done}};
      if (position.next) {
        map.Set("next", AttributeValue(*position.next));
      }
      complete = complete && position.done;
      list.emplace_back(std::move(map));
    }
    Item item = key_;
    item.Set("positions", AttributeValue(std::move(list)));
    item.Set("migrated", migrated);
    item.Set("complete", complete);
    TRY_VOID(database_->PutItem({.table_name = table_.table_name, .item = std::move(item)}));
    return {};
  }

 private:
  Checkpoint(Database& database, TableLayout table, Item key)
      : database_(&database), table_(std::move(table)), key_(std::move(key)) {}

  Database* database_;
  TableLayout table_;
  Item key_;
};

// What becomes of one item.
void MigrateItem(const EntityCore& core, Item item, BackfillReport& report, double& units,
                 const BackfillOptions& options) {
  const std::string key = patterns::KeyText(patterns::KeyOf(core.table(), item).value_or(Item()));
  const double write_units = WriteUnits(item);
  const auto problem = [&](const Error& error) {
    ++report.failed;
    if (report.problems.size() < kProblemsMax) {
      report.problems.push_back({key, std::string(NameOf(error.code)) + ": " + error.message});
    }
  };
  const Result<EntityState> state = core.StateOf(std::move(item));
  if (!state) {
    if (const std::uint16_t version = FactsOf(state.error()).version; version != 0) {
      ++report.versions[version];
    }
    problem(state.error());
    return;
  }
  ++report.versions[state->stored_version];
  const bool is_old = state->stored_version < core.entity().data_version;
  if ((options.dry_run && is_old) || (!options.everything && !is_old)) {
    return;
  }
  Result<EntityState> written = is_old ? core.WriteBackOnce(*state) : *state;
  if (is_old && written) {
    ++report.migrated;
    units += write_units;
  }
  if (options.everything && written) {
    const Result<bool> completed =
        core.CompleteOnce(*written, options.begin_lives, options.dry_run);
    if (!completed) {
      written = std::unexpected(completed.error());
    } else if (*completed) {
      report.completed += is_old ? 0 : 1;
      units += write_units;
    }
  }
  if (written) {
    return;
  }
  if (patterns::IsOvertaken(written.error().code)) {
    ++report.lost;
  } else {
    problem(written.error());
  }
}

}  // namespace

Result<ScanProgress> ScanAll(const EntityCore& core, const ScanOptions& options,
                             const std::function<bool(Item)>& take) {
  SegmentedScan scan(core, options, {});
  return scan.Run(
      NewPositions(options),
      [&](std::vector<Item> items) -> std::optional<double> {
        for (Item& item : items) {
          if (!take(std::move(item))) {
            return std::nullopt;
          }
        }
        return 0.0;
      },
      [](const std::vector<SegmentPosition>&) { return Result<void>(); });
}

Result<BackfillReport> Backfill(const EntityCore& core, const BackfillOptions& options) {
  BackfillReport report;
  if (options.begin_lives && (!options.everything || !core.entity().life)) {
    return Invalid(options.everything
                       ? "entity " + core.entity().name + " has no life (kLife) to begin"
                       : "lives are begun by a backfill of everything");
  }
  std::vector<SegmentPosition> positions = NewPositions(options.scan);
  if (core.entity().write_as != core.entity().data_version && !options.dry_run) {
    return Invalid("a program that writes version " + std::to_string(core.entity().write_as) +
                   " cannot backfill version " + std::to_string(core.entity().data_version));
  }
  std::optional<Checkpoint> checkpoint;
  if (!options.dry_run) {
    checkpoint = TRY(Checkpoint::Make(core, options));
    if (options.resume) {
      auto loaded = TRY(checkpoint->Load(positions.size(), report.migrated));
      report.resumed = loaded.has_value();
      positions = std::move(loaded).value_or(std::move(positions));
    }
  }
  SegmentedScan scan(
      core, options.scan,
      options.dry_run || options.everything ? patterns::Condition() : IsOld(core.entity()));
  report.progress = TRY(scan.Run(
      std::move(positions),
      [&](std::vector<Item> items) -> std::optional<double> {
        double units = 0;
        for (Item& item : items) {
          MigrateItem(core, std::move(item), report, units, options);
        }
        return units;
      },
      [&](const std::vector<SegmentPosition>& reached) {
        return checkpoint ? checkpoint->Save(reached, report.migrated) : Result<void>();
      }));
  report.complete = scan.complete();
  return report;
}

}  // namespace detail

std::string BackfillReport::Text() const {
  std::string text = std::to_string(progress.scanned) + " items read, " + std::to_string(migrated) +
                     " migrated, " + std::to_string(completed) + " completed, " +
                     std::to_string(lost) + " written by others meanwhile, " +
                     std::to_string(failed) + " failed" + (complete ? "" : "; not complete") + "\n";
  for (const auto& [version, count] : versions) {
    text += "version " + std::to_string(version) + ": " + std::to_string(count) + "\n";
  }
  for (const BackfillProblem& problem : problems) {
    text += problem.key + ": " + problem.why + "\n";
  }
  return text;
}

}  // namespace stator::entities

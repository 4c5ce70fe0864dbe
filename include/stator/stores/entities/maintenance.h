// Going through all entities of a table: for tools, never for services. A scan reads everything and
// is paid for all of it, so it takes a verb of its own, a rate, and a name that one can search for.
//
//   MaintenanceScan scan(accounts, {.units_per_second = 100});
//   scan.ForEach([](const Versioned<Account>& account) { ...; return true; });
//
//   const auto report = Backfill(accounts, {.dry_run = true});      // how many of which version
//   const auto done = Backfill(accounts, {.scan = {.segments = 8, .units_per_second = 200}});
//
// A backfill stores every item that is in an old shape in the new one. Items migrate when they are
// read in any case; a backfill is for retiring a version, so that its step can be deleted. With
// `everything` it also gives the items of the current version what the entity declares since they
// were written: keys of indexes, and guards of unique fields. It may run while services read and
// write: each item is written only if nobody else wrote it. It writes down how far it got and,
// interrupted, goes on from there. backfill_main.h makes a command of it.
//
// FORMAT (the checkpoint, an item of the entity's table or of `checkpoint_table`)
//
//   partition key  S  "BACKFILL#" entity "#v" version, and "#everything" if it is that
//   sort key       S  "BACKFILL", when the table has one
//   positions      L  one map per segment: done BOOL, next M (the key to go on behind)
//   migrated       N  so far
//   complete       BOOL
//
// THREADS: segments are scanned by threads of their own; functions are called by one at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/table_layout.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stator/stores/entities/detail/typed.h"
#include "stator/stores/entities/repository.h"
#include "stator/stores/entities/verbs.h"

namespace stator::entities {

struct ScanProgress {
  std::uint64_t scanned = 0;  // items that were read
  std::uint64_t taken = 0;    // that were entities, alive, and passed the filter
  double units = 0;           // of capacity, read and written
};

struct ScanOptions {
  int segments = 4;
  // Capacity units per second, over all segments; nothing: as fast as it goes.
  std::optional<double> units_per_second = std::nullopt;
  bool consistent_read = false;
  std::optional<std::int32_t> page_items_max = std::nullopt;
  std::stop_token stop = {};
  // After every page.
  std::function<void(const ScanProgress&)> on_progress = {};
};

struct BackfillOptions {
  ScanOptions scan = {};
  // Looks at items of the current version, too, and completes them.
  bool everything = false;
  // Items without an expiry begin EntityTraits::kLife now; with `everything`.
  bool begin_lives = false;
  // Writes nothing, counts all items by version, and those that `everything` would complete.
  bool dry_run = false;
  // Goes on where an earlier one was interrupted, if that had as many segments.
  bool resume = true;
  // Needed when the keys of the entity's table are no text.
  std::optional<patterns::TableLayout> checkpoint_table = std::nullopt;
};

struct BackfillProblem {
  std::string key;  // in DynamoDB JSON
  std::string why;
};

struct BackfillReport {
  ScanProgress progress = {};
  std::map<std::uint16_t, std::uint64_t> versions = {};  // of the items that were looked at
  std::uint64_t migrated = 0;                            // also by earlier runs, if this resumed
  std::uint64_t completed = 0;                           // of the current version, by `everything`
  std::uint64_t lost = 0;    // somebody else wrote at the same time, and so migrated them
  std::uint64_t failed = 0;  // stay as they are
  std::vector<BackfillProblem> problems = {};  // the first hundred of those
  bool resumed = false;
  bool complete = false;  // not stopped before the end

  // For people.
  [[nodiscard]] std::string Text() const;
};

namespace detail {

// Calls `take` with every item that is an entity and not expired, until it returns false.
Result<ScanProgress> ScanAll(const EntityCore& core, const ScanOptions& options,
                             const std::function<bool(Item)>& take);
Result<BackfillReport> Backfill(const EntityCore& core, const BackfillOptions& options);

}  // namespace detail

template <Entity T>
class MaintenanceScan {
 public:
  template <Verbs kVerbs, IndexName... kIndexes>
    requires(Declares(kVerbs, Verbs::kMaintain))
  explicit MaintenanceScan(const Repository<T, kVerbs, kIndexes...>& repository,
                           ScanOptions options = {})
      : core_(detail::CoreAccess::Of(repository)), options_(std::move(options)) {}

  // Until `take` returns false; ends at the first entity that cannot be read.
  [[nodiscard]] Result<ScanProgress> ForEach(
      const std::function<bool(const Versioned<T>&)>& take) const {
    std::optional<Error> error;
    Result<ScanProgress> done = detail::ScanAll(*core_, options_, [&](Item item) {
      auto entity = detail::ToVersioned<T>(core_->StateOf(std::move(item)));
      if (!entity) {
        error = std::move(entity).error();
        return false;
      }
      return take(*entity);
    });
    if (error) {
      return std::unexpected(*std::move(error));
    }
    return done;
  }

 private:
  std::shared_ptr<const detail::EntityCore> core_;
  ScanOptions options_;
};

template <Entity T, Verbs kVerbs, IndexName... kIndexes>
MaintenanceScan(const Repository<T, kVerbs, kIndexes...>&, ScanOptions) -> MaintenanceScan<T>;
template <Entity T, Verbs kVerbs, IndexName... kIndexes>
MaintenanceScan(const Repository<T, kVerbs, kIndexes...>&) -> MaintenanceScan<T>;

// A tool of the program's own calls this; the program stator cannot know its types. Fails when the
// table cannot be read or the checkpoint not be kept; items that cannot be migrated are reported.
template <Entity T, Verbs kVerbs, IndexName... kIndexes>
  requires(Declares(kVerbs, Verbs::kMaintain))
[[nodiscard]] Result<BackfillReport> Backfill(const Repository<T, kVerbs, kIndexes...>& repository,
                                              const BackfillOptions& options = {}) {
  return detail::Backfill(*detail::CoreAccess::Of(repository), options);
}

}  // namespace stator::entities

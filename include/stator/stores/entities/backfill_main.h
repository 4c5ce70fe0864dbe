// The backfill command of a program: `stator` itself cannot know its types.
//
//   // backfill.cc, linked with stator::entities and stator::stator
//   int main(int argc, char** argv) {
//     return stator::entities::BackfillMain<Orders, Customers>(
//         argc, argv, [](const std::string& location) { return stator::Open(location); });
//   }
//
//   ./backfill --data aws:eu-central-1 --dry-run        how many of which version
//   ./backfill order --data aws:eu-central-1 --segments 8 --units-per-second 200
//   ./backfill --data … --everything                    keys of new indexes, guards of unique fields
//
// Interrupted and called again, it goes on where it was.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/stores/entities/maintenance.h"
#include "stator/stores/entities/options.h"
#include "stator/stores/entities/verbs.h"

namespace stator::entities {

// A database from what --data says.
using OpenDatabase = std::function<Result<std::unique_ptr<Database>>(const std::string& location)>;

// One entity of the command.
struct BackfillTask {
  std::string entity;
  std::function<Result<BackfillReport>(Database&, const RepositoryOptions&, const BackfillOptions&)>
      run;
};

// What main returns: 0 when every backfill came to its end and no item failed, 1 otherwise, 2 when
// the arguments make no sense; --help prints what they are. `arguments` are without the name of the
// program.
int RunBackfills(const std::vector<std::string>& arguments, const OpenDatabase& open,
                 const std::vector<BackfillTask>& tasks);

template <class Repository>
[[nodiscard]] BackfillTask BackfillOf() {
  return {.entity = Repository::Describe().entity.name,
          .run = [](Database& database, const RepositoryOptions& options,
                    const BackfillOptions& backfill) -> Result<BackfillReport> {
            Result<Repository> repository = Repository::Open(database, options);
            if (!repository) {
              return std::unexpected(std::move(repository).error());
            }
            return Backfill(*repository, backfill);
          }};
}

template <class... Repositories>
[[nodiscard]] int BackfillMain(int argc, char** argv, const OpenDatabase& open) {
  std::vector<std::string> arguments;
  for (int at = 1; at < argc; ++at) {
    arguments.emplace_back(argv[at]);
  }
  return RunBackfills(arguments, open, {BackfillOf<Repositories>()...});
}

}  // namespace stator::entities

#include "stores/entities/open_entities.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "stator/base/mutex.h"
#include "stator/stores/entities/shared_table.h"

namespace stator::entities::detail {

namespace {

struct OpenEntities {
  Mutex mutex;
  // One core per entity is enough, and the last one that was opened lives longest.
  std::map<std::pair<const Database*, std::string>,
           std::map<std::string, std::weak_ptr<const EntityCore>>>
      tables STATOR_GUARDED_BY(mutex);
};

OpenEntities& All() {
  static OpenEntities all;
  return all;
}

}  // namespace

Result<void> NoteOpen(const std::shared_ptr<const EntityCore>& core) {
  OpenEntities& all = All();
  const MutexLock lock(all.mutex);
  // Nobody else takes those away that are gone.
  for (auto& [table, open] : all.tables) {
    std::erase_if(open, [](const auto& entity) { return entity.second.expired(); });
  }
  std::erase_if(all.tables, [](const auto& table) { return table.second.empty(); });
  auto& entities = all.tables[{&core->database(), core->table().table_name}];
  for (const auto& [name, other] : entities) {
    const std::shared_ptr<const EntityCore> open = other.lock();
    // Another version of the same entity has its keys, and should.
    if (open && name != core->entity().name) {
      TRY_VOID(CheckShared({open->entity(), core->entity()}));
    }
  }
  entities[core->entity().name] = core;
  return {};
}

}  // namespace stator::entities::detail

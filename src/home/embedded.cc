// The home inside the process: memory:, PATH, file:PATH.

#include <string>
#include <utility>

#include "base/try.h"
#include "engine/engine.h"
#include "home/homes.h"

namespace stator::home {
namespace {

constexpr std::string_view kMemory = "memory:";
constexpr std::string_view kFile = "file:";

Result<storage::StoreOptions> StoreAt(std::string_view location) {
  storage::StoreOptions store;
  if (location == kMemory) {
    store.in_memory = true;
    return store;
  }
  store.path = location.starts_with(kFile) ? location.substr(kFile.size()) : location;
  if (store.path.empty()) {
    return Invalid("cannot open '" + std::string(location) +
                   "': give memory:, a path, a URL, or aws:REGION");
  }
  return store;
}

Result<std::unique_ptr<Database>> OpenEmbedded(std::string_view location,
                                               const OpenOptions& options) {
  engine::EngineOptions engine;
  engine.store = TRY(StoreAt(location));
  engine.store.create_if_missing = options.create_if_missing || engine.store.in_memory;
  engine.store.durability = options.durability == Durability::kDurable
                                ? storage::Durability::kDurable
                                : storage::Durability::kRelaxed;
  engine.store.block_cache_bytes = options.cache_bytes;
  engine.store.clock = options.clock;
  engine.account = {.region = options.region, .id = options.account_id};
  engine.clock = options.clock;
  engine.random = options.random;
  engine.housekeeping_interval = options.housekeeping_interval;
  engine.buckets = options.buckets;
  return TRY(engine::Engine::Open(engine));
}

}  // namespace
}  // namespace stator::home

// What the linker is told to look for; the name is in src/home/CMakeLists.txt.
extern "C" const stator::home::RegisteredHome stator_embedded_home;
const stator::home::RegisteredHome stator_embedded_home(stator::home::Kind::kEmbedded,
                                                        stator::home::OpenEmbedded);

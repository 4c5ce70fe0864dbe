#include "stator/home/open.h"

#include <utility>

#include "base/try.h"
#include "engine/engine.h"

namespace stator {
namespace {

constexpr std::string_view kMemory = "memory:";
constexpr std::string_view kFile = "file:";

Result<storage::StoreOptions> StoreAt(std::string_view location) {
  storage::StoreOptions store;
  if (location == kMemory) {
    store.in_memory = true;
    return store;
  }
  if (location.starts_with("http://") || location.starts_with("https://") ||
      location.starts_with("aws:")) {
    return Invalid("cannot open " + std::string(location) +
                   ": this version of Stator opens memory: and directories, not remote endpoints");
  }
  store.path = location.starts_with(kFile) ? location.substr(kFile.size()) : location;
  if (store.path.empty()) {
    return Invalid("cannot open '" + std::string(location) +
                   "': give memory:, a path, or file:PATH");
  }
  return store;
}

}  // namespace

Result<std::unique_ptr<Database>> Open(std::string_view location, const OpenOptions& options) {
  engine::EngineOptions engine;
  engine.store = TRY(StoreAt(location));
  engine.store.durability = options.durability == Durability::kDurable
                                ? storage::Durability::kDurable
                                : storage::Durability::kRelaxed;
  engine.store.block_cache_bytes = options.cache_bytes;
  engine.store.clock = options.clock;
  engine.account = {.region = options.region, .id = options.account_id};
  engine.clock = options.clock;
  engine.random = options.random;
  engine.housekeeping_interval = options.housekeeping_interval;
  return TRY(engine::Engine::Open(engine));
}

}  // namespace stator

// The embedded engine in memory.

#include "contract/embedded_home.h"

namespace stator::contract {

const Home& ThisHome() {
  static const Home home{
      .name = "memory",
      .controls_time = true,
      .keeps_data = false,
      .make =
          [] {
            storage::StoreOptions options;
            options.in_memory = true;
            return MakeEmbeddedDatabase(options);
          },
  };
  return home;
}

}  // namespace stator::contract

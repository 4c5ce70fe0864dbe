// The embedded engine in memory.

#include "homes/embedded_home.h"

namespace stator::homes {

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

}  // namespace stator::homes

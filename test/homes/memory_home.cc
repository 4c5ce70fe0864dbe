// The embedded engine in memory.

#include "homes/embedded_home.h"

namespace stator::homes {
namespace {

const RegisteredHome kRegistered(Home{
    .name = "memory",
    .controls_time = true,
    .keeps_data = false,
    .make =
        [] {
          storage::StoreOptions options;
          options.in_memory = true;
          return MakeEmbeddedDatabase(options);
        },
});

}  // namespace
}  // namespace stator::homes

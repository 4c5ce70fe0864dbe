// The homes behind an endpoint: http://HOST, https://HOST, aws:REGION.

#include "client/client.h"
#include "home/homes.h"

namespace stator::home {
namespace {

Result<std::unique_ptr<Database>> OpenRemote(std::string_view location,
                                             const OpenOptions& options) {
  return client::Connect(location, options.client, *options.clock, *options.random);
}

}  // namespace
}  // namespace stator::home

// What the linker is told to look for; the name is in src/home/CMakeLists.txt.
extern "C" const stator::home::RegisteredHome stator_remote_home;
const stator::home::RegisteredHome stator_remote_home(stator::home::Kind::kRemote,
                                                      stator::home::OpenRemote);

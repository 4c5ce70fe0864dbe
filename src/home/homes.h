// The homes that a program was linked with. `Open` belongs to no home: a program that embeds the
// database links no HTTP client, and a client links no storage engine. Each home makes itself known
// before main (see RegisteredHome and docs/decisions/2026-11-16-parts-of-the-package.md).
//
// THREADS: homes register before main; afterwards nothing changes.

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "stator/api/database.h"
#include "stator/base/result.h"
#include "stator/home/open.h"

namespace stator::home {

enum class Kind : std::uint8_t { kEmbedded, kRemote };

using Opener = Result<std::unique_ptr<Database>> (*)(std::string_view location,
                                                     const OpenOptions& options);

// A global of this type makes a home known. Its object file is found by the linker through a symbol
// that the home's library asks for (src/home/CMakeLists.txt).
struct RegisteredHome {
  RegisteredHome(Kind kind, Opener opener);
};

}  // namespace stator::home

// The version of the headers. CMake reads it here; nothing else says it.

#pragma once

#include <string_view>

#define STATOR_VERSION_MAJOR 0
#define STATOR_VERSION_MINOR 1
#define STATOR_VERSION_PATCH 0
#define STATOR_VERSION_STRING "0.1.0"

namespace stator {

inline constexpr std::string_view kVersion = STATOR_VERSION_STRING;

}  // namespace stator

// Compressed bytes, for states that are kept.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::events {

// zlib's format.
std::string Compress(std::string_view bytes);

// Fails with kCorruption unless it gives exactly `size` bytes.
Result<std::string> Decompress(std::string_view bytes, std::size_t size);

}  // namespace stator::events

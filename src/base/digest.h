// Digests, for recognising the same bytes again. Those of signatures are in wire/sha256.h.

#pragma once

#include <string>
#include <string_view>

namespace stator::base {

// 32 bytes.
std::string Sha256(std::string_view bytes);

// 20 bytes. Broken as a signature; only for names that others have made with it.
std::string Sha1(std::string_view bytes);

}  // namespace stator::base

// HMAC-SHA-256, as AWS's signatures use it, and digests as text. Like base/digest.h it keeps what
// OpenSSL would look up anew for each call.

#pragma once

#include <string>
#include <string_view>

#include "base/digest.h"

namespace stator::wire {

using base::Sha256Digest;

Sha256Digest HmacSha256(std::string_view key, std::string_view bytes);

// A digest as the key of a further HMAC.
std::string_view AsBytes(const Sha256Digest& digest);

// 64 lower-case hexadecimal digits.
std::string Hex(const Sha256Digest& digest);

}  // namespace stator::wire

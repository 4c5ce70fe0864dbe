// SHA-256 and HMAC-SHA-256, as AWS's signatures use them. A few times faster than OpenSSL's
// one-shot functions, because algorithms are fetched once and contexts are kept per thread.

#pragma once

#include <array>
#include <string>
#include <string_view>

namespace stator::wire {

using Sha256Digest = std::array<unsigned char, 32>;

Sha256Digest Sha256(std::string_view bytes);
Sha256Digest HmacSha256(std::string_view key, std::string_view bytes);

// A digest as the key of a further HMAC.
std::string_view AsBytes(const Sha256Digest& digest);

// 64 lower-case hexadecimal digits.
std::string Hex(const Sha256Digest& digest);

}  // namespace stator::wire

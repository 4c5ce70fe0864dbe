// Bytes that only whoever has the key can read, or change unnoticed: AES-256 in Galois/counter mode.
//
// FORMAT (on disk): 12 random bytes, the encrypted bytes, 16 bytes that prove them and `about`.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/base/random.h"

namespace stator::base {

using SealingKey = std::array<std::uint8_t, 32>;

// How many bytes more than its content something sealed has.
inline constexpr std::size_t kSealBytes = 28;

// `about` is not in the result, but has to be the same when it is opened. A key is good for 2^32
// seals: each has a random beginning, and two must not have the same.
std::string Seal(const SealingKey& key, std::string_view plain, std::string_view about,
                 Random& random);

// Nothing when it is not what Seal made with this key and `about`.
std::optional<std::string> Unseal(const SealingKey& key, std::string_view sealed,
                                  std::string_view about);

}  // namespace stator::base

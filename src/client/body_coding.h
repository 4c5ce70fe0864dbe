// What zlib does for bodies: their checksum, and requests with gzip.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stator::client {

// CRC-32 as x-amz-crc32 has it.
std::uint32_t Crc32(std::string_view bytes);

std::string Gzip(std::string_view bytes);

}  // namespace stator::client

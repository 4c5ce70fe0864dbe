// The checksum of answers, x-amz-crc32: CRC-32 as gzip and zlib have it. By carry-less
// multiplication where the processor can, which is ten times faster than zlib's tables.

#pragma once

#include <cstdint>
#include <string_view>

namespace stator::server {

std::uint32_t Crc32(std::string_view bytes);

}  // namespace stator::server

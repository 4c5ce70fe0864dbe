// CRC-32C (Castagnoli), as RocksDB's logs have it, and our ledger.

#pragma once

#include <cstdint>
#include <string_view>

namespace stator::storage {

std::uint32_t Crc32c(std::string_view bytes);

// As RocksDB stores it: changed, so that a checksum over bytes that hold checksums stays a good
// one.
std::uint32_t MaskedCrc32c(std::string_view bytes);

}  // namespace stator::storage

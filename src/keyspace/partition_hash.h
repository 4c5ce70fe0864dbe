// The hash that spreads partitions over a table: Scan returns items in its order, and the segments
// of a parallel Scan are ranges of it. It is part of every item's key on disk and can never change.
//
// DEFINITION (docs/format.md, "The partition hash"), all arithmetic modulo 2^64:
//
//   mix(x): x ^= x >> 30; x *= 0xBF58476D1CE4E5B9; x ^= x >> 27; x *= 0x94D049BB133111EB;
//           x ^= x >> 31
//   hash:   h = number of bytes;
//           for each 8 bytes, read as a little-endian integer (the last ones filled up with zeros):
//           h = mix((h ^ word) + 0x9E3779B97F4A7C15)
//   result: the upper 16 bits of h

#pragma once

#include <cstdint>
#include <string_view>

namespace stator::keyspace {

// Of the encoded partition key: its key parts, type bytes included.
[[nodiscard]] std::uint16_t PartitionHash(std::string_view encoded_partition_key);

}  // namespace stator::keyspace

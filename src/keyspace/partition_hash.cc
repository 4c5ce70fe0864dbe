#include "keyspace/partition_hash.h"

#include <bit>
#include <cstddef>

namespace stator::keyspace {
namespace {

// On disk, all of them; see the definition in the header.
constexpr std::uint64_t kIncrement = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kFirstFactor = 0xBF58476D1CE4E5B9;
constexpr std::uint64_t kSecondFactor = 0x94D049BB133111EB;

std::uint64_t Mix(std::uint64_t x) {
  x ^= x >> 30U;
  x *= kFirstFactor;
  x ^= x >> 27U;
  x *= kSecondFactor;
  x ^= x >> 31U;
  return x;
}

}  // namespace

std::uint16_t PartitionHash(std::string_view encoded_partition_key) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t hash = encoded_partition_key.size();
  for (std::size_t at = 0; at < encoded_partition_key.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    encoded_partition_key.copy(reinterpret_cast<char*>(&word), sizeof(word), at);
    hash = Mix((hash ^ word) + kIncrement);
  }
  return static_cast<std::uint16_t>(hash >> 48U);
}

}  // namespace stator::keyspace

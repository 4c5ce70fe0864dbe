#include "stator/base/random.h"

#include <openssl/rand.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "base/check.h"

namespace stator {
namespace {

class MachineRandom final : public Random {
 public:
  void Fill(std::span<std::byte> bytes) override {
    auto* data = reinterpret_cast<unsigned char*>(bytes.data());
    CHECK_THAT(RAND_bytes(data, static_cast<int>(bytes.size())) == 1,
               "the system's random source failed");
  }
};

constexpr char kHexDigits[] = "0123456789abcdef";

}  // namespace

std::uint64_t Random::Next() {
  std::uint64_t value = 0;
  Fill(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

std::uint64_t Random::Below(std::uint64_t bound) {
  CHECK(bound > 0);
  // Values in the last, incomplete copy of [0, bound) would favour small results.
  const std::uint64_t rest = (UINT64_MAX % bound + 1) % bound;
  std::uint64_t value = Next();
  while (value > UINT64_MAX - rest) {
    value = Next();
  }
  return value % bound;
}

std::string Random::Uuid() {
  std::array<std::byte, 16> bytes{};
  Fill(bytes);
  bytes[6] = (bytes[6] & std::byte{0x0F}) | std::byte{0x40};  // version 4
  bytes[8] = (bytes[8] & std::byte{0x3F}) | std::byte{0x80};  // RFC 4122 variant
  std::string text;
  text.reserve(36);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at == 4 || at == 6 || at == 8 || at == 10) {
      text.push_back('-');
    }
    text.push_back(kHexDigits[std::to_integer<unsigned>(bytes[at]) >> 4U]);
    text.push_back(kHexDigits[std::to_integer<unsigned>(bytes[at]) & 15U]);
  }
  return text;
}

Random& SystemRandom() {
  static MachineRandom random;
  return random;
}

struct SeededRandom::Engine {
  std::mt19937_64 next;
};

SeededRandom::SeededRandom(std::uint64_t seed) : engine_(new Engine{std::mt19937_64(seed)}) {}
SeededRandom::~SeededRandom() = default;

void SeededRandom::Fill(std::span<std::byte> bytes) {
  const MutexLock lock(mutex_);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t value = engine_->next();
    std::memcpy(bytes.data() + at, &value, std::min(sizeof(value), bytes.size() - at));
  }
}

}  // namespace stator

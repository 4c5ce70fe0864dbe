#include "stator/base/random.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>

#include "base/check.h"

namespace stator {
namespace {

class MachineRandom final : public Random {
 public:
  // From the kernel itself. OpenSSL's generator is no faster for the few bytes of an id, and the first
  // call would load what OpenSSL is made of: a third of the time in which a server starts.
  void Fill(std::span<std::byte> bytes) override {
    while (!bytes.empty()) {
      const ssize_t filled = getrandom(bytes.data(), bytes.size(), 0);
      CHECK_THAT(filled > 0 || (filled < 0 && errno == EINTR), "the system's random source failed");
      bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(filled, 0)));
    }
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

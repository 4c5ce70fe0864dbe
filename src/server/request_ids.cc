#include "server/request_ids.h"

#include <bit>
#include <cstring>
#include <span>

namespace stator::server {
namespace {

using Pair = std::array<char, 2>;

// All pairs of digits, so that one look-up makes two.
constexpr std::array<Pair, 1024> kPairs = [] {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  std::array<Pair, 1024> pairs{};
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    pairs[at] = {kDigits[at / 32], kDigits[at % 32]};
  }
  return pairs;
}();

// One step of xoshiro256**.
std::uint64_t Step(std::array<std::uint64_t, 4>& state) {
  const std::uint64_t result = std::rotl(state[1] * 5, 7) * 9;
  const std::uint64_t shifted = state[1] << 17U;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = std::rotl(state[3], 45);
  return result;
}

}  // namespace

RequestIds::RequestIds(Random& random) {
  random.Fill(std::as_writable_bytes(std::span(state_)));
  state_[0] |= 1U;  // The one state that it cannot leave is all zeros.
}

std::string_view RequestIds::Next() {
  constexpr std::size_t kPairsPerStep = 6;
  std::uint64_t bits = 0;
  for (std::size_t pair = 0; pair < kLength / 2; ++pair) {
    if (pair % kPairsPerStep == 0) {
      bits = Step(state_);
    }
    std::memcpy(text_.data() + 2 * pair, kPairs[bits % kPairs.size()].data(), 2);
    bits /= kPairs.size();
  }
  return {text_.data(), text_.size()};
}

}  // namespace stator::server

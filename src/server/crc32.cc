#include "server/crc32.h"

#include <cstddef>
#include <zlib.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace stator::server {
namespace {

std::uint32_t ByTables(std::uint32_t crc, const char* bytes, std::size_t size) {
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(bytes), size));
}

#ifdef __x86_64__

constexpr std::size_t kBlock = 16;
constexpr std::size_t kFourBlocks = 4 * kBlock;

bool CanMultiply() {
  static const bool kCan = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return kCan;
}

__attribute__((target("pclmul,sse4.1"))) inline __m128i Load(const char* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

// Moves `folded` as far ahead in the message as `constants` say, onto `next`.
__attribute__((target("pclmul,sse4.1"))) inline __m128i Fold(__m128i folded, __m128i next,
                                                             __m128i constants) {
  const __m128i low = _mm_clmulepi64_si128(folded, constants, 0x00);
  const __m128i high = _mm_clmulepi64_si128(folded, constants, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

// V. Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction"
// (Intel, 2009), in its bit-reflected form. The constants are powers of x modulo the polynomial:
// x^(512+-32), x^(128+-32), x^64; then the polynomial and its Barrett reciprocal.
// REQUIRES: size is a multiple of kBlock, and at least kFourBlocks.
__attribute__((target("pclmul,sse4.1"))) std::uint32_t ByMultiplication(std::uint32_t crc,
                                                                        const char* bytes,
                                                                        std::size_t size) {
  const __m128i by_four_blocks = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  const __m128i by_one_block = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  const __m128i by_half_a_block = _mm_set_epi64x(0, 0x0163cd6124);
  const __m128i reduction = _mm_set_epi64x(0x01f7011641, 0x01db710641);
  const __m128i low_half = _mm_set_epi32(0, 0, 0, -1);

  __m128i a = _mm_xor_si128(Load(bytes), _mm_cvtsi32_si128(static_cast<int>(crc)));
  __m128i b = Load(bytes + kBlock);
  __m128i c = Load(bytes + 2 * kBlock);
  __m128i d = Load(bytes + 3 * kBlock);
  bytes += kFourBlocks;
  size -= kFourBlocks;
  for (; size >= kFourBlocks; bytes += kFourBlocks, size -= kFourBlocks) {
    a = Fold(a, Load(bytes), by_four_blocks);
    b = Fold(b, Load(bytes + kBlock), by_four_blocks);
    c = Fold(c, Load(bytes + 2 * kBlock), by_four_blocks);
    d = Fold(d, Load(bytes + 3 * kBlock), by_four_blocks);
  }
  a = Fold(a, b, by_one_block);
  a = Fold(a, c, by_one_block);
  a = Fold(a, d, by_one_block);
  for (; size >= kBlock; bytes += kBlock, size -= kBlock) {
    a = Fold(a, Load(bytes), by_one_block);
  }

  // From 128 bits to 64.
  a = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, by_one_block, 0x10));
  a = _mm_xor_si128(_mm_srli_si128(a, 4),
                    _mm_clmulepi64_si128(_mm_and_si128(a, low_half), by_half_a_block, 0x00));
  // From 64 bits to 32.
  __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(a, low_half), reduction, 0x10);
  quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, low_half), reduction, 0x00);
  return static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(a, quotient), 1));
}

#endif

}  // namespace

std::uint32_t Crc32(std::string_view bytes) {
#ifdef __x86_64__
  if (bytes.size() >= kFourBlocks && CanMultiply()) {
    const std::size_t size = bytes.size() - bytes.size() % kBlock;
    const std::uint32_t crc = ~ByMultiplication(~std::uint32_t{0}, bytes.data(), size);
    return ByTables(crc, bytes.data() + size, bytes.size() - size);
  }
#endif
  return ByTables(0, bytes.data(), bytes.size());
}

}  // namespace stator::server

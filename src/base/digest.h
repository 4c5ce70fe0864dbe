// Digests, for recognising the same bytes again and for signatures. A few times faster than
// OpenSSL's one-shot functions, because algorithms are fetched once and contexts are kept per
// thread.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace stator::base {

using Sha256Digest = std::array<unsigned char, 32>;
Sha256Digest Sha256Of(std::string_view bytes);

// The same as text of 32 bytes.
std::string Sha256(std::string_view bytes);

// 20 bytes. Broken as a signature; only for names that others have made with it.
std::string Sha1(std::string_view bytes);

// 16 bytes. Broken as a signature; only for checksums that others ask for.
std::string Md5(std::string_view bytes);

// The same of bytes that come in parts.
class DigestSum {
 public:
  enum class Algorithm : std::uint8_t { kSha256, kMd5 };

  explicit DigestSum(Algorithm algorithm);
  DigestSum(const DigestSum&) = delete;
  DigestSum& operator=(const DigestSum&) = delete;
  ~DigestSum();

  void Add(std::string_view bytes);
  // To be called once, and nothing behind it.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stator::base

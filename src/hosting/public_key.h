// PublicKey: checks signatures of somebody who has the private one, as tokens have them (RFC 7518):
// RS256 (RSA, PKCS #1 v1.5, SHA-256) and ES256 (ECDSA on P-256, SHA-256). A key checks signatures of
// its own algorithm only, whatever the signed text says of itself.
//
// THREADS: Verify from many threads.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::hosting {

enum class SignatureAlgorithm : std::uint8_t { kRs256, kEs256 };

class PublicKey {
 public:
  // From modulus and exponent, big-endian. Fails for fewer than 2,048 bits, which can be broken, and
  // for more than 8,192, which take too long.
  static Result<PublicKey> Rsa(std::string_view modulus, std::string_view exponent);
  // From the coordinates of a point on P-256, 32 bytes each. Fails when it is none.
  static Result<PublicKey> P256(std::string_view x, std::string_view y);

  [[nodiscard]] SignatureAlgorithm algorithm() const { return algorithm_; }
  // `signature` as tokens have it: for ES256 64 bytes, r and s.
  [[nodiscard]] bool Verify(std::string_view text, std::string_view signature) const;

 private:
  PublicKey(SignatureAlgorithm algorithm, std::shared_ptr<void> key)
      : algorithm_(algorithm), key_(std::move(key)) {}

  SignatureAlgorithm algorithm_;
  std::shared_ptr<void> key_;  // OpenSSL's
};

}  // namespace stator::hosting

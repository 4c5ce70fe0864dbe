#include "hosting/public_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

namespace stator::hosting {
namespace {

constexpr std::size_t kCoordinateBytes = 32;
constexpr int kRsaBitsMin = 2048;
constexpr int kRsaBitsMax = 8192;

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using BigNumber = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

BigNumber NumberOf(std::string_view bytes) {
  return BigNumber(BN_bin2bn(Bytes(bytes), static_cast<int>(bytes.size()), nullptr));
}

// Null when the parameters make no key.
std::shared_ptr<void> MakeKey(const char* type, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  std::shared_ptr<void> kept(key, [](void* held) { EVP_PKEY_free(static_cast<EVP_PKEY*>(held)); });
  const KeyContext check(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  return check && EVP_PKEY_public_check(check.get()) == 1 ? kept : nullptr;
}

// The two numbers of a token's signature as OpenSSL wants them; empty when they are none.
std::string DerOf(std::string_view signature) {
  if (signature.size() != 2 * kCoordinateBytes) {
    return "";
  }
  const EcSignature pair(ECDSA_SIG_new());
  BigNumber r = NumberOf(signature.substr(0, kCoordinateBytes));
  BigNumber s = NumberOf(signature.substr(kCoordinateBytes));
  if (!pair || !r || !s || ECDSA_SIG_set0(pair.get(), r.release(), s.release()) != 1) {
    return "";
  }
  unsigned char* encoded = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &encoded);
  if (size <= 0) {
    return "";
  }
  std::string der(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(size));
  OPENSSL_free(encoded);
  return der;
}

}  // namespace

Result<PublicKey> PublicKey::Rsa(std::string_view modulus, std::string_view exponent) {
  const BigNumber n = NumberOf(modulus);
  const BigNumber e = NumberOf(exponent);
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!n || !e || BN_num_bits(n.get()) < kRsaBitsMin || BN_num_bits(n.get()) > kRsaBitsMax) {
    return Invalid("an RSA key has from 2,048 to 8,192 bits");
  }
  if (!builder || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return Invalid("this is no RSA key");
  }
  std::shared_ptr<void> key = MakeKey("RSA", builder.get());
  if (!key) {
    return Invalid("this is no RSA key");
  }
  return PublicKey(SignatureAlgorithm::kRs256, std::move(key));
}

Result<PublicKey> PublicKey::P256(std::string_view x, std::string_view y) {
  if (x.size() != kCoordinateBytes || y.size() != kCoordinateBytes) {
    return Invalid("the coordinates of a point on P-256 have 32 bytes each");
  }
  const std::string point = "\x04" + std::string(x) + std::string(y);  // Uncompressed.
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!builder ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return Invalid("this is no point on P-256");
  }
  std::shared_ptr<void> key = MakeKey("EC", builder.get());
  if (!key) {
    return Invalid("this is no point on P-256");
  }
  return PublicKey(SignatureAlgorithm::kEs256, std::move(key));
}

bool PublicKey::Verify(std::string_view text, std::string_view signature) const {
  const std::string der = algorithm_ == SignatureAlgorithm::kEs256 ? DerOf(signature) : "";
  const std::string_view given = algorithm_ == SignatureAlgorithm::kEs256 ? der : signature;
  const DigestContext context(EVP_MD_CTX_new());
  return !given.empty() && context &&
         EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr,
                              static_cast<EVP_PKEY*>(key_.get())) == 1 &&
         EVP_DigestVerify(context.get(), Bytes(given), given.size(), Bytes(text), text.size()) == 1;
}

}  // namespace stator::hosting

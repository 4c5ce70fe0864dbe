#include "wire/sha256.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <cstddef>
#include <memory>

#include "base/check.h"
#include "base/hex.h"

namespace stator::wire {
namespace {

struct FreeContext {
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};

EVP_MAC* FetchedHmac() {
  static EVP_MAC* const fetched = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  CHECK_THAT(fetched != nullptr, "OpenSSL has no HMAC");
  return fetched;
}

// Told once which digest it is for: looking that up takes four times as long as using it.
std::unique_ptr<EVP_MAC_CTX, FreeContext> MakeHmacContext() {
  std::unique_ptr<EVP_MAC_CTX, FreeContext> context(EVP_MAC_CTX_new(FetchedHmac()));
  char digest_name[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name, 0),
      OSSL_PARAM_construct_end()};
  CHECK(EVP_MAC_CTX_set_params(context.get(), parameters) == 1);
  return context;
}

const unsigned char* Unsigned(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

Sha256Digest HmacSha256(std::string_view key, std::string_view bytes) {
  thread_local const std::unique_ptr<EVP_MAC_CTX, FreeContext> context = MakeHmacContext();
  Sha256Digest digest{};
  std::size_t length = 0;
  CHECK(EVP_MAC_init(context.get(), Unsigned(key), key.size(), nullptr) == 1);
  CHECK(EVP_MAC_update(context.get(), Unsigned(bytes), bytes.size()) == 1);
  CHECK(EVP_MAC_final(context.get(), digest.data(), &length, digest.size()) == 1);
  return digest;
}

std::string_view AsBytes(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string Hex(const Sha256Digest& digest) {
  return base::HexOf(AsBytes(digest));
}

}  // namespace stator::wire

#include "base/digest.h"

#include <openssl/evp.h>

#include "base/check.h"

namespace stator::base {
namespace {

std::string Digest(std::string_view bytes, const EVP_MD* algorithm) {
  std::string digest(static_cast<std::size_t>(EVP_MD_size(algorithm)), '\0');
  CHECK(EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()),
                   nullptr, algorithm, nullptr) == 1);
  return digest;
}

}  // namespace

std::string Sha256(std::string_view bytes) {
  return Digest(bytes, EVP_sha256());
}

std::string Sha1(std::string_view bytes) {
  return Digest(bytes, EVP_sha1());
}

}  // namespace stator::base

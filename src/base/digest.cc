#include "base/digest.h"

#include <openssl/evp.h>

#include "base/check.h"

namespace stator::base {

std::string Sha256(std::string_view bytes) {
  std::string digest(static_cast<std::size_t>(EVP_MD_size(EVP_sha256())), '\0');
  CHECK(EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()),
                   nullptr, EVP_sha256(), nullptr) == 1);
  return digest;
}

}  // namespace stator::base

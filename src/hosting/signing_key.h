// For tests: a key pair that signs tokens, as an identity server has one.

#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "stator/stores/tasks/json.h"

namespace stator::hosting {

inline std::string Base64Url(std::string_view bytes) {
  std::string text = base::EncodeBase64(bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text.substr(0, text.find('='));
}

class SigningKey {
 public:
  static SigningKey Rsa(std::string id, unsigned bits = 2048) {
    return {std::move(id), "RS256", EVP_RSA_gen(bits)};
  }
  static SigningKey P256(std::string id) { return {std::move(id), "ES256", EVP_EC_gen("P-256")}; }

  // Its public half, for a key set.
  [[nodiscard]] tasks::Json Public() const {
    tasks::JsonObject key{{"kid", id_}, {"use", "sig"}, {"alg", algorithm_}};
    if (algorithm_ == "RS256") {
      key.Set("kty", "RSA");
      key.Set("n", NumberOf(OSSL_PKEY_PARAM_RSA_N, 0));
      key.Set("e", NumberOf(OSSL_PKEY_PARAM_RSA_E, 0));
    } else {
      key.Set("kty", "EC");
      key.Set("crv", "P-256");
      key.Set("x", NumberOf(OSSL_PKEY_PARAM_EC_PUB_X, 32));
      key.Set("y", NumberOf(OSSL_PKEY_PARAM_EC_PUB_Y, 32));
    }
    return key;
  }

  // A token with the header that belongs to the key.
  [[nodiscard]] std::string Token(const tasks::Json& claims) const {
    return Token(tasks::JsonObject{{"alg", algorithm_}, {"kid", id_}}, claims);
  }
  [[nodiscard]] std::string Token(const tasks::Json& header, const tasks::Json& claims) const {
    const std::string text = Base64Url(header.ToText()) + "." + Base64Url(claims.ToText());
    return text + "." + Base64Url(Sign(text));
  }

 private:
  SigningKey(std::string id, std::string algorithm, EVP_PKEY* key)
      : id_(std::move(id)), algorithm_(std::move(algorithm)), key_(key, EVP_PKEY_free) {}

  static std::string Padded(const BIGNUM* number, int size) {
    std::string bytes(static_cast<std::size_t>(size), '\0');
    BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()), size);
    return bytes;
  }
  [[nodiscard]] std::string NumberOf(const char* name, int size) const {
    BIGNUM* number = nullptr;
    EVP_PKEY_get_bn_param(key_.get(), name, &number);
    const std::string bytes = Padded(number, size == 0 ? BN_num_bytes(number) : size);
    BN_free(number);
    return Base64Url(bytes);
  }
  [[nodiscard]] std::string Sign(std::string_view text) const {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                     EVP_MD_CTX_free);
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    std::string signature(1024, '\0');
    auto* const bytes = reinterpret_cast<unsigned char*>(signature.data());
    std::size_t size = signature.size();
    EVP_DigestSign(context.get(), bytes, &size, reinterpret_cast<const unsigned char*>(text.data()),
                   text.size());
    signature.resize(size);
    if (algorithm_ == "RS256") {
      return signature;
    }
    const unsigned char* at = bytes;
    ECDSA_SIG* const pair = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size));
    const std::string raw = Padded(ECDSA_SIG_get0_r(pair), 32) + Padded(ECDSA_SIG_get0_s(pair), 32);
    ECDSA_SIG_free(pair);
    return raw;
  }

  std::string id_;
  std::string algorithm_;
  std::shared_ptr<EVP_PKEY> key_;
};

inline std::string KeySetOf(tasks::JsonArray keys) {
  return tasks::Json(tasks::JsonObject{{"keys", std::move(keys)}}).ToText();
}

}  // namespace stator::hosting

#include "base/sealing.h"

#include <openssl/evp.h>

#include <limits>
#include <memory>
#include <span>

#include "base/check.h"

namespace stator::base {
namespace {

constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kProofBytes = 16;
static_assert(kSealBytes == kNonceBytes + kProofBytes);

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

EVP_CIPHER_CTX* Context() {
  thread_local const std::unique_ptr<EVP_CIPHER_CTX, FreeContext> context(EVP_CIPHER_CTX_new());
  return context.get();
}

const EVP_CIPHER* Algorithm() {
  static const EVP_CIPHER* const algorithm = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  CHECK_THAT(algorithm != nullptr, std::string("OpenSSL has no AES-256-GCM"));
  return algorithm;
}

const unsigned char* BytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

int LengthOf(std::string_view text) {
  CHECK(text.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(text.size());
}

}  // namespace

std::string Seal(const SealingKey& key, std::string_view plain, std::string_view about,
                 Random& random) {
  std::string sealed(plain.size() + kSealBytes, '\0');
  random.Fill(std::as_writable_bytes(std::span(sealed.data(), kNonceBytes)));
  auto* out = reinterpret_cast<unsigned char*>(sealed.data());
  EVP_CIPHER_CTX* const context = Context();
  int written = 0;
  CHECK(EVP_EncryptInit_ex2(context, Algorithm(), key.data(), out, nullptr) == 1);
  CHECK(EVP_EncryptUpdate(context, nullptr, &written, BytesOf(about), LengthOf(about)) == 1);
  CHECK(EVP_EncryptUpdate(context, out + kNonceBytes, &written, BytesOf(plain), LengthOf(plain)) ==
        1);
  CHECK(EVP_EncryptFinal_ex(context, out + kNonceBytes + plain.size(), &written) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, kProofBytes,
                            out + kNonceBytes + plain.size()) == 1);
  return sealed;
}

std::optional<std::string> Unseal(const SealingKey& key, std::string_view sealed,
                                  std::string_view about) {
  if (sealed.size() < kSealBytes) {
    return std::nullopt;
  }
  const std::string_view content =
      sealed.substr(kNonceBytes, sealed.size() - kNonceBytes - kProofBytes);
  std::string proof(sealed.substr(sealed.size() - kProofBytes));
  std::string plain(content.size(), '\0');
  auto* out = reinterpret_cast<unsigned char*>(plain.data());
  EVP_CIPHER_CTX* const context = Context();
  int written = 0;
  CHECK(EVP_DecryptInit_ex2(context, Algorithm(), key.data(), BytesOf(sealed), nullptr) == 1);
  CHECK(EVP_DecryptUpdate(context, nullptr, &written, BytesOf(about), LengthOf(about)) == 1);
  CHECK(EVP_DecryptUpdate(context, out, &written, BytesOf(content), LengthOf(content)) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, kProofBytes, proof.data()) == 1);
  if (EVP_DecryptFinal_ex(context, out + content.size(), &written) != 1) {
    return std::nullopt;
  }
  return plain;
}

}  // namespace stator::base

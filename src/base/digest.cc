#include "base/digest.h"

#include <openssl/evp.h>

#include <memory>

#include "base/check.h"

namespace stator::base {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

const EVP_MD* Fetch(const char* name) {
  const EVP_MD* const fetched = EVP_MD_fetch(nullptr, name, nullptr);
  CHECK_THAT(fetched != nullptr, std::string("OpenSSL has no ") + name);
  return fetched;
}

// `digest` has room for what the algorithm makes.
void Digest(const EVP_MD* algorithm, std::string_view bytes, unsigned char* digest) {
  thread_local const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  CHECK(EVP_DigestInit_ex2(context.get(), algorithm, nullptr) == 1);
  CHECK(EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1);
  CHECK(EVP_DigestFinal_ex(context.get(), digest, nullptr) == 1);
}

}  // namespace

Sha256Digest Sha256Of(std::string_view bytes) {
  static const EVP_MD* const algorithm = Fetch("SHA256");
  Sha256Digest digest{};
  Digest(algorithm, bytes, digest.data());
  return digest;
}

std::string Sha256(std::string_view bytes) {
  const Sha256Digest digest = Sha256Of(bytes);
  return {digest.begin(), digest.end()};
}

std::string Sha1(std::string_view bytes) {
  static const EVP_MD* const algorithm = Fetch("SHA1");
  std::array<unsigned char, 20> digest{};
  Digest(algorithm, bytes, digest.data());
  return {digest.begin(), digest.end()};
}

struct Md5Sum::State {
  std::unique_ptr<EVP_MD_CTX, FreeContext> context;
};

Md5Sum::Md5Sum() : state_(std::make_unique<State>()) {
  static const EVP_MD* const algorithm = Fetch("MD5");
  state_->context.reset(EVP_MD_CTX_new());
  CHECK(EVP_DigestInit_ex2(state_->context.get(), algorithm, nullptr) == 1);
}

Md5Sum::~Md5Sum() = default;

void Md5Sum::Add(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Md5Sum::Finish() {
  std::array<unsigned char, 16> digest{};
  CHECK(EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr) == 1);
  return {digest.begin(), digest.end()};
}

std::string Md5(std::string_view bytes) {
  Md5Sum sum;
  sum.Add(bytes);
  return sum.Finish();
}

}  // namespace stator::base

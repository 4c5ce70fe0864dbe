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

const EVP_MD* Sha256Algorithm() {
  static const EVP_MD* const algorithm = Fetch("SHA256");
  return algorithm;
}

const EVP_MD* Md5Algorithm() {
  static const EVP_MD* const algorithm = Fetch("MD5");
  return algorithm;
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
  Sha256Digest digest{};
  Digest(Sha256Algorithm(), bytes, digest.data());
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

std::string Md5(std::string_view bytes) {
  std::array<unsigned char, 16> digest{};
  Digest(Md5Algorithm(), bytes, digest.data());
  return {digest.begin(), digest.end()};
}

struct DigestSum::State {
  std::unique_ptr<EVP_MD_CTX, FreeContext> context;
};

DigestSum::DigestSum(Algorithm algorithm) : state_(std::make_unique<State>()) {
  state_->context.reset(EVP_MD_CTX_new());
  CHECK(EVP_DigestInit_ex2(state_->context.get(),
                           algorithm == Algorithm::kMd5 ? Md5Algorithm() : Sha256Algorithm(),
                           nullptr) == 1);
}

DigestSum::~DigestSum() = default;

void DigestSum::Add(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string DigestSum::Finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size) == 1);
  return {digest.data(), digest.data() + size};
}

}  // namespace stator::base

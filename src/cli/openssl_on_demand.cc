// The functions of OpenSSL that the program calls. Each loads the library that it is from when it is called
// for the first time: a server without TLS that checks no signatures hardly ever needs OpenSSL, and its
// symbols were a third of the work of a start.
//
// The program is linked with these instead of with OpenSSL's libraries (cmake/StatorProgram.cmake). A
// function that is missing here is an undefined symbol then, and one that is declared differently from
// OpenSSL's headers does not compile.
//
// THREADS: everything may be called from many threads.

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

#include "base/check.h"

namespace stator::cli {
namespace {

// A version that is not compatible with the headers that this was compiled with has another name.
#define STATOR_TEXT_OF(number) #number
#define STATOR_LIBRARY_NAME(name, version) name ".so." STATOR_TEXT_OF(version)
constexpr char kCrypto[] = STATOR_LIBRARY_NAME("libcrypto", OPENSSL_SHLIB_VERSION);
constexpr char kSsl[] = STATOR_LIBRARY_NAME("libssl", OPENSSL_SHLIB_VERSION);

// As when the loader misses a library at the start of a program: there is no going on without it.
[[noreturn]] void StopWithout(const char* name) {
  const char* const why = dlerror();
  std::fprintf(stderr, "stator: OpenSSL is missing (on Debian the package libssl%d): %s\n",
               OPENSSL_SHLIB_VERSION, why == nullptr ? name : why);
  std::_Exit(127);
}

// Never closed: it has threads and handlers of its own.
template <const char* kName>
void* Library() {
  static void* const library = [] {
    void* const opened = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) {
      StopWithout(kName);
    }
    return opened;
  }();
  return library;
}

template <class Function>
Function Find(void* library, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) {
    StopWithout(name);
  }
  // What dlsym returns is the function, as POSIX promises.
  return reinterpret_cast<Function>(found);  // NOLINT(*-reinterpret-cast)
}

}  // namespace
}  // namespace stator::cli

// NOLINTBEGIN: OpenSSL's names and types.
using stator::cli::Find;
using stator::cli::kCrypto;
using stator::cli::kSsl;
using stator::cli::Library;

#define STATOR_FORWARD(library, result, name, parameters, arguments)                    \
  result name parameters {                                                              \
    static const auto function = Find<result(*) parameters>(Library<library>(), #name); \
    return function arguments;                                                          \
  }

// clang-format off
#define FORWARD(...) STATOR_FORWARD(kSsl, __VA_ARGS__)

FORWARD(int, SSL_CTX_check_private_key, (const SSL_CTX* a), (a))
FORWARD(long, SSL_CTX_ctrl, (SSL_CTX* a, int b, long c, void* d), (a, b, c, d))
FORWARD(void, SSL_CTX_free, (SSL_CTX* a), (a))
FORWARD(pem_password_cb*, SSL_CTX_get_default_passwd_cb, (SSL_CTX* a), (a))
FORWARD(void*, SSL_CTX_get_default_passwd_cb_userdata, (SSL_CTX* a), (a))
FORWARD(void*, SSL_CTX_get_ex_data, (const SSL_CTX* a, int b), (a, b))
FORWARD(SSL_CTX*, SSL_CTX_new, (const SSL_METHOD* a), (a))
FORWARD(void, SSL_CTX_set_default_passwd_cb_userdata, (SSL_CTX* a, void* b), (a, b))
FORWARD(int, SSL_CTX_set_ex_data, (SSL_CTX* a, int b, void* c), (a, b, c))
FORWARD(uint64_t, SSL_CTX_set_options, (SSL_CTX* a, uint64_t b), (a, b))
FORWARD(int, SSL_CTX_use_PrivateKey, (SSL_CTX* a, EVP_PKEY* b), (a, b))
FORWARD(int, SSL_CTX_use_certificate, (SSL_CTX* a, X509* b), (a, b))
FORWARD(int, SSL_accept, (SSL* a), (a))
FORWARD(int, SSL_connect, (SSL* a), (a))
FORWARD(long, SSL_ctrl, (SSL* a, int b, long c, void* d), (a, b, c, d))
FORWARD(void, SSL_free, (SSL* a), (a))
FORWARD(int, SSL_get_error, (const SSL* a, int b), (a, b))
FORWARD(void*, SSL_get_ex_data, (const SSL* a, int b), (a, b))
FORWARD(int, SSL_get_shutdown, (const SSL* a), (a))
FORWARD(SSL*, SSL_new, (SSL_CTX* a), (a))
FORWARD(int, SSL_read, (SSL* a, void* b, int c), (a, b, c))
FORWARD(void, SSL_set_bio, (SSL* a, BIO* b, BIO* c), (a, b, c))
FORWARD(int, SSL_set_ex_data, (SSL* a, int b, void* c), (a, b, c))
FORWARD(int, SSL_shutdown, (SSL* a), (a))
FORWARD(int, SSL_write, (SSL* a, const void* b, int c), (a, b, c))
FORWARD(const SSL_METHOD*, TLS_client_method, (), ())
FORWARD(const SSL_METHOD*, TLS_method, (), ())
FORWARD(const SSL_METHOD*, TLS_server_method, (), ())

#undef FORWARD
#define FORWARD(...) STATOR_FORWARD(kCrypto, __VA_ARGS__)

FORWARD(int, ASN1_INTEGER_set_uint64, (ASN1_INTEGER* a, uint64_t b), (a, b))
FORWARD(ASN1_TIME*, ASN1_TIME_set, (ASN1_TIME* a, time_t b), (a, b))
FORWARD(long, BIO_ctrl, (BIO* a, int b, long c, void* d), (a, b, c, d))
FORWARD(size_t, BIO_ctrl_pending, (BIO* a), (a))
FORWARD(int, BIO_free, (BIO* a), (a))
FORWARD(void, BIO_free_all, (BIO* a), (a))
FORWARD(BIO*, BIO_new, (const BIO_METHOD* a), (a))
FORWARD(int, BIO_new_bio_pair, (BIO** a, size_t b, BIO** c, size_t d), (a, b, c, d))
FORWARD(BIO*, BIO_new_mem_buf, (const void* a, int b), (a, b))
FORWARD(int, BIO_read, (BIO* a, void* b, int c), (a, b, c))
FORWARD(const BIO_METHOD*, BIO_s_mem, (), ())
FORWARD(int, BIO_write, (BIO* a, const void* b, int c), (a, b, c))
FORWARD(BIGNUM*, BN_bin2bn, (const unsigned char* a, int b, BIGNUM* c), (a, b, c))
FORWARD(void, BN_free, (BIGNUM* a), (a))
FORWARD(int, BN_num_bits, (const BIGNUM* a), (a))
FORWARD(void, CRYPTO_free, (void* a, const char* b, int c), (a, b, c))
FORWARD(int, CRYPTO_memcmp, (const void* a, const void* b, size_t c), (a, b, c))
FORWARD(void, ECDSA_SIG_free, (ECDSA_SIG* a), (a))
FORWARD(ECDSA_SIG*, ECDSA_SIG_new, (), ())
FORWARD(int, ECDSA_SIG_set0, (ECDSA_SIG* a, BIGNUM* b, BIGNUM* c), (a, b, c))
FORWARD(void, ERR_clear_error, (), ())
FORWARD(unsigned long, ERR_get_error, (), ())
FORWARD(const char*, ERR_lib_error_string, (unsigned long a), (a))
FORWARD(unsigned long, ERR_peek_error, (), ())
FORWARD(unsigned long, ERR_peek_last_error, (), ())
FORWARD(const char*, ERR_reason_error_string, (unsigned long a), (a))
FORWARD(int, EVP_CIPHER_CTX_ctrl, (EVP_CIPHER_CTX* a, int b, int c, void* d), (a, b, c, d))
FORWARD(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX* a), (a))
FORWARD(EVP_CIPHER_CTX*, EVP_CIPHER_CTX_new, (), ())
FORWARD(EVP_CIPHER*, EVP_CIPHER_fetch, (OSSL_LIB_CTX* a, const char* b, const char* c), (a, b, c))
FORWARD(int, EVP_DecryptFinal_ex, (EVP_CIPHER_CTX* a, unsigned char* b, int* c), (a, b, c))
FORWARD(int, EVP_DecryptInit_ex2, (EVP_CIPHER_CTX* a, const EVP_CIPHER* b, const unsigned char* c, const unsigned char* d, const OSSL_PARAM* e), (a, b, c, d, e))
FORWARD(int, EVP_DecryptUpdate, (EVP_CIPHER_CTX* a, unsigned char* b, int* c, const unsigned char* d, int e), (a, b, c, d, e))
FORWARD(int, EVP_DigestFinal_ex, (EVP_MD_CTX* a, unsigned char* b, unsigned int* c), (a, b, c))
FORWARD(int, EVP_DigestInit_ex2, (EVP_MD_CTX* a, const EVP_MD* b, const OSSL_PARAM* c), (a, b, c))
FORWARD(int, EVP_DigestUpdate, (EVP_MD_CTX* a, const void* b, size_t c), (a, b, c))
FORWARD(int, EVP_DigestVerify, (EVP_MD_CTX* a, const unsigned char* b, size_t c, const unsigned char* d, size_t e), (a, b, c, d, e))
FORWARD(int, EVP_DigestVerifyInit, (EVP_MD_CTX* a, EVP_PKEY_CTX** b, const EVP_MD* c, ENGINE* d, EVP_PKEY* e), (a, b, c, d, e))
FORWARD(int, EVP_EncryptFinal_ex, (EVP_CIPHER_CTX* a, unsigned char* b, int* c), (a, b, c))
FORWARD(int, EVP_EncryptInit_ex2, (EVP_CIPHER_CTX* a, const EVP_CIPHER* b, const unsigned char* c, const unsigned char* d, const OSSL_PARAM* e), (a, b, c, d, e))
FORWARD(int, EVP_EncryptUpdate, (EVP_CIPHER_CTX* a, unsigned char* b, int* c, const unsigned char* d, int e), (a, b, c, d, e))
FORWARD(void, EVP_MAC_CTX_free, (EVP_MAC_CTX* a), (a))
FORWARD(EVP_MAC_CTX*, EVP_MAC_CTX_new, (EVP_MAC* a), (a))
FORWARD(int, EVP_MAC_CTX_set_params, (EVP_MAC_CTX* a, const OSSL_PARAM* b), (a, b))
FORWARD(EVP_MAC*, EVP_MAC_fetch, (OSSL_LIB_CTX* a, const char* b, const char* c), (a, b, c))
FORWARD(int, EVP_MAC_final, (EVP_MAC_CTX* a, unsigned char* b, size_t* c, size_t d), (a, b, c, d))
FORWARD(int, EVP_MAC_init, (EVP_MAC_CTX* a, const unsigned char* b, size_t c, const OSSL_PARAM* d), (a, b, c, d))
FORWARD(int, EVP_MAC_update, (EVP_MAC_CTX* a, const unsigned char* b, size_t c), (a, b, c))
FORWARD(void, EVP_MD_CTX_free, (EVP_MD_CTX* a), (a))
FORWARD(EVP_MD_CTX*, EVP_MD_CTX_new, (), ())
FORWARD(EVP_MD*, EVP_MD_fetch, (OSSL_LIB_CTX* a, const char* b, const char* c), (a, b, c))
FORWARD(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX* a), (a))
FORWARD(EVP_PKEY_CTX*, EVP_PKEY_CTX_new_from_name, (OSSL_LIB_CTX* a, const char* b, const char* c), (a, b, c))
FORWARD(EVP_PKEY_CTX*, EVP_PKEY_CTX_new_from_pkey, (OSSL_LIB_CTX* a, EVP_PKEY* b, const char* c), (a, b, c))
FORWARD(void, EVP_PKEY_free, (EVP_PKEY* a), (a))
FORWARD(int, EVP_PKEY_fromdata, (EVP_PKEY_CTX* a, EVP_PKEY** b, int c, OSSL_PARAM* d), (a, b, c, d))
FORWARD(int, EVP_PKEY_fromdata_init, (EVP_PKEY_CTX* a), (a))
FORWARD(int, EVP_PKEY_public_check, (EVP_PKEY_CTX* a), (a))
FORWARD(const EVP_MD*, EVP_sha256, (), ())
FORWARD(void, OSSL_PARAM_BLD_free, (OSSL_PARAM_BLD* a), (a))
FORWARD(OSSL_PARAM_BLD*, OSSL_PARAM_BLD_new, (), ())
FORWARD(int, OSSL_PARAM_BLD_push_BN, (OSSL_PARAM_BLD* a, const char* b, const BIGNUM* c), (a, b, c))
FORWARD(int, OSSL_PARAM_BLD_push_octet_string, (OSSL_PARAM_BLD* a, const char* b, const void* c, size_t d), (a, b, c, d))
FORWARD(int, OSSL_PARAM_BLD_push_utf8_string, (OSSL_PARAM_BLD* a, const char* b, const char* c, size_t d), (a, b, c, d))
FORWARD(OSSL_PARAM*, OSSL_PARAM_BLD_to_param, (OSSL_PARAM_BLD* a), (a))
FORWARD(OSSL_PARAM, OSSL_PARAM_construct_end, (), ())
FORWARD(OSSL_PARAM, OSSL_PARAM_construct_utf8_string, (const char* a, char* b, size_t c), (a, b, c))
FORWARD(void, OSSL_PARAM_free, (OSSL_PARAM* a), (a))
FORWARD(EVP_PKEY*, PEM_read_bio_PrivateKey, (BIO* a, EVP_PKEY** b, pem_password_cb* c, void* d), (a, b, c, d))
FORWARD(X509*, PEM_read_bio_X509, (BIO* a, X509** b, pem_password_cb* c, void* d), (a, b, c, d))
FORWARD(X509*, PEM_read_bio_X509_AUX, (BIO* a, X509** b, pem_password_cb* c, void* d), (a, b, c, d))
FORWARD(int, PEM_write_bio_PrivateKey, (BIO* a, const EVP_PKEY* b, const EVP_CIPHER* c, const unsigned char* d, int e, pem_password_cb* f, void* g), (a, b, c, d, e, f, g))
FORWARD(int, PEM_write_bio_X509, (BIO* a, const X509* b), (a, b))
FORWARD(X509_EXTENSION*, X509V3_EXT_conf_nid, (LHASH_OF(CONF_VALUE)* a, X509V3_CTX* b, int c, const char* d), (a, b, c, d))
FORWARD(void, X509V3_set_ctx, (X509V3_CTX* a, X509* b, X509* c, X509_REQ* d, X509_CRL* e, int f), (a, b, c, d, e, f))
FORWARD(void, X509_EXTENSION_free, (X509_EXTENSION* a), (a))
FORWARD(int, X509_NAME_add_entry_by_txt, (X509_NAME* a, const char* b, int c, const unsigned char* d, int e, int f, int g), (a, b, c, d, e, f, g))
FORWARD(int, X509_add_ext, (X509* a, X509_EXTENSION* b, int c), (a, b, c))
FORWARD(void, X509_free, (X509* a), (a))
FORWARD(ASN1_INTEGER*, X509_get_serialNumber, (X509* a), (a))
FORWARD(X509_NAME*, X509_get_subject_name, (const X509* a), (a))
FORWARD(ASN1_TIME*, X509_getm_notAfter, (const X509* a), (a))
FORWARD(ASN1_TIME*, X509_getm_notBefore, (const X509* a), (a))
FORWARD(X509*, X509_new, (), ())
FORWARD(int, X509_set_issuer_name, (X509* a, const X509_NAME* b), (a, b))
FORWARD(int, X509_set_pubkey, (X509* a, EVP_PKEY* b), (a, b))
FORWARD(int, X509_set_version, (X509* a, long b), (a, b))
FORWARD(int, X509_sign, (X509* a, EVP_PKEY* b, const EVP_MD* c), (a, b, c))
FORWARD(int, i2d_ECDSA_SIG, (const ECDSA_SIG* a, unsigned char** b), (a, b))
// clang-format on

// EVP_EC_gen is a macro that calls this one. What follows the type depends on it: for elliptic curves it is
// the name of one.
EVP_PKEY* EVP_PKEY_Q_keygen(OSSL_LIB_CTX* library, const char* properties, const char* type, ...) {
  CHECK(std::string_view(type) == "EC");
  std::va_list rest;
  va_start(rest, type);
  char* const curve = va_arg(rest, char*);
  va_end(rest);
  static const auto function =
      Find<decltype(&EVP_PKEY_Q_keygen)>(Library<kCrypto>(), "EVP_PKEY_Q_keygen");
  return function(library, properties, type, curve);
}
// NOLINTEND

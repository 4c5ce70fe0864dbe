#include "server/tls.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>

#include "base/try.h"

namespace stator::server {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using BioPointer = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using KeyPointer = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using CertificatePointer = std::unique_ptr<X509, Freed<X509_free>>;
using ExtensionPointer = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;

constexpr long kX509Version3 = 2;

Result<std::string> ReadWholeFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Fail(ErrorCode::kIo, "cannot read " + path.string());
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<void> WriteNewFile(const std::filesystem::path& path, std::string_view text, mode_t mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) {
    return Fail(ErrorCode::kIo, "cannot write " + path.string() + ": " + std::strerror(errno));
  }
  const ssize_t written = ::write(file, text.data(), text.size());
  const bool complete = ::close(file) == 0 && written == static_cast<ssize_t>(text.size());
  if (!complete) {
    return Fail(ErrorCode::kIo, "cannot write " + path.string());
  }
  return {};
}

std::string TextOf(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

bool AddExtension(X509* certificate, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const ExtensionPointer extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// Everything of the certificate but its signature.
bool Fill(X509* certificate, EVP_PKEY* key, TimePoint now, Random& random) {
  constexpr auto kName = "stator development certificate";
  const auto seconds = static_cast<time_t>(EpochSeconds(now));
  constexpr time_t kDay = 24L * 3600;
  X509_NAME* const name = X509_get_subject_name(certificate);
  return X509_set_version(certificate, kX509Version3) == 1 &&
         ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), random.Next() >> 1U) == 1 &&
         ASN1_TIME_set(X509_getm_notBefore(certificate), seconds - kDay) != nullptr &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), seconds + 365 * kDay) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 &&
         X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(kName), -1, -1,
                                    0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1 &&
         AddExtension(certificate, NID_subject_alt_name,
                      "DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1") &&
         AddExtension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
         AddExtension(certificate, NID_ext_key_usage, "serverAuth");
}

}  // namespace

Result<std::shared_ptr<ssl::context>> MakeTlsContext(const TlsIdentity& identity) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  context->set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1 |
                       ssl::context::no_compression | ssl::context::single_dh_use);
  error_code error;
  (void)context->use_certificate_chain(boost::asio::buffer(identity.certificate_pem), error);
  if (error) {
    return Invalid("the TLS certificate cannot be used: " + error.message());
  }
  (void)context->use_private_key(boost::asio::buffer(identity.private_key_pem), ssl::context::pem,
                                 error);
  if (error || SSL_CTX_check_private_key(context->native_handle()) != 1) {
    return Invalid("the TLS private key cannot be used, or is not the certificate's");
  }
  return context;
}

Result<TlsIdentity> ReadTlsIdentity(const std::filesystem::path& certificate_file,
                                    const std::filesystem::path& private_key_file) {
  return TlsIdentity{.certificate_pem = TRY(ReadWholeFile(certificate_file)),
                     .private_key_pem = TRY(ReadWholeFile(private_key_file))};
}

Result<TlsIdentity> MakeDevelopmentIdentity(TimePoint now, Random& random) {
  const KeyPointer key(EVP_EC_gen("P-256"));
  const CertificatePointer certificate(X509_new());
  if (!key || !certificate || !Fill(certificate.get(), key.get(), now, random) ||
      X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0) {
    return Fail(ErrorCode::kInternal, "cannot make a development certificate");
  }
  const BioPointer certificate_text(BIO_new(BIO_s_mem()));
  const BioPointer key_text(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(certificate_text.get(), certificate.get()) != 1 ||
      PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1) {
    return Fail(ErrorCode::kInternal, "cannot write a development certificate");
  }
  return TlsIdentity{.certificate_pem = TextOf(certificate_text.get()),
                     .private_key_pem = TextOf(key_text.get())};
}

Result<void> WriteTlsIdentity(const TlsIdentity& identity,
                              const std::filesystem::path& certificate_file,
                              const std::filesystem::path& private_key_file) {
  TRY_VOID(WriteNewFile(private_key_file, identity.private_key_pem, 0600));
  return WriteNewFile(certificate_file, identity.certificate_pem, 0644);
}

}  // namespace stator::server

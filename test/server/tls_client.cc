#include "tls_client.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>

#include "base/check.h"

namespace stator::server {

TlsClient::TlsClient(std::uint16_t port, std::string_view trusted_certificate_pem)
    : client_(port), context_(SSL_CTX_new(TLS_client_method())) {
  BIO* const text = BIO_new_mem_buf(trusted_certificate_pem.data(),
                                    static_cast<int>(trusted_certificate_pem.size()));
  X509* const certificate = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
  CHECK(certificate != nullptr);
  CHECK(X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), certificate) == 1);
  X509_free(certificate);
  BIO_free(text);
  SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
  ssl_.reset(SSL_new(context_.get()));
  X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), "127.0.0.1");
  SSL_set_fd(ssl_.get(), client_.descriptor());
  CHECK_THAT(SSL_connect(ssl_.get()) == 1, "no TLS handshake");
}

void TlsClient::Send(std::string_view bytes) {
  std::size_t written = 0;
  CHECK(SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written) == 1);
  CHECK(written == bytes.size());
}

std::string TlsClient::ReadUntil(std::string_view ending) {
  std::string text;
  std::array<char, 16384> part{};
  while (!text.ends_with(ending)) {
    std::size_t count = 0;
    if (SSL_read_ex(ssl_.get(), part.data(), part.size(), &count) != 1) {
      return text;
    }
    text.append(part.data(), count);
  }
  return text;
}

bool TlsClient::IsClosedByServer() {
  std::array<char, 100> part{};
  std::size_t count = 0;
  return SSL_read_ex(ssl_.get(), part.data(), part.size(), &count) != 1 &&
         SSL_get_error(ssl_.get(), 0) == SSL_ERROR_ZERO_RETURN;
}

}  // namespace stator::server

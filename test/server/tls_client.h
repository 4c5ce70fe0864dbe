// For tests: the client's end of a TLS connection, which trusts one certificate.

#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "client.h"

namespace stator::server {

class TlsClient {
 public:
  // Shakes hands; aborts the test when that fails or the certificate is another.
  TlsClient(std::uint16_t port, std::string_view trusted_certificate_pem);

  void Send(std::string_view bytes);

  // Reads until what was read ends in `ending`, and returns it.
  std::string ReadUntil(std::string_view ending);

  // Whether the server says good-bye.
  bool IsClosedByServer();

 private:
  struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };

  Client client_;
  std::unique_ptr<SSL_CTX, Free> context_;
  std::unique_ptr<SSL, Free> ssl_;
};

}  // namespace stator::server

#include "cli/serve_files.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/try.h"
#include "server/private_file.h"
#include "server/tls.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"

namespace stator::cli {

Result<std::optional<server::TlsIdentity>> TlsOf(const ServeArguments& arguments) {
  const std::string& certificate = arguments.tls_certificate;
  const std::string& key = arguments.tls_key;
  if (certificate.empty() != key.empty()) {
    return Invalid("--tls-cert and --tls-key are only useful together");
  }
  const bool has_files = !certificate.empty();
  const bool files_exist =
      has_files && (std::filesystem::exists(certificate) || std::filesystem::exists(key));
  if (arguments.tls_self_signed && !files_exist) {
    auto identity = TRY(server::MakeDevelopmentIdentity(SystemClock().Now(), SystemRandom()));
    if (has_files) {
      TRY_VOID(server::WriteTlsIdentity(identity, certificate, key));
    }
    return identity;
  }
  if (!has_files) {
    return std::nullopt;
  }
  return TRY(server::ReadTlsIdentity(certificate, key));
}

// AWS_ACCESS_KEY_ID and its like are not read: they say who a client is, and locking the server by
// them would surprise.
Result<std::shared_ptr<const server::Credentials>> CredentialsOf(const ServeArguments& arguments) {
  const char* id = std::getenv("STATOR_ACCESS_KEY_ID");
  const char* secret = std::getenv("STATOR_SECRET_ACCESS_KEY");
  if ((id == nullptr) != (secret == nullptr)) {
    return Invalid("STATOR_ACCESS_KEY_ID and STATOR_SECRET_ACCESS_KEY are only useful together");
  }
  if (arguments.credentials_file.empty() && id == nullptr) {
    return nullptr;
  }
  auto credentials = std::make_shared<server::Credentials>();
  if (id != nullptr) {
    TRY_VOID(credentials->Add("environment", {.access_key_id = id, .secret_access_key = secret},
                              std::nullopt));
  }
  if (!arguments.credentials_file.empty()) {
    TRY_VOID(credentials->AddFile(arguments.credentials_file));
  }
  return credentials;
}

Result<std::string> MetricsKeyOf(const ServeArguments& arguments) {
  if (arguments.metrics_key_file.empty()) {
    return std::string();
  }
  const std::string text = TRY(server::ReadPrivateFile(arguments.metrics_key_file));
  std::string key = text.substr(0, text.find_first_of("\r\n"));
  if (key.empty()) {
    return Invalid(arguments.metrics_key_file + ": the key of /metrics is empty");
  }
  return key;
}

bool HasFilesToReadAgain(const ServeArguments& arguments) {
  return !arguments.credentials_file.empty() || !arguments.tls_certificate.empty();
}

Result<void> ReadAgain(const ServeArguments& arguments, server::Server& server) {
  const auto credentials = TRY(CredentialsOf(arguments));
  if (!arguments.tls_certificate.empty()) {
    const server::TlsIdentity identity =
        TRY(server::ReadTlsIdentity(arguments.tls_certificate, arguments.tls_key));
    TRY_VOID(server.SetTlsIdentity(identity));
  }
  if (credentials) {
    server.SetCredentials(credentials);
  }
  return {};
}

}  // namespace stator::cli

// The files that `stator serve` reads besides its data: access keys, certificates, the key of
// /metrics. They are read at the start, and again on SIGHUP.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/command_line.h"
#include "server/credentials.h"
#include "server/options.h"
#include "server/server.h"
#include "stator/base/result.h"

namespace stator::cli {

// From --tls-cert and --tls-key, which --tls-self-signed makes when there are none; nothing without
// TLS.
Result<std::optional<server::TlsIdentity>> TlsOf(const ServeArguments& arguments);

// From the file, and one key pair from the environment; null when there are none.
Result<std::shared_ptr<const server::Credentials>> CredentialsOf(const ServeArguments& arguments);

// The first line of the file; empty without one.
Result<std::string> MetricsKeyOf(const ServeArguments& arguments);

// Whether there is something that ReadAgain could find changed.
bool HasFilesToReadAgain(const ServeArguments& arguments);

// Gives a running server the credentials and the certificate that are in the files now. When
// something is wrong with them everything stays as it was.
Result<void> ReadAgain(const ServeArguments& arguments, server::Server& server);

}  // namespace stator::cli

// Certificates: for Asio's TLS, from files, and made on the spot for development.

#pragma once

#include <filesystem>
#include <memory>

#include "server/options.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"

namespace boost::asio::ssl {
class context;
}

namespace stator::server {

// TLS 1.2 and 1.3 with that identity. Fails with kValidation when it is none.
Result<std::shared_ptr<boost::asio::ssl::context>> MakeTlsContext(const TlsIdentity& identity);

Result<TlsIdentity> ReadTlsIdentity(const std::filesystem::path& certificate_file,
                                    const std::filesystem::path& private_key_file);

// A certificate that signs itself, for localhost, 127.0.0.1 and ::1, good for a year from `now`.
Result<TlsIdentity> MakeDevelopmentIdentity(TimePoint now, Random& random);

// Writes both files, which must not exist; the key readable for the owner only.
Result<void> WriteTlsIdentity(const TlsIdentity& identity,
                              const std::filesystem::path& certificate_file,
                              const std::filesystem::path& private_key_file);

}  // namespace stator::server

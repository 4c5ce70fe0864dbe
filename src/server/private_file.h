// Files with secrets in them.

#pragma once

#include <filesystem>
#include <string>

#include "stator/base/result.h"

namespace stator::server {

// The whole file. Fails with kIo when it cannot be read, and with kValidation when users other than
// its owner and group can read or write it, or its group can write it: then the secrets in it are
// none.
Result<std::string> ReadPrivateFile(const std::filesystem::path& path);

}  // namespace stator::server

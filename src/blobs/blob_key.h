// The digest in a blob's key.

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::blobs {

// Fails with kValidation for a key that MakeBlobKey did not make.
Result<void> CheckBlobKey(std::string_view key);

// Fails with kCorruption unless the bytes have the digest that the key names.
Result<void> CheckDigest(std::string_view key, std::string_view bytes);

}  // namespace stator::blobs

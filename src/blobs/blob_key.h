// The digest in a blob's key.

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::blobs {

// 64 hexadecimal digits, of SHA-256.
std::string HexDigest(std::string_view bytes);

// The digits in a key. REQUIRES: IsBlobKey.
std::string_view DigestOf(std::string_view key);

// Whether it can stand in front of a key: parts that mean nothing to a file system.
bool IsBlobFolder(std::string_view folder);

// These fail with kValidation.
Result<void> CheckBlobKey(std::string_view key);
Result<void> CheckBlobFolder(std::string_view folder);
Result<void> CheckNewBlob(std::string_view key, std::string_view bytes);

// Fails with kCorruption unless the bytes have the digest that the key names.
Result<void> CheckDigest(std::string_view key, std::string_view bytes);

}  // namespace stator::blobs

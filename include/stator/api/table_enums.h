// The choices that describe a table and its indexes.

#pragma once

#include <cstdint>

namespace stator {

enum class ScalarAttributeType : std::uint8_t { kString, kNumber, kBinary };
enum class KeyType : std::uint8_t { kHash, kRange };
enum class ProjectionType : std::uint8_t { kAll, kKeysOnly, kInclude };
enum class BillingMode : std::uint8_t { kProvisioned, kPayPerRequest };
enum class TableClass : std::uint8_t { kStandard, kStandardInfrequentAccess };
// The last four are Amazon's: tables whose key or whose permission was taken away for long.
enum class TableStatus : std::uint8_t {
  kCreating,
  kUpdating,
  kDeleting,
  kActive,
  kInaccessibleEncryptionCredentials,
  kArchiving,
  kArchived,
  kReplicationNotAuthorized,
};
enum class IndexStatus : std::uint8_t { kCreating, kUpdating, kDeleting, kActive };
enum class StreamViewType : std::uint8_t { kNewImage, kOldImage, kNewAndOldImages, kKeysOnly };
enum class SseType : std::uint8_t { kAes256, kKms };

}  // namespace stator

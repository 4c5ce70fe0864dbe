// Values that are too large for an item, kept outside of the database under keys.
//
//   auto blobs = OpenFileBlobs("/var/lib/app/blobs");
//   const std::string key = MakeBlobKey("school/courses/v1", bytes);
//   (*blobs)->Write(key, bytes);                 // the item then holds the key
//
// A key says what is under it: its last part is the digest of the bytes, so writing the same again
// changes nothing, and what is read is checked against it.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"

namespace stator {

// THREADS: every method may be called from many threads.
class BlobStore {
 public:
  BlobStore() = default;
  BlobStore(const BlobStore&) = delete;
  BlobStore& operator=(const BlobStore&) = delete;
  virtual ~BlobStore() = default;

  // "files", "s3": recorded beside the key.
  [[nodiscard]] virtual std::string_view provider() const = 0;

  // Durable when it returns. Fails with kValidation for a key that MakeBlobKey did not make.
  virtual Result<void> Write(const std::string& key, std::string_view bytes) = 0;

  // Fails with kResourceNotFound, and with kCorruption when the bytes are not what was written.
  virtual Result<std::string> Read(const std::string& key) = 0;

  // Success when there is none.
  virtual Result<void> Remove(const std::string& key) = 0;

  // The keys that begin with `folder` and a slash, sorted.
  virtual Result<std::vector<std::string>> List(const std::string& folder) = 0;
};

// folder/digest.bin. Parts of the folder are percent-encoded where they have other characters than
// A-Z a-z 0-9 - _ and dots inside; the tenant should be the first of them.
std::string MakeBlobKey(std::string_view folder, std::string_view bytes);

// Whether MakeBlobKey can have made it.
bool IsBlobKey(std::string_view key);

// In a directory, which is made if there is none. Several processes may use it at once.
Result<std::unique_ptr<BlobStore>> OpenFileBlobs(const std::string& directory);

}  // namespace stator

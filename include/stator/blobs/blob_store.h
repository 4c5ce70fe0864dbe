// Values that are too large for an item, kept outside of the database under keys.
//
//   auto blobs = OpenFileBlobs("/var/lib/app/blobs");
//   const std::string key = MakeBlobKey("school/courses/v1", bytes);
//   (*blobs)->Write(key, bytes);                 // the item then holds the key
//
// A key says what is under it: its last part is the digest of the bytes, so writing the same again
// changes nothing, and what is read is checked against it. s3_blobs.h has those in Amazon S3,
// cached_blobs.h a cache on the local disk.

#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator {

struct BlobInfo {
  std::string key;
  std::uint64_t bytes = 0;
  // When it was last written, by the clock of the place where it is.
  TimePoint written_at = {};

  friend bool operator==(const BlobInfo&, const BlobInfo&) = default;
};

// THREADS: every method may be called from many threads.
class BlobStore {
 public:
  BlobStore() = default;
  BlobStore(const BlobStore&) = delete;
  BlobStore& operator=(const BlobStore&) = delete;
  virtual ~BlobStore() = default;

  // "files", "s3": recorded beside the key.
  [[nodiscard]] virtual std::string_view provider() const = 0;
  // What tells this store apart from others of its provider: a directory, a bucket and prefix.
  [[nodiscard]] virtual std::string place() const = 0;

  // Durable when it returns. Fails with kValidation for a key that MakeBlobKey did not make for
  // these bytes. A blob that is there already counts as written anew, so that it is not swept away
  // as an old one before whoever wrote it has stored its key.
  virtual Result<void> Write(const std::string& key, std::string_view bytes) = 0;

  // Fails with kResourceNotFound, and with kCorruption when the bytes are not what was written.
  virtual Result<std::string> Read(const std::string& key) = 0;

  // Success when there is none.
  virtual Result<void> Remove(const std::string& key) = 0;

  // The blobs whose keys begin with `folder` and a slash, sorted by key. `folder` is the folder of
  // a key, as MakeBlobKey encodes it, or the first parts of it.
  virtual Result<std::vector<BlobInfo>> Describe(const std::string& folder) = 0;

  // Removes what writers that did not live to finish began before that time, and says how much.
  virtual Result<std::size_t> RemoveUnfinished(TimePoint before) = 0;

  // The keys of Describe.
  Result<std::vector<std::string>> List(const std::string& folder);
};

// folder/digest.bin. Parts of the folder are percent-encoded where they have other characters than
// A-Z a-z 0-9 - _ and dots inside; the tenant should be the first of them.
std::string MakeBlobKey(std::string_view folder, std::string_view bytes);

// The folder as it stands in keys, for Describe and List.
std::string EncodeBlobFolder(std::string_view folder);

// Whether MakeBlobKey can have made it.
bool IsBlobKey(std::string_view key);

// Garbage collection: removes the blobs of a folder whose keys are not in `used` and that were
// written before that time, and says how many. REQUIRES: `used` was read after the folder's writers
// could have stored the key of anything written before `before`: an hour ago is safe when nobody
// takes that long between Write and storing the key.
Result<std::size_t> RemoveUnusedBlobs(BlobStore& blobs, const std::string& folder,
                                      const std::set<std::string>& used, TimePoint before);

// In a directory, which is made if there is none. Several processes may use it at once.
Result<std::unique_ptr<BlobStore>> OpenFileBlobs(const std::string& directory);

}  // namespace stator

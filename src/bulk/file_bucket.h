// Buckets that are directories; the keys of objects are paths below them. A key or a name that would
// lead out of its directory is refused with kAccessDenied.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bulk/bucket.h"
#include "stator/base/mutex.h"
#include "stator/base/random.h"
#include "stator/base/result.h"

namespace stator::bulk {

class FileBucket final : public Bucket {
 public:
  // The directory is made when something is put into it.
  explicit FileBucket(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // The tag is that of an object that S3 got in one part.
  Result<std::string> Put(const std::string& key, std::string_view bytes) override;
  Result<std::vector<Object>> List(const std::string& prefix, std::size_t objects_max) override;
  Result<std::string> Read(const std::string& key, std::uint64_t offset,
                           std::size_t bytes_max) override;

 private:
  [[nodiscard]] Result<void> CheckExists() const;

  const std::filesystem::path directory_;
};

// Whether a key stays below its directory: no part of it is empty, "." or "..", and it has no zero byte.
bool IsSafeKey(std::string_view key);

// The directory of all buckets, each of which has its name.
// THREADS: every method may be called from many threads.
class BucketFolder {
 public:
  explicit BucketFolder(std::filesystem::path root) : root_(std::move(root)) {}
  // One that is made for temporary files when it is needed, and removed at the end.
  explicit BucketFolder(Random& random) : random_(&random) {}
  BucketFolder(const BucketFolder&) = delete;
  BucketFolder& operator=(const BucketFolder&) = delete;
  ~BucketFolder();

  Result<std::unique_ptr<Bucket>> Open(const std::string& name);

 private:
  Result<std::filesystem::path> Root();

  Random* random_ = nullptr;  // null: the root is somebody else's
  Mutex mutex_;
  std::filesystem::path root_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::bulk

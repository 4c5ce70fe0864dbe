#include "stator/blobs/cached_blobs.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "base/try.h"
#include "blobs/blob_key.h"
#include "blobs/file_blobs.h"
#include "stator/base/mutex.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

class CachedBlobs final : public BlobStore {
 public:
  CachedBlobs(std::unique_ptr<BlobStore> blobs, const fs::path& directory, std::uint64_t bytes_max)
      : blobs_(std::move(blobs)),
        cache_(directory, blobs::FileBlobs::Syncs::kNo),
        bytes_max_(bytes_max) {
    MakeRoom(0);
  }

  [[nodiscard]] std::string_view provider() const override { return blobs_->provider(); }
  [[nodiscard]] std::string place() const override { return blobs_->place(); }

  Result<void> Write(const std::string& key, std::string_view bytes) override {
    TRY_VOID(blobs_->Write(key, bytes));
    Keep(key, bytes);
    return {};
  }

  Result<std::string> Read(const std::string& key) override {
    if (Result<std::string> cached = cache_.Read(key)) {
      cache_.Touch(key);
      return cached;
    }
    std::string bytes = TRY(blobs_->Read(key));
    Keep(key, bytes);
    return bytes;
  }

  // The cache first: nobody shall find there what is gone.
  Result<void> Remove(const std::string& key) override {
    TRY_VOID(cache_.Remove(key));
    return blobs_->Remove(key);
  }

  Result<std::vector<BlobInfo>> Describe(const std::string& folder) override {
    return blobs_->Describe(folder);
  }

  Result<std::size_t> RemoveUnfinished(TimePoint before) override {
    static_cast<void>(cache_.RemoveUnfinished(before));
    return blobs_->RemoveUnfinished(before);
  }

 private:
  void Keep(const std::string& key, std::string_view bytes) {
    if (bytes.size() > bytes_max_) {
      return;
    }
    MakeRoom(bytes.size());
    static_cast<void>(cache_.Write(key, bytes));
  }

  // Counts the files only when this process alone may have filled the cache since the last time.
  void MakeRoom(std::uint64_t bytes) {
    const MutexLock lock(mutex_);
    if (counted_ && *counted_ + bytes <= bytes_max_) {
      *counted_ += bytes;
      return;
    }
    Result<std::vector<BlobInfo>> files = cache_.DescribeAll();
    if (!files) {
      return;
    }
    std::uint64_t total = bytes;
    for (const BlobInfo& file : *files) {
      total += file.bytes;
    }
    if (total > bytes_max_) {
      RemoveOldest(*std::move(files), total);
    }
    // Others may add as well, so it is counted again before the cache can be full.
    counted_ = std::max(total, bytes_max_ - bytes_max_ / 10);
  }

  void RemoveOldest(std::vector<BlobInfo> files, std::uint64_t& total) {
    std::sort(files.begin(), files.end(), [](const BlobInfo& left, const BlobInfo& right) {
      return left.written_at < right.written_at;
    });
    const std::uint64_t wanted = bytes_max_ - bytes_max_ / 10;
    for (const BlobInfo& file : files) {
      if (total <= wanted) {
        return;
      }
      if (cache_.Remove(file.key)) {
        total -= file.bytes;
      }
    }
  }

  std::unique_ptr<BlobStore> blobs_;
  blobs::FileBlobs cache_;
  std::uint64_t bytes_max_;

  Mutex mutex_;
  // Bytes of the files when they were last counted, and what was added.
  std::optional<std::uint64_t> counted_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace

Result<std::unique_ptr<BlobStore>> OpenCachedBlobs(std::unique_ptr<BlobStore> blobs,
                                                   const BlobCacheOptions& options) {
  const fs::path directory =
      fs::path(options.directory) /
      blobs::HexDigest(std::string(blobs->provider()) + "\n" + blobs->place());
  std::error_code error;
  fs::create_directories(directory, error);
  const fs::path path = error ? fs::path() : fs::absolute(directory, error);
  if (error) {
    return Fail(ErrorCode::kIo, "cannot make " + directory.string() + ": " + error.message());
  }
  return std::make_unique<CachedBlobs>(std::move(blobs), path, options.bytes_max);
}

}  // namespace stator

// Blobs as files. A file appears under its name only when all of its bytes are there: they are
// written under another name, which is then changed.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/random.h"
#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"

namespace stator::blobs {

class FileBlobs final : public BlobStore {
 public:
  // Whether what was written must survive a loss of power: files and directories are then synced.
  enum class Syncs : bool { kNo, kYes };

  FileBlobs(std::filesystem::path directory, Syncs syncs)
      : directory_(std::move(directory)), syncs_(syncs == Syncs::kYes) {}

  [[nodiscard]] std::string_view provider() const override { return "files"; }
  [[nodiscard]] std::string place() const override { return directory_.string(); }

  Result<void> Write(const std::string& key, std::string_view bytes) override;
  Result<std::string> Read(const std::string& key) override;
  Result<void> Remove(const std::string& key) override;
  Result<std::vector<BlobInfo>> Describe(const std::string& folder) override;
  Result<std::size_t> RemoveUnfinished(TimePoint before) override;

  // All blobs, in no order.
  [[nodiscard]] Result<std::vector<BlobInfo>> DescribeAll() const;
  // Counts as written now. Does nothing when there is none.
  void Touch(const std::string& key) const;

 private:
  [[nodiscard]] Result<std::vector<BlobInfo>> Walk(const std::filesystem::path& from,
                                                   bool unfinished) const;
  [[nodiscard]] Result<void> MakeDirectories(const std::filesystem::path& path) const;
  [[nodiscard]] Result<void> SyncDirectory(const std::filesystem::path& path) const;

  std::filesystem::path directory_;
  bool syncs_;
};

}  // namespace stator::blobs

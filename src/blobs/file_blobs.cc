// Blobs as files. A file appears under its name only when all of its bytes are on the disk: they
// are written and synced under another name, which is then changed, and the directory is synced.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/try.h"
#include "blobs/blob_key.h"
#include "stator/base/random.h"
#include "stator/blobs/blob_store.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnfinished = ".unfinished";

std::unexpected<Error> IoError(const std::string& what, const fs::path& path, int error) {
  return Fail(ErrorCode::kIo, what + " " + path.string() + ": " + std::strerror(error));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

Result<void> SyncDirectory(const fs::path& path) {
  const Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() < 0 || fsync(directory.number()) != 0) {
    return IoError("cannot sync", path, errno);
  }
  return {};
}

Result<void> WriteAll(const fs::path& path, std::string_view bytes) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (file.number() < 0) {
    return IoError("cannot make", path, errno);
  }
  while (!bytes.empty()) {
    const ssize_t written = write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return IoError("cannot write", path, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(file.number()) != 0) {
    return IoError("cannot sync", path, errno);
  }
  return {};
}

class FileBlobs final : public BlobStore {
 public:
  explicit FileBlobs(fs::path directory) : directory_(std::move(directory)) {}

  [[nodiscard]] std::string_view provider() const override { return "files"; }

  Result<void> Write(const std::string& key, std::string_view bytes) override {
    TRY_VOID(blobs::CheckBlobKey(key));
    const fs::path path = directory_ / key;
    TRY_VOID(MakeDirectories(path.parent_path()));
    const fs::path unfinished = path.string() + "." + SystemRandom().Uuid() + kUnfinished;
    Result<void> written = WriteAll(unfinished, bytes);
    if (written && rename(unfinished.c_str(), path.c_str()) != 0) {
      written = IoError("cannot rename", unfinished, errno);
    }
    if (!written) {
      unlink(unfinished.c_str());
      return written;
    }
    return SyncDirectory(path.parent_path());
  }

  Result<std::string> Read(const std::string& key) override {
    TRY_VOID(blobs::CheckBlobKey(key));
    const fs::path path = directory_ / key;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      return Fail(ErrorCode::kResourceNotFound, "there is no blob " + key);
    }
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file.bad()) {
      return IoError("cannot read", path, errno);
    }
    TRY_VOID(blobs::CheckDigest(key, bytes));
    return bytes;
  }

  Result<void> Remove(const std::string& key) override {
    TRY_VOID(blobs::CheckBlobKey(key));
    const fs::path path = directory_ / key;
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
      return IoError("cannot remove", path, errno);
    }
    return {};
  }

  Result<std::vector<std::string>> List(const std::string& folder) override {
    std::vector<std::string> keys;
    std::error_code error;
    for (fs::recursive_directory_iterator file(directory_, error), end; !error && file != end;
         file.increment(error)) {
      std::string key = fs::relative(file->path(), directory_, error).generic_string();
      if (key.starts_with(folder + "/") && IsBlobKey(key)) {
        keys.push_back(std::move(key));
      }
    }
    if (error) {
      return Fail(ErrorCode::kIo, "cannot list " + directory_.string() + ": " + error.message());
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

 private:
  // A new directory is in its parent only when that is synced.
  Result<void> MakeDirectories(const fs::path& path) const {
    if (fs::exists(path)) {
      return {};
    }
    TRY_VOID(MakeDirectories(path.parent_path()));
    std::error_code error;
    fs::create_directory(path, error);
    if (error) {
      return Fail(ErrorCode::kIo, "cannot make " + path.string() + ": " + error.message());
    }
    return SyncDirectory(path.parent_path());
  }

  fs::path directory_;
};

}  // namespace

Result<std::unique_ptr<BlobStore>> OpenFileBlobs(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    return Fail(ErrorCode::kIo, "cannot make " + directory + ": " + error.message());
  }
  return std::make_unique<FileBlobs>(fs::absolute(directory));
}

}  // namespace stator

#include "blobs/file_blobs.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/descriptor.h"
#include "base/try.h"
#include "blobs/blob_key.h"

namespace stator {
namespace blobs {
namespace {

namespace fs = std::filesystem;
using base::Descriptor;

constexpr std::string_view kUnfinished = ".unfinished";

std::unexpected<Error> IoError(const std::string& what, const fs::path& path, int error) {
  return Fail(ErrorCode::kIo, what + " " + path.string() + ": " + std::strerror(error));
}

std::unexpected<Error> IoError(const std::string& what, const fs::path& path,
                               const std::error_code& error) {
  return Fail(ErrorCode::kIo, what + " " + path.string() + ": " + error.message());
}

Result<void> WriteAll(const fs::path& path, std::string_view bytes, bool syncs) {
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
  if (syncs && fsync(file.number()) != 0) {
    return IoError("cannot sync", path, errno);
  }
  return {};
}

TimePoint ToTimePoint(fs::file_time_type time) {
  return std::chrono::time_point_cast<Duration>(std::chrono::file_clock::to_sys(time));
}

}  // namespace

Result<void> FileBlobs::Write(const std::string& key, std::string_view bytes) {
  TRY_VOID(CheckNewBlob(key, bytes));
  const fs::path path = directory_ / key;
  TRY_VOID(MakeDirectories(path.parent_path()));
  const fs::path unfinished =
      path.string() + "." + SystemRandom().Uuid() + std::string(kUnfinished);
  Result<void> written = WriteAll(unfinished, bytes, syncs_);
  if (written && rename(unfinished.c_str(), path.c_str()) != 0) {
    written = IoError("cannot rename", unfinished, errno);
  }
  if (!written) {
    unlink(unfinished.c_str());
    return written;
  }
  return SyncDirectory(path.parent_path());
}

Result<std::string> FileBlobs::Read(const std::string& key) {
  TRY_VOID(CheckBlobKey(key));
  const fs::path path = directory_ / key;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Fail(ErrorCode::kResourceNotFound, "there is no blob " + key);
  }
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) {
    return IoError("cannot read", path, errno);
  }
  TRY_VOID(CheckDigest(key, bytes));
  return bytes;
}

Result<void> FileBlobs::Remove(const std::string& key) {
  TRY_VOID(CheckBlobKey(key));
  const fs::path path = directory_ / key;
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    return IoError("cannot remove", path, errno);
  }
  return {};
}

Result<std::vector<BlobInfo>> FileBlobs::Describe(const std::string& folder) {
  TRY_VOID(CheckBlobFolder(folder));
  std::vector<BlobInfo> blobs = TRY(Walk(directory_ / folder, /*unfinished=*/false));
  std::sort(blobs.begin(), blobs.end(),
            [](const BlobInfo& left, const BlobInfo& right) { return left.key < right.key; });
  return blobs;
}

Result<std::vector<BlobInfo>> FileBlobs::DescribeAll() const {
  return Walk(directory_, /*unfinished=*/false);
}

Result<std::size_t> FileBlobs::RemoveUnfinished(TimePoint before) {
  std::size_t removed = 0;
  for (const BlobInfo& file : TRY(Walk(directory_, /*unfinished=*/true))) {
    if (file.written_at < before && unlink((directory_ / file.key).c_str()) == 0) {
      ++removed;
    }
  }
  return removed;
}

void FileBlobs::Touch(const std::string& key) const {
  static_cast<void>(utimensat(AT_FDCWD, (directory_ / key).c_str(), nullptr, 0));
}

// Blobs, or files that will become some. Others come and go meanwhile.
Result<std::vector<BlobInfo>> FileBlobs::Walk(const fs::path& from, bool unfinished) const {
  std::vector<BlobInfo> found;
  std::error_code error;
  fs::recursive_directory_iterator file(from, error);
  if (error == std::errc::no_such_file_or_directory) {
    return found;
  }
  for (const fs::recursive_directory_iterator end; !error && file != end; file.increment(error)) {
    std::string key = file->path().lexically_relative(directory_).generic_string();
    if (unfinished ? !key.ends_with(kUnfinished) : !IsBlobKey(key)) {
      continue;
    }
    std::error_code gone;
    const std::uintmax_t bytes = file->file_size(gone);
    const fs::file_time_type time = gone ? fs::file_time_type() : file->last_write_time(gone);
    if (!gone) {
      found.push_back({std::move(key), bytes, ToTimePoint(time)});
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return IoError("cannot list", from, error);
  }
  return found;
}

// A new directory is in its parent only when that is synced.
Result<void> FileBlobs::MakeDirectories(const fs::path& path) const {
  if (fs::exists(path)) {
    return {};
  }
  TRY_VOID(MakeDirectories(path.parent_path()));
  std::error_code error;
  fs::create_directory(path, error);
  if (error) {
    return IoError("cannot make", path, error);
  }
  return SyncDirectory(path.parent_path());
}

Result<void> FileBlobs::SyncDirectory(const fs::path& path) const {
  if (!syncs_) {
    return {};
  }
  const Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() < 0 || fsync(directory.number()) != 0) {
    return IoError("cannot sync", path, errno);
  }
  return {};
}

}  // namespace blobs

Result<std::unique_ptr<BlobStore>> OpenFileBlobs(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(directory, error);
  const fs::path path = error ? fs::path() : fs::absolute(directory, error);
  if (error) {
    return Fail(ErrorCode::kIo, "cannot make " + directory + ": " + error.message());
  }
  return std::make_unique<blobs::FileBlobs>(path, blobs::FileBlobs::Syncs::kYes);
}

}  // namespace stator

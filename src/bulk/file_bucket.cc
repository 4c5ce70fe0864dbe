#include "bulk/file_bucket.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/descriptor.h"
#include "base/digest.h"
#include "base/hex.h"
#include "base/try.h"
#include "bulk/export_files.h"

namespace stator::bulk {
namespace {

namespace fs = std::filesystem;
using base::Descriptor;

// Of files that are not whole yet. Nobody else's key has it.
constexpr std::string_view kUnfinished = ".stator-unfinished";

std::unexpected<Error> IoError(const std::string& what, const fs::path& path, int error) {
  const ErrorCode code = error == ENOENT                     ? ErrorCode::kResourceNotFound
                         : error == EACCES || error == EPERM ? ErrorCode::kAccessDenied
                                                             : ErrorCode::kIo;
  return Fail(code, what + " " + path.string() + ": " + std::strerror(error));
}

Result<void> SyncDirectory(const fs::path& path) {
  const Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() < 0 || fsync(directory.number()) != 0) {
    return IoError("cannot sync", path, errno);
  }
  return {};
}

// A new directory is in its parent only when that is synced.
Result<void> MakeDirectories(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return {};
  }
  if (path.has_parent_path() && path.parent_path() != path) {
    TRY_VOID(MakeDirectories(path.parent_path()));
  }
  if (!fs::create_directory(path, error) && error) {
    return IoError("cannot make", path, error.value());
  }
  return SyncDirectory(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

Result<void> WriteWhole(const fs::path& path, std::string_view bytes) {
  const Descriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
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

std::unexpected<Error> Outside(std::string_view key) {
  return Fail(ErrorCode::kAccessDenied,
              "Access Denied: in a directory the parts of a key are neither empty nor \".\" nor "
              "\"..\": \"" +
                  std::string(key) + "\"");
}

}  // namespace

bool IsSafeKey(std::string_view key) {
  if (key.contains('\0') || key.contains(kUnfinished)) {
    return false;
  }
  while (true) {
    const std::string_view part = key.substr(0, key.find('/'));
    if (part.empty() || part == "." || part == "..") {
      return false;
    }
    if (part.size() == key.size()) {
      return true;
    }
    key.remove_prefix(part.size() + 1);
  }
}

Result<void> FileBucket::CheckExists() const {
  std::error_code error;
  if (!fs::is_directory(directory_, error)) {
    return Fail(ErrorCode::kResourceNotFound,
                "The specified bucket does not exist: there is no "
                "directory " +
                    directory_.string());
  }
  return {};
}

Result<std::string> FileBucket::Put(const std::string& key, std::string_view bytes) {
  if (!IsSafeKey(key)) {
    return Outside(key);
  }
  const fs::path path = directory_ / key;
  TRY_VOID(MakeDirectories(path.parent_path()));
  const fs::path unfinished = path.string() + std::string(kUnfinished);
  Result<void> written = WriteWhole(unfinished, bytes);
  if (written && rename(unfinished.c_str(), path.c_str()) != 0) {
    written = IoError("cannot rename", unfinished, errno);
  }
  if (!written) {
    unlink(unfinished.c_str());
    return std::unexpected(written.error());
  }
  TRY_VOID(SyncDirectory(path.parent_path()));
  return base::HexOf(base::Md5(base::Md5(bytes))) + "-1";
}

Result<std::vector<Object>> FileBucket::List(const std::string& prefix, std::size_t objects_max) {
  const std::size_t slash = prefix.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : prefix.substr(0, slash);
  if (prefix.contains('\0') || (slash != std::string::npos && !IsSafeKey(folder))) {
    return Outside(prefix);
  }
  TRY_VOID(CheckExists());
  std::vector<Object> found;
  std::error_code error;
  fs::recursive_directory_iterator file(directory_ / folder, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    return found;
  }
  for (const fs::recursive_directory_iterator end; !error && file != end; file.increment(error)) {
    std::error_code gone;
    std::string key = file->path().lexically_relative(directory_).generic_string();
    if (!fs::is_regular_file(file->symlink_status(gone)) || !key.starts_with(prefix) ||
        key.ends_with(kUnfinished)) {
      continue;
    }
    const std::uintmax_t bytes = file->file_size(gone);
    if (found.size() == objects_max) {
      return Fail(ErrorCode::kLimitExceeded, "there are more than " + std::to_string(objects_max) +
                                                 " objects under \"" + prefix + "\"");
    }
    if (!gone) {
      found.push_back({.key = std::move(key), .bytes = bytes});
    }
  }
  if (error) {
    return IoError("cannot list", directory_ / folder, error.value());
  }
  std::ranges::sort(found, {}, &Object::key);
  return found;
}

Result<std::string> FileBucket::Read(const std::string& key, std::uint64_t offset,
                                     std::size_t bytes_max) {
  if (!IsSafeKey(key)) {
    return Outside(key);
  }
  TRY_VOID(CheckExists());
  const fs::path path = directory_ / key;
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (file.number() < 0) {
    return IoError("cannot read", path, errno);
  }
  std::string bytes(bytes_max, '\0');
  std::size_t size = 0;
  while (size < bytes_max) {
    const ssize_t got = pread(file.number(), bytes.data() + size, bytes_max - size,
                              static_cast<off_t>(offset + size));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return IoError("cannot read", path, errno);
    }
    if (got == 0) {
      break;
    }
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

BucketFolder::~BucketFolder() {
  if (random_ != nullptr && !root_.empty()) {
    std::error_code failed;
    fs::remove_all(root_, failed);
  }
}

Result<fs::path> BucketFolder::Root() {
  const MutexLock lock(mutex_);
  if (root_.empty()) {
    std::error_code error;
    const fs::path made = fs::temp_directory_path(error) / ("stator-buckets-" + random_->Uuid());
    // Nobody else may have put something there.
    if (error || mkdir(made.c_str(), S_IRWXU) != 0) {
      return IoError("cannot make", made, error ? error.value() : errno);
    }
    root_ = made;
  }
  return root_;
}

Result<std::unique_ptr<Bucket>> BucketFolder::Open(const std::string& name) {
  if (!IsSafeKey(name) || name.contains('/')) {
    return Outside(name);
  }
  const fs::path root = TRY(Root());
  return std::make_unique<FileBucket>(root / name);
}

}  // namespace stator::bulk

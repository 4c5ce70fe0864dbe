#include "storage/faulty_file_system.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/check.h"

namespace stator::storage {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

std::string ParentOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

std::string WithoutTrailingSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) {
    path.pop_back();
  }
  return path;
}

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kSectorBytes = 512;

// The system writes the pages of a file in any order: those that it had not come to are zeros.
void LosePages(std::string& contents, std::uint64_t synced, Random& random) {
  std::size_t begin = synced;
  while (begin < contents.size()) {
    const std::size_t end = std::min((begin / kPageBytes + 1) * kPageBytes, contents.size());
    if (random.Below(3) == 0) {
      std::fill(contents.begin() + static_cast<std::ptrdiff_t>(begin),
                contents.begin() + static_cast<std::ptrdiff_t>(end), '\0');
    }
    begin = end;
  }
}

// A file that tells its file system what was written and synced.
class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyFile(std::unique_ptr<rocksdb::FSWritableFile> target, std::string path,
             FaultyFileSystem& files)
      : FSWritableFileOwnerWrapper(std::move(target)), path_(std::move(path)), files_(files) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    std::uint64_t bytes = data.size();
    IOStatus allowed = files_.faults().OnWrite(bytes);
    if (bytes > 0) {
      IOStatus done = FSWritableFileOwnerWrapper::Append(Slice(data.data(), bytes), options, debug);
      if (!done.ok()) {
        return done;
      }
      files_.AddBytes(path_, bytes);
    }
    return allowed;
  }

  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*verification*/,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }

  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    IOStatus done = FSWritableFileOwnerWrapper::Truncate(size, options, debug);
    if (done.ok()) {
      files_.SetSize(path_, size);
    }
    return done;
  }

  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    if (IOStatus allowed = files_.faults().OnSync(); !allowed.ok()) {
      return allowed;
    }
    // What is appended while the sync runs does not count as synced.
    const std::uint64_t size = files_.SizeOf(path_);
    IOStatus done = FSWritableFileOwnerWrapper::Sync(options, debug);
    if (done.ok()) {
      files_.MarkSynced(path_, size);
    }
    return done;
  }

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Sync(options, debug);
  }

  // RocksDB syncs the log while it is written only if this is so; files in memory, which do
  // nothing at a sync, do not say it themselves.
  [[nodiscard]] bool IsSyncThreadSafe() const override { return true; }

 private:
  const std::string path_;
  FaultyFileSystem& files_;
};

// A file that is written in place.
class FaultyRandomFile final : public rocksdb::FSRandomRWFileOwnerWrapper {
 public:
  FaultyRandomFile(std::unique_ptr<rocksdb::FSRandomRWFile> target, std::string path,
                   FaultyFileSystem& files)
      : FSRandomRWFileOwnerWrapper(std::move(target)), path_(std::move(path)), files_(files) {}

  IOStatus Write(std::uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* debug) override {
    // The space is there already, so a full disk does not matter.
    if (IOStatus allowed = files_.faults().OnRewrite(); !allowed.ok()) {
      return allowed;
    }
    return FSRandomRWFileOwnerWrapper::Write(offset, data, options, debug);
  }

  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    if (IOStatus allowed = files_.faults().OnSync(); !allowed.ok()) {
      return allowed;
    }
    IOStatus done = FSRandomRWFileOwnerWrapper::Sync(options, debug);
    if (done.ok()) {
      files_.MarkRewritten(path_);
    }
    return done;
  }

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Sync(options, debug);
  }

 private:
  const std::string path_;
  FaultyFileSystem& files_;
};

class FaultyDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  FaultyDirectory(std::unique_ptr<rocksdb::FSDirectory> target, std::string path,
                  FaultyFileSystem& files)
      : FSDirectoryWrapper(target.get()),
        target_(std::move(target)),
        path_(std::move(path)),
        files_(files) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return FsyncWithDirOptions(options, debug, rocksdb::DirFsyncOptions());
  }

  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& how) override {
    if (IOStatus allowed = files_.faults().OnSync(); !allowed.ok()) {
      return allowed;
    }
    IOStatus done = target_->FsyncWithDirOptions(options, debug, how);
    if (done.ok()) {
      files_.MarkDirectorySynced(path_);
    }
    return done;
  }

 private:
  const std::unique_ptr<rocksdb::FSDirectory> target_;
  const std::string path_;
  FaultyFileSystem& files_;
};

}  // namespace

IOStatus FaultyFileSystem::NewWritableFile(const std::string& path,
                                           const rocksdb::FileOptions& options,
                                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                                           IODebugContext* debug) {
  if (IOStatus allowed = faults_.OnChange(); !allowed.ok()) {
    return allowed;
  }
  const MutexLock lock(mutex_);
  Change change{
      .directory = ParentOf(path), .made = path, .renamed = {}, .gone = SaveIfThere(path)};
  std::unique_ptr<rocksdb::FSWritableFile> made;
  if (IOStatus done = target()->NewWritableFile(path, options, &made, debug); !done.ok()) {
    return done;
  }
  changes_.push_back(std::move(change));
  files_[path] = {};
  *file = std::make_unique<FaultyFile>(std::move(made), path, *this);
  return IOStatus::OK();
}

IOStatus FaultyFileSystem::ReopenWritableFile(const std::string& path,
                                              const rocksdb::FileOptions& options,
                                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                                              IODebugContext* debug) {
  if (!target()->FileExists(path, options.io_options, debug).ok()) {
    return NewWritableFile(path, options, file, debug);
  }
  if (IOStatus allowed = faults_.OnChange(); !allowed.ok()) {
    return allowed;
  }
  std::unique_ptr<rocksdb::FSWritableFile> opened;
  if (IOStatus done = target()->ReopenWritableFile(path, options, &opened, debug); !done.ok()) {
    return done;
  }
  *file = std::make_unique<FaultyFile>(std::move(opened), path, *this);
  return IOStatus::OK();
}

IOStatus FaultyFileSystem::NewRandomRWFile(const std::string& path,
                                           const rocksdb::FileOptions& options,
                                           std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                           IODebugContext* debug) {
  if (IOStatus allowed = faults_.OnChange(); !allowed.ok()) {
    return allowed;
  }
  std::unique_ptr<rocksdb::FSRandomRWFile> opened;
  if (IOStatus done = target()->NewRandomRWFile(path, options, &opened, debug); !done.ok()) {
    return done;
  }
  MarkRewritten(path);
  *file = std::make_unique<FaultyRandomFile>(std::move(opened), path, *this);
  return IOStatus::OK();
}

IOStatus FaultyFileSystem::NewDirectory(const std::string& path, const IOOptions& options,
                                        std::unique_ptr<rocksdb::FSDirectory>* directory,
                                        IODebugContext* debug) {
  std::unique_ptr<rocksdb::FSDirectory> opened;
  if (IOStatus done = target()->NewDirectory(path, options, &opened, debug); !done.ok()) {
    return done;
  }
  *directory =
      std::make_unique<FaultyDirectory>(std::move(opened), WithoutTrailingSlash(path), *this);
  return IOStatus::OK();
}

IOStatus FaultyFileSystem::RenameFile(const std::string& from, const std::string& to,
                                      const IOOptions& options, IODebugContext* debug) {
  if (IOStatus allowed = faults_.OnChange(); !allowed.ok()) {
    return allowed;
  }
  const MutexLock lock(mutex_);
  Change change{.directory = ParentOf(to),
                .made = {},
                .renamed = std::pair(from, to),
                .gone = SaveIfThere(to)};
  if (IOStatus done = target()->RenameFile(from, to, options, debug); !done.ok()) {
    return done;
  }
  changes_.push_back(std::move(change));
  files_.erase(to);
  if (auto moved = files_.extract(from)) {
    moved.key() = to;
    files_.insert(std::move(moved));
  }
  return IOStatus::OK();
}

IOStatus FaultyFileSystem::DeleteFile(const std::string& path, const IOOptions& options,
                                      IODebugContext* debug) {
  if (IOStatus allowed = faults_.OnChange(); !allowed.ok()) {
    return allowed;
  }
  const MutexLock lock(mutex_);
  Change change{.directory = ParentOf(path), .made = {}, .renamed = {}, .gone = SaveIfThere(path)};
  if (IOStatus done = target()->DeleteFile(path, options, debug); !done.ok()) {
    return done;
  }
  changes_.push_back(std::move(change));
  files_.erase(path);
  return IOStatus::OK();
}

void FaultyFileSystem::AddBytes(const std::string& path, std::uint64_t bytes) {
  const MutexLock lock(mutex_);
  files_[path].size += bytes;
}

void FaultyFileSystem::SetSize(const std::string& path, std::uint64_t size) {
  const MutexLock lock(mutex_);
  FileState& state = files_[path];
  state.size = size;
  state.synced = std::min(state.synced, size);
}

std::uint64_t FaultyFileSystem::SizeOf(const std::string& path) const {
  const MutexLock lock(mutex_);
  const auto found = files_.find(path);
  return found == files_.end() ? 0 : found->second.size;
}

void FaultyFileSystem::MarkSynced(const std::string& path, std::uint64_t size) {
  const MutexLock lock(mutex_);
  // The file may have been removed while it was synced.
  if (const auto found = files_.find(path); found != files_.end()) {
    found->second.synced = std::max(found->second.synced, std::min(size, found->second.size));
  }
}

void FaultyFileSystem::MarkDirectorySynced(const std::string& directory) {
  const MutexLock lock(mutex_);
  std::erase_if(changes_, [&](const Change& change) { return change.directory == directory; });
}

void FaultyFileSystem::MarkRewritten(const std::string& path) {
  const MutexLock lock(mutex_);
  CHECK(rocksdb::ReadFileToString(target(), path, &rewritten_[path]).ok());
}

std::optional<FaultyFileSystem::SavedFile> FaultyFileSystem::SaveIfThere(const std::string& path) {
  SavedFile saved{.path = path, .contents = {}, .state = {}};
  if (!rocksdb::ReadFileToString(target(), path, &saved.contents).ok()) {
    return std::nullopt;
  }
  if (const auto found = files_.find(path); found != files_.end()) {
    saved.state = found->second;
  }
  return saved;
}

void FaultyFileSystem::Restore(Random* torn) {
  const MutexLock lock(mutex_);
  // File systems write changes of names in their order, so some of the first may have made it.
  const std::size_t kept = torn == nullptr ? 0 : torn->Below(changes_.size() + 1);
  while (changes_.size() > kept) {
    Undo(changes_.back());
    changes_.pop_back();
  }
  changes_.clear();
  for (auto& [path, state] : files_) {
    CutFile(path, state, torn);
  }
  for (const auto& [path, synced] : rewritten_) {
    RestoreRewritten(path, synced, torn);
  }
  rewritten_.clear();
}

void FaultyFileSystem::Forget(const std::string& path) {
  const MutexLock lock(mutex_);
  files_.erase(path);
  rewritten_.erase(path);
}

void FaultyFileSystem::Undo(const Change& change) {
  const IOOptions options;
  if (change.made) {
    target()->DeleteFile(*change.made, options, nullptr).PermitUncheckedError();
    files_.erase(*change.made);
  }
  if (change.renamed) {
    const auto& [from, to] = *change.renamed;
    CHECK(target()->RenameFile(to, from, options, nullptr).ok());
    if (auto moved = files_.extract(to)) {
      moved.key() = from;
      files_.insert(std::move(moved));
    }
  }
  if (change.gone) {
    const Slice contents(change.gone->contents);
    CHECK(rocksdb::WriteStringToFile(target(), contents, change.gone->path, true).ok());
    if (change.gone->state) {
      files_[change.gone->path] = *change.gone->state;
    }
  }
}

void FaultyFileSystem::CutFile(const std::string& path, FileState& state, Random* torn) {
  const std::uint64_t unsynced = state.size - state.synced;
  const std::uint64_t size = state.synced + (torn == nullptr ? 0 : torn->Below(unsynced + 1));
  if (state.size > state.synced) {
    // Not every file system of RocksDB can truncate.
    std::string contents;
    CHECK(rocksdb::ReadFileToString(target(), path, &contents).ok());
    contents.resize(size);
    if (torn != nullptr) {
      LosePages(contents, state.synced, *torn);
    }
    CHECK(rocksdb::WriteStringToFile(target(), contents, path, true).ok());
  }
  state = {.size = size, .synced = size};
}

void FaultyFileSystem::RestoreRewritten(const std::string& path, const std::string& synced,
                                        Random* torn) {
  std::string contents;
  if (!rocksdb::ReadFileToString(target(), path, &contents).ok()) {
    return;  // its making was undone
  }
  // Each sector is as it was synced, or as it was written last.
  for (std::size_t at = 0; at < synced.size(); at += kSectorBytes) {
    if (torn == nullptr || torn->Below(2) == 0) {
      contents.replace(at, kSectorBytes, synced, at, kSectorBytes);
    }
  }
  CHECK(rocksdb::WriteStringToFile(target(), contents, path, true).ok());
}

}  // namespace stator::storage

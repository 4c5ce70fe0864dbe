#include "storage/log_files.h"

#include <filesystem>
#include <utility>

namespace stator::storage {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// What RocksDB writes to.
class Handle final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  Handle(std::unique_ptr<rocksdb::FSWritableFile> target, std::shared_ptr<LogFiles::File> file,
         LogFiles& files)
      : FSWritableFileOwnerWrapper(std::move(target)), file_(std::move(file)), files_(files) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() override { files_.Close(*file_); }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    if (IOStatus ready = Begin(); !ready.ok()) {
      return ready;
    }
    return Count(data, FSWritableFileOwnerWrapper::Append(data, options, debug));
  }

  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    if (IOStatus ready = Begin(); !ready.ok()) {
      return ready;
    }
    return Count(data, FSWritableFileOwnerWrapper::Append(data, options, verification, debug));
  }

  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return files_.SyncFile(*file_);
  }
  IOStatus Fsync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return files_.SyncFile(*file_);
  }

  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    files_.Close(*file_);
    return FSWritableFileOwnerWrapper::Close(options, debug);
  }

 private:
  // Before the first byte.
  IOStatus Begin() {
    if (begun_) {
      return IOStatus::OK();
    }
    IOStatus synced = files_.SyncOlderThan(file_.get());
    begun_ = synced.ok();
    return synced;
  }

  IOStatus Count(const Slice& data, IOStatus appended) {
    if (appended.ok()) {
      file_->written += data.size();
    }
    return appended;
  }

  const std::shared_ptr<LogFiles::File> file_;
  LogFiles& files_;
  bool begun_ = false;  // used by the thread that writes
};

}  // namespace

IOStatus LogFiles::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* file,
                                   IODebugContext* debug) {
  std::unique_ptr<rocksdb::FSWritableFile> made;
  if (IOStatus done = target()->NewWritableFile(path, options, &made, debug); !done.ok()) {
    return done;
  }
  if (!path.ends_with(".log")) {
    *file = std::move(made);
    return IOStatus::OK();
  }
  const auto log = std::make_shared<File>();
  log->directory = std::filesystem::path(path).parent_path().string();
  log->target = made.get();
  *file = std::make_unique<Handle>(std::move(made), log, *this);
  const std::lock_guard lock(mutex_);
  files_.push_back(log);
  return IOStatus::OK();
}

IOStatus LogFiles::SyncOlderThan(const File* newer) {
  std::vector<std::shared_ptr<File>> files;
  {
    const std::lock_guard lock(mutex_);
    if (!failure_.ok()) {
      return failure_;
    }
    for (const std::shared_ptr<File>& file : files_) {
      if (file.get() == newer) {
        break;
      }
      files.push_back(file);
    }
  }
  for (const std::shared_ptr<File>& file : files) {
    if (IOStatus synced = SyncFile(*file); !synced.ok()) {
      return synced;
    }
  }
  for (const std::shared_ptr<File>& file : files) {
    if (file->name_is_synced) {
      continue;
    }
    if (IOStatus synced = SyncNamesIn(file->directory); !synced.ok()) {
      return synced;
    }
    file->name_is_synced = true;
  }
  return IOStatus::OK();
}

IOStatus LogFiles::SyncFile(File& file) {
  IOStatus synced;
  {
    const std::lock_guard lock(file.mutex);
    // What is written while the sync runs does not count as synced.
    const std::uint64_t written = file.written;
    if (file.target != nullptr && file.synced != written) {
      synced = file.target->Sync({}, nullptr);
    }
    if (synced.ok()) {
      file.synced = written;
    }
  }
  return Remember(std::move(synced));
}

// RocksDB closes a log when all of it is in tables, or when the store is closed.
void LogFiles::Close(File& file) {
  {
    const std::lock_guard lock(file.mutex);
    file.target = nullptr;
  }
  const std::lock_guard lock(mutex_);
  std::erase_if(files_, [&](const std::shared_ptr<File>& open) { return open.get() == &file; });
}

IOStatus LogFiles::SyncNamesIn(const std::string& directory) {
  std::unique_ptr<rocksdb::FSDirectory> opened;
  IOStatus status = target()->NewDirectory(directory, {}, &opened, nullptr);
  if (status.ok()) {
    status = opened->FsyncWithDirOptions({}, nullptr, rocksdb::DirFsyncOptions());
  }
  return Remember(std::move(status));
}

IOStatus LogFiles::Remember(IOStatus status) {
  const std::lock_guard lock(mutex_);
  if (failure_.ok()) {
    failure_ = std::move(status);
  }
  return failure_;
}

}  // namespace stator::storage

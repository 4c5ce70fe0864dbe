#include "storage/log_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/serving_thread.h"
#include "storage/failed_log.h"
#include "storage/resource_exhausted.h"
#include "storage/store_env.h"

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
    return SyncUnlessGoingOn();
  }
  IOStatus Fsync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return SyncUnlessGoingOn();
  }

  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    files_.Close(*file_);
    return FSWritableFileOwnerWrapper::Close(options, debug);
  }

 private:
  IOStatus SyncUnlessGoingOn() {
    if (file_->is_log && files_.is_going_on()) {
      return IOStatus::OK();
    }
    return ForRocksDb(files_.SyncFile(*file_));
  }

  IOStatus ForRocksDb(IOStatus status) {
    if (status.ok()) {
      return status;
    }
    return file_->is_log ? files_.FailLog(*file_, std::move(status))
                         : AsFullDisk(std::move(status));
  }

  // Before each write.
  IOStatus Begin() {
    if (file_->has_failed) {
      return IOStatus::Busy(file_->name + " has failed before", file_->why);
    }
    if (begun_ || !file_->is_log) {
      return IOStatus::OK();
    }
    IOStatus synced = files_.SyncOlderThan(file_.get());
    begun_ = synced.ok();
    return ForRocksDb(std::move(synced));
  }

  IOStatus Count(const Slice& data, IOStatus appended) {
    if (appended.ok()) {
      file_->end.Append({data.data(), data.size()});
      file_->whole = file_->end.value();
      file_->written += data.size();
    }
    return ForRocksDb(std::move(appended));
  }

  const std::shared_ptr<LogFiles::File> file_;
  LogFiles& files_;
  bool begun_ = false;  // used by the thread that writes
};

// A table, or another file that is neither log nor list.
class OtherFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return AsFullDiskForTable(FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    return AsFullDiskForTable(
        FSWritableFileOwnerWrapper::Append(data, options, verification, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return AsFullDiskForTable(FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return AsFullDiskForTable(FSWritableFileOwnerWrapper::Fsync(options, debug));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return AsFullDiskForTable(FSWritableFileOwnerWrapper::Close(options, debug));
  }
};

// The beginning of a file.
class CutFile final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  CutFile(std::unique_ptr<rocksdb::FSSequentialFile> target, std::uint64_t left)
      : FSSequentialFileOwnerWrapper(std::move(target)), left_(left) {}

  IOStatus Read(std::size_t bytes, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) override {
    bytes = std::min<std::uint64_t>(bytes, left_);
    IOStatus done = FSSequentialFileOwnerWrapper::Read(bytes, options, result, scratch, debug);
    CHECK(!done.ok() || result->size() <= left_);
    left_ -= done.ok() ? result->size() : 0;
    return done;
  }

  IOStatus Skip(std::uint64_t bytes) override {
    bytes = std::min(bytes, left_);
    left_ -= bytes;
    return FSSequentialFileOwnerWrapper::Skip(bytes);
  }

 private:
  std::uint64_t left_;
};

std::string NameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

IOStatus LogFiles::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* file,
                                   IODebugContext* debug) {
  const std::string name = NameOf(path);
  const bool is_log = name.ends_with(".log");
  if (!is_log && (ledger_ == nullptr || !name.starts_with("MANIFEST-"))) {
    std::unique_ptr<rocksdb::FSWritableFile> made;
    IOStatus done = target()->NewWritableFile(path, options, &made, debug);
    if (done.ok()) {
      *file = std::make_unique<OtherFile>(std::move(made));
    }
    return AsFullDiskForTable(std::move(done));
  }
  const auto watched = std::make_shared<File>();
  watched->directory = std::filesystem::path(path).parent_path().string();
  watched->name = name;
  watched->is_log = is_log;
  std::unique_ptr<rocksdb::FSWritableFile> made;
  if (IOStatus done = MakeWatched(path, options, made, debug); done.ok()) {
    const MutexLock lock(watched->mutex);
    watched->target = made.get();
  } else if (!is_log || !HasLog()) {
    return AsFullDisk(std::move(done));
  } else {
    GiveUp(*watched, done);
    made = std::make_unique<FailedLog>([this, watched, done] { return FailLog(*watched, done); });
  }
  *file = std::make_unique<Handle>(std::move(made), watched, *this);
  if (is_log) {
    const MutexLock lock(mutex_);
    files_.push_back(watched);
  }
  return IOStatus::OK();
}

IOStatus LogFiles::MakeWatched(const std::string& path, const rocksdb::FileOptions& options,
                               std::unique_ptr<rocksdb::FSWritableFile>& made,
                               IODebugContext* debug) {
  // A file that was there is written over.
  if (ledger_ != nullptr) {
    if (IOStatus forgotten = ledger_->Forget(NameOf(path)); !forgotten.ok()) {
      return forgotten;
    }
  }
  return target()->NewWritableFile(path, options, &made, debug);
}

bool LogFiles::HasLog() {
  const MutexLock lock(mutex_);
  return !files_.empty();
}

IOStatus LogFiles::NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                     std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                     IODebugContext* debug) {
  std::unique_ptr<rocksdb::FSSequentialFile> opened;
  if (IOStatus done = target()->NewSequentialFile(path, options, &opened, debug); !done.ok()) {
    return done;
  }
  if (const auto cut = cuts_.find(NameOf(path)); cut != cuts_.end()) {
    opened = std::make_unique<CutFile>(std::move(opened), cut->second);
  }
  *file = std::move(opened);
  return IOStatus::OK();
}

IOStatus LogFiles::NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                       IODebugContext* debug) {
  return AsFullDiskForTable(target()->NewRandomAccessFile(path, options, file, debug));
}

IOStatus LogFiles::NewDirectory(const std::string& path, const IOOptions& options,
                                std::unique_ptr<rocksdb::FSDirectory>* directory,
                                IODebugContext* debug) {
  return AsFullDisk(target()->NewDirectory(path, options, directory, debug));
}

IOStatus LogFiles::DeleteFile(const std::string& path, const IOOptions& options,
                              IODebugContext* debug) {
  if (ledger_ != nullptr) {
    if (IOStatus forgotten = ledger_->Forget(NameOf(path)); !forgotten.ok()) {
      return forgotten;
    }
  }
  return target()->DeleteFile(path, options, debug);
}

IOStatus LogFiles::SyncLedger() {
  return ledger_ == nullptr ? IOStatus::OK() : ledger_->Sync();
}

IOStatus LogFiles::ReplaceFirstLine(std::string_view line) {
  return ledger_ == nullptr ? IOStatus::OK() : ledger_->ReplaceFirstLine(line);
}

IOStatus LogFiles::SyncOlderThan(const File* newer) {
  std::vector<std::shared_ptr<File>> files;
  {
    const MutexLock lock(mutex_);
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
    if (IOStatus synced = Remember(SyncNamesIn(file->directory)); !synced.ok()) {
      return synced;
    }
    file->name_is_synced = true;
  }
  return IOStatus::OK();
}

IOStatus LogFiles::SyncFile(File& file) {
  const MutexLock lock(file.mutex);
  IOStatus synced = SyncAndNote(file);
  return file.is_log ? Remember(std::move(synced)) : synced;
}

IOStatus LogFiles::SyncAndNote(File& file) {
  // What is written while the sync runs does not count as synced.
  const std::uint64_t whole = file.whole;
  const std::uint64_t written = file.written;
  CHECK_THAT(file.synced <= written, file.name);
  if (file.target == nullptr || file.synced == written || file.is_needless) {
    return IOStatus::OK();
  }
  base::MayWait();
  if (IOStatus synced = file.target->Sync({}, nullptr); !synced.ok()) {
    return synced;
  }
  if (ledger_ != nullptr && !file.name_is_synced) {
    if (IOStatus synced = SyncNamesIn(file.directory); !synced.ok()) {
      return synced;
    }
    file.name_is_synced = true;
  }
  if (ledger_ != nullptr && whole > 0) {
    const std::string path = file.directory + "/" + file.name;
    if (!target()->FileExists(path, {}, nullptr).ok()) {
      return IOStatus::IOError(path, "was removed or locked away while it was written");
    }
    if (IOStatus noted = ledger_->Note(file.name, whole); !noted.ok()) {
      return noted;
    }
  }
  file.synced = written;
  return IOStatus::OK();
}

void LogFiles::GiveUp(File& file, const IOStatus& status) {
  if (IsResourceExhausted(status) && !file.has_failed) {
    file.why = status.ToString();
    file.has_failed = true;
    static_cast<void>(Remember(status));
  }
}

IOStatus LogFiles::FailLog(File& file, IOStatus status) {
  GiveUp(file, status);
  // With two families a flush syncs the logs that it makes needless. RocksDB takes a busy log for the
  // end of everything there, and a full disk for what it is.
  return IsFlushThread() ? AsFullDiskForTable(std::move(status)) : AsBusyLog(std::move(status));
}

bool LogFiles::HasFailed() {
  const MutexLock lock(mutex_);
  return !failure_.ok();
}

bool LogFiles::NewestHasFailed() {
  const MutexLock lock(mutex_);
  return !files_.empty() && files_.back()->has_failed;
}

bool LogFiles::Resume() {
  const MutexLock lock(mutex_);
  if (files_.empty() || files_.back()->has_failed) {
    return false;
  }
  std::for_each(files_.begin(), files_.end() - 1,
                [](const std::shared_ptr<File>& file) { file->is_needless = true; });
  files_.erase(files_.begin(), files_.end() - 1);
  failure_ = IOStatus::OK();
  return true;
}

IOStatus LogFiles::CheckPlace() const {
  return ledger_ == nullptr ? IOStatus::OK() : ledger_->CheckPlace();
}

// RocksDB closes a log when all of it is in tables, or when the store is closed.
void LogFiles::Close(File& file) {
  {
    const MutexLock lock(file.mutex);
    file.target = nullptr;
  }
  const MutexLock lock(mutex_);
  std::erase_if(files_, [&](const std::shared_ptr<File>& open) { return open.get() == &file; });
}

IOStatus LogFiles::SyncNamesIn(const std::string& directory) {
  std::unique_ptr<rocksdb::FSDirectory> opened;
  IOStatus status = target()->NewDirectory(directory, {}, &opened, nullptr);
  if (status.ok()) {
    status = opened->FsyncWithDirOptions({}, nullptr, rocksdb::DirFsyncOptions());
  }
  return status;
}

IOStatus LogFiles::Remember(IOStatus status) {
  const MutexLock lock(mutex_);
  if (failure_.ok()) {
    failure_ = std::move(status);
  }
  return failure_;
}

}  // namespace stator::storage

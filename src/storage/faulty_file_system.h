// The file system behind FaultyDisk: forwards to a real one (in memory or POSIX), keeps account of
// what was synced, and fails when it is told to.
//
// THREADS: every method may be called from many threads, Restore only while no store is open.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/mutex.h"
#include "stator/base/random.h"
#include "storage/faults.h"

namespace stator::storage {

class FaultyFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultyFileSystem(const std::shared_ptr<rocksdb::FileSystem>& target)
      : FileSystemWrapper(target) {}

  [[nodiscard]] const char* Name() const override { return "FaultyFileSystem"; }

  Faults& faults() { return faults_; }

  // Takes back everything that was not synced; see FaultyDisk::RestorePower.
  void Restore(Random* torn);

  // The file was changed by somebody else, and counts as synced.
  void Forget(const std::string& path);

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomRWFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* directory,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

  // For the files and directories that were opened here.
  void AddBytes(const std::string& path, std::uint64_t bytes);
  void SetSize(const std::string& path, std::uint64_t size);
  [[nodiscard]] std::uint64_t SizeOf(const std::string& path) const;
  void MarkSynced(const std::string& path, std::uint64_t size);
  void MarkDirectorySynced(const std::string& directory);
  void MarkRewritten(const std::string& path);  // of a file that is written in place: all is synced

 private:
  // Of files that were written here; all others count as synced.
  struct FileState {
    std::uint64_t size = 0;
    std::uint64_t synced = 0;
  };

  struct SavedFile {
    std::string path;
    std::string contents;
    std::optional<FileState> state;
  };

  // A change of a directory that a power cut takes back.
  struct Change {
    std::string directory;
    std::optional<std::string> made;                             // this name was added: remove it
    std::optional<std::pair<std::string, std::string>> renamed;  // from, to: rename back
    std::optional<SavedFile> gone;  // this file was removed or written over: put it back
  };

  std::optional<SavedFile> SaveIfThere(const std::string& path) STATOR_REQUIRES(mutex_);
  void Undo(const Change& change) STATOR_REQUIRES(mutex_);
  void CutFile(const std::string& path, FileState& state, Random* torn) STATOR_REQUIRES(mutex_);
  void RestoreRewritten(const std::string& path, const std::string& synced, Random* torn)
      STATOR_REQUIRES(mutex_);

  Faults faults_;

  mutable Mutex mutex_;
  std::map<std::string, FileState> files_ STATOR_GUARDED_BY(mutex_);
  std::vector<Change> changes_ STATOR_GUARDED_BY(mutex_);  // not yet synced, in their order
  // What is on the disk of files that are written in place.
  std::map<std::string, std::string> rewritten_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::storage

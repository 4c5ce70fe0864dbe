// The files of RocksDB's log, as a file system between RocksDB and the real one sees them. What is
// synced of them, and of the lists of tables, is noted in the ledger; what a crash has torn off
// their ends is not shown to RocksDB (file_check.h).
//
// A relaxed store syncs its log here instead of asking RocksDB for it. Why: RocksDB keeps in mind
// that a write to a file has failed, and asserts that nobody writes or syncs that file again;
// Debian builds it with its assertions. Its writing thread keeps to that, because it knows of its
// own failures. DB::SyncWAL from another thread cannot know, and a disk that fills up in the wrong
// moment would end the process. A sync here touches only the real file.
//
// INVARIANTS
//
//   (1) Before the first byte of a log file is written, all older log files are synced. So what is
//       left of the log after a power cut is a prefix of what was written.
//   (2) After a sync has failed, all later ones fail: the system may have dropped the bytes, and
//       then the next sync of the same file finds nothing to complain about. After an append or a
//       sync has failed for lack of room (resource_exhausted.h), nothing more is written to that file. Both end
//       when all that the logs hold is in tables, and a new log was begun (Resume).
//   (3) RocksDB is told of a failure only by the call that met it; none is hidden from it. Only that a
//       log could not be made is told by its first append (failed_log.h).
//   (4) A sync is good only when its file, its name and then the ledger have it; a file is removed
//       only when the ledger on the disk has forgotten it. So the ledger demands what is there.
//
// THREADS: every method may be called from many threads; a file is written to by one at a time.

#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stator/base/mutex.h"
#include "storage/ledger.h"
#include "storage/log_format.h"

namespace stator::storage {

class LogFiles final : public rocksdb::FileSystemWrapper {
 public:
  explicit LogFiles(const std::shared_ptr<rocksdb::FileSystem>& target)
      : FileSystemWrapper(target) {}

  [[nodiscard]] const char* Name() const override { return "LogFiles"; }

  // By name, how many bytes of a file there are for whoever reads it; all of the others. To be set
  // before anything is opened.
  void SetCuts(std::map<std::string, std::uint64_t> cuts) { cuts_ = std::move(cuts); }
  // Where syncs are noted from now on. To be set before anything is made.
  void SetLedger(std::unique_ptr<Ledger> ledger) { ledger_ = std::move(ledger); }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;

  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* directory,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

  // Syncs everything that was written to the log before the call.
  rocksdb::IOStatus SyncAll() { return SyncOlderThan(nullptr); }

  rocksdb::IOStatus SyncLedger();
  rocksdb::IOStatus ReplaceFirstLine(std::string_view line);

  // While the store goes on after a lack of room, what was acknowledged is on its way to tables and
  // nothing is written to a log. With two families RocksDB would sync the old ones all the same.
  void SetGoingOn(bool going_on) { is_going_on_ = going_on; }
  [[nodiscard]] bool is_going_on() const { return is_going_on_; }

  // Whether a log has failed, and whether the newest has.
  [[nodiscard]] bool HasFailed();
  [[nodiscard]] bool NewestHasFailed();
  // All that was acknowledged is in tables: the logs but the newest are needed no more, whatever has
  // become of them. False when the newest has failed, too; then nothing was changed.
  bool Resume();

  // Fails when the directory is not where it was (Ledger::CheckPlace). A log that was removed is
  // noticed when it is synced.
  [[nodiscard]] rocksdb::IOStatus CheckPlace() const;

  // For the files that were made here.
  struct File {
    std::string directory;
    std::string name;
    bool is_log = true;  // otherwise a list of tables
    LogEnd end;          // used by the thread that writes
    std::atomic<std::uint64_t> written{0};
    std::atomic<std::uint64_t> whole{0};  // of these, up to the end of a write
    std::atomic<bool> name_is_synced = false;
    std::atomic<bool> has_failed = false;  // for lack of room; nothing more is written to it
    std::string why;                       // written once, before has_failed is set
    std::atomic<bool> is_needless = false;

    Mutex mutex;  // held during a sync, so that the file is not closed meanwhile
    rocksdb::FSWritableFile* target STATOR_GUARDED_BY(mutex) = nullptr;  // null: closed
    std::uint64_t synced STATOR_GUARDED_BY(mutex) = 0;
  };
  rocksdb::IOStatus SyncOlderThan(const File* newer);  // all, if null
  rocksdb::IOStatus SyncFile(File& file);
  // After a lack of room: nothing more is written to the log, and the store must get over it before it
  // goes on, also when the log could not even be made and nobody has tried to write to it yet.
  void GiveUp(File& file, const rocksdb::IOStatus& status);
  // RocksDB is told of this instead of `status`, after an append or a sync of a log.
  rocksdb::IOStatus FailLog(File& file, rocksdb::IOStatus status);
  void Close(File& file);

 private:
  rocksdb::IOStatus MakeWatched(const std::string& path, const rocksdb::FileOptions& options,
                                std::unique_ptr<rocksdb::FSWritableFile>& made,
                                rocksdb::IODebugContext* debug);
  // Whether RocksDB has a log that it writes to.
  bool HasLog();
  rocksdb::IOStatus SyncNamesIn(const std::string& directory);
  rocksdb::IOStatus SyncAndNote(File& file) STATOR_REQUIRES(file.mutex);
  // Remembers a failure; returns the first.
  rocksdb::IOStatus Remember(rocksdb::IOStatus status);

  std::atomic<bool> is_going_on_ = false;
  std::map<std::string, std::uint64_t> cuts_;
  std::unique_ptr<Ledger> ledger_;  // null: nothing is noted

  Mutex mutex_;
  // Logs that are open, the oldest first.
  std::vector<std::shared_ptr<File>> files_ STATOR_GUARDED_BY(mutex_);
  rocksdb::IOStatus failure_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::storage

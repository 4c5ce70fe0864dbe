// What log_files.h promises, without a store: files are made through it on a disk that loses power
// and fails on demand.

#include "storage/log_files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "storage/faulty_disk.h"
#include "storage/faulty_file_system.h"

namespace stator::storage {
namespace {

using Log = std::unique_ptr<rocksdb::FSWritableFile>;

class LogFilesTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(files_.CreateDirIfMissing("/db", io_, nullptr).ok()); }

  Log Make(const std::string& name) {
    Log file;
    EXPECT_TRUE(files_.NewWritableFile("/db/" + name, {}, &file, nullptr).ok());
    return file;
  }

  rocksdb::IOStatus Append(const Log& log, const std::string& bytes) const {
    return log->Append(bytes, io_, nullptr);
  }

  // What is left of a file after a power cut; "-" when it is gone.
  std::string LeftOf(const std::string& name) {
    if (!lost_power_) {
      disk_->CutPower();
      disk_->RestorePower();
      lost_power_ = true;
    }
    return disk_->ReadFile("/db/" + name).value_or("-");
  }

  const rocksdb::IOOptions io_;
  const std::shared_ptr<FaultyDisk> disk_ = FaultyDisk::InMemory();
  LogFiles files_{disk_->file_system()};
  bool lost_power_ = false;
};

TEST_F(LogFilesTest, ASyncKeepsWhatWasWrittenBeforeItAndTheNameOfTheFile) {
  const Log log = Make("1.log");
  ASSERT_TRUE(Append(log, "synced").ok());
  ASSERT_TRUE(files_.SyncAll().ok());
  ASSERT_TRUE(Append(log, " and not").ok());
  EXPECT_EQ(LeftOf("1.log"), "synced");
}

TEST_F(LogFilesTest, OtherFilesAreLeftAlone) {
  const Log table = Make("1.sst");
  ASSERT_TRUE(Append(table, "bytes").ok());
  ASSERT_TRUE(files_.SyncAll().ok());
  EXPECT_EQ(LeftOf("1.sst"), "-");
}

TEST_F(LogFilesTest, TheFirstByteOfALogComesAfterASyncOfAllOlderOnes) {
  const Log first = Make("1.log");
  ASSERT_TRUE(Append(first, "a").ok());
  const Log second = Make("2.log");
  const std::uint64_t syncs = disk_->syncs();
  ASSERT_TRUE(Append(second, "b").ok());
  EXPECT_GT(disk_->syncs(), syncs);
  EXPECT_EQ(LeftOf("1.log"), "a");
  EXPECT_EQ(LeftOf("2.log"), "");
}

TEST_F(LogFilesTest, ALogIsNotBegunWhenAnOlderOneCannotBeSynced) {
  const Log first = Make("1.log");
  ASSERT_TRUE(Append(first, "a").ok());
  const Log second = Make("2.log");
  disk_->FailSyncsAfter(0);
  EXPECT_FALSE(Append(second, "b").ok());
  EXPECT_EQ(disk_->ReadFile("/db/2.log").value(), "");
}

TEST_F(LogFilesTest, NothingIsSyncedTwice) {
  const Log log = Make("1.log");
  ASSERT_TRUE(Append(log, "a").ok());
  ASSERT_TRUE(files_.SyncAll().ok());
  const std::uint64_t syncs = disk_->syncs();
  ASSERT_TRUE(files_.SyncAll().ok());
  ASSERT_TRUE(log->Sync(io_, nullptr).ok());
  EXPECT_EQ(disk_->syncs(), syncs);
}

TEST_F(LogFilesTest, AfterAFailedSyncAllSyncsFail) {
  const Log log = Make("1.log");
  ASSERT_TRUE(Append(log, "a").ok());
  disk_->FailSyncsAfter(0);
  EXPECT_FALSE(files_.SyncAll().ok());
  disk_->Heal();
  EXPECT_FALSE(files_.SyncAll().ok());
  EXPECT_FALSE(log->Sync(io_, nullptr).ok());
  EXPECT_EQ(LeftOf("1.log"), "-");
}

TEST_F(LogFilesTest, ALogThatWasClosedIsForgotten) {
  const Log closed = Make("1.log");
  Log gone = Make("2.log");
  ASSERT_TRUE(Append(closed, "a").ok());
  ASSERT_TRUE(closed->Close(io_, nullptr).ok());
  gone.reset();
  const std::uint64_t syncs = disk_->syncs();
  EXPECT_TRUE(files_.SyncAll().ok());
  EXPECT_EQ(disk_->syncs(), syncs);
}

// A system that has no descriptors left while it is told so.
class FewDescriptors final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  [[nodiscard]] const char* Name() const override { return "FewDescriptors"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    Log* file, rocksdb::IODebugContext* debug) override {
    return has_some ? FileSystemWrapper::NewWritableFile(path, options, file, debug)
                    : rocksdb::IOStatus::IOError(path, "Too many open files");
  }

  bool has_some = true;
};

TEST_F(LogFilesTest, ALogThatCouldNotBeMadeHasFailedBeforeAnybodyWritesToIt) {
  const auto system = std::make_shared<FewDescriptors>(disk_->file_system());
  LogFiles files(system);
  const auto make = [&](const std::string& name) {
    Log file;
    EXPECT_TRUE(files.NewWritableFile("/db/" + name, {}, &file, nullptr).ok());
    return file;
  };
  const Log first = make("1.log");
  ASSERT_TRUE(Append(first, "a").ok());
  system->has_some = false;
  const Log second = make("2.log");
  EXPECT_TRUE(files.HasFailed());
  EXPECT_TRUE(files.NewestHasFailed());
  EXPECT_FALSE(files.Resume()) << "the newest log takes nothing";
  EXPECT_FALSE(Append(second, "b").ok());
  system->has_some = true;
  const Log third = make("3.log");
  EXPECT_TRUE(files.Resume());
  EXPECT_FALSE(files.HasFailed());
  EXPECT_TRUE(Append(third, "c").ok());
  EXPECT_TRUE(files.SyncAll().ok());
}

TEST_F(LogFilesTest, LogsMayBeClosedWhileTheyAreSynced) {
  std::atomic<bool> done = false;
  const std::jthread syncing([&] {
    while (!done) {
      EXPECT_TRUE(files_.SyncAll().ok());
    }
  });
  for (int round = 0; round < 200; ++round) {
    const Log log = Make(std::to_string(round) + ".log");
    EXPECT_TRUE(Append(log, "a").ok());
  }
  done = true;
}

}  // namespace
}  // namespace stator::storage

// What faulty_disk.h promises, without a store: files are written through its file system and
// looked at after a power cut. On both kinds of disk.

#include "storage/faulty_disk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "storage/faulty_file_system.h"
#include "storage/temporary_directory.h"

namespace stator::storage {
namespace {

class FaultyDiskTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { ASSERT_TRUE(files().CreateDirIfMissing(path(), io_, nullptr).ok()); }

  [[nodiscard]] std::string path() const { return directory_.path() + "/d"; }
  [[nodiscard]] std::string path(const std::string& name) const { return path() + "/" + name; }
  [[nodiscard]] rocksdb::FileSystem& files() const { return *disk_->file_system(); }

  [[nodiscard]] std::unique_ptr<rocksdb::FSWritableFile> Make(const std::string& name) const {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(files().NewWritableFile(path(name), {}, &file, nullptr).ok());
    return file;
  }

  void SyncDirectory() const {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    ASSERT_TRUE(files().NewDirectory(path(), io_, &directory, nullptr).ok());
    ASSERT_TRUE(directory->Fsync(io_, nullptr).ok());
  }

  // A file that survives a power cut.
  void MakeSynced(const std::string& name, const std::string& contents) const {
    const std::unique_ptr<rocksdb::FSWritableFile> file = Make(name);
    ASSERT_TRUE(file->Append(contents, io_, nullptr).ok());
    ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    ASSERT_TRUE(file->Close(io_, nullptr).ok());
    SyncDirectory();
  }

  void CutAndRestore(Random* torn = nullptr) const {
    disk_->CutPower();
    disk_->RestorePower(torn);
  }

  // The contents, or "-" when there is no such file.
  [[nodiscard]] std::string Contents(const std::string& name) const {
    return disk_->ReadFile(path(name)).value_or("-");
  }

  const rocksdb::IOOptions io_;
  const TemporaryDirectory directory_;
  const std::shared_ptr<FaultyDisk> disk_ =
      GetParam() ? FaultyDisk::InMemory() : FaultyDisk::OnFiles();
};

INSTANTIATE_TEST_SUITE_P(Disks, FaultyDiskTest, testing::Bool(),
                         [](const auto& test) { return test.param ? "InMemory" : "OnFiles"; });

TEST_P(FaultyDiskTest, APowerCutLosesTheBytesAfterTheLastSync) {
  const std::unique_ptr<rocksdb::FSWritableFile> file = Make("f");
  SyncDirectory();
  ASSERT_TRUE(file->Append("synced", io_, nullptr).ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  ASSERT_TRUE(file->Append(" and not", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Contents("f"), "synced and not");
  CutAndRestore();
  EXPECT_EQ(Contents("f"), "synced");
}

TEST_P(FaultyDiskTest, APowerCutMayTearTheBytesAfterTheLastSync) {
  SeededRandom random(1);
  std::vector<std::size_t> sizes;
  int lost_pages = 0;
  for (int round = 0; round < 50; ++round) {
    const std::unique_ptr<rocksdb::FSWritableFile> file = Make("f");
    SyncDirectory();
    ASSERT_TRUE(file->Append("ab", io_, nullptr).ok());
    ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    ASSERT_TRUE(file->Append("cd", io_, nullptr).ok());
    CutAndRestore(&random);
    const std::string left = Contents("f");
    const bool is_lost_page = left.size() > 2 && left == "ab" + std::string(left.size() - 2, '\0');
    EXPECT_TRUE(is_lost_page || std::string("abcd").starts_with(left));
    lost_pages += is_lost_page ? 1 : 0;
    sizes.push_back(left.size());
  }
  EXPECT_GT(lost_pages, 0);
  EXPECT_EQ(std::ranges::min(sizes), 2U);
  EXPECT_EQ(std::ranges::max(sizes), 4U);
}

TEST_P(FaultyDiskTest, APowerCutTakesBackWhatWasWrittenInPlace) {
  MakeSynced("f", std::string(2048, 'a'));
  for (const bool torn : {false, true}) {
    std::unique_ptr<rocksdb::FSRandomRWFile> file;
    ASSERT_TRUE(files().NewRandomRWFile(path("f"), {}, &file, nullptr).ok());
    ASSERT_TRUE(file->Write(0, std::string(512, 'b'), io_, nullptr).ok());
    ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    ASSERT_TRUE(file->Write(512, std::string(1536, 'c'), io_, nullptr).ok());
    ASSERT_TRUE(file->Close(io_, nullptr).ok());
    SeededRandom random(3);
    CutAndRestore(torn ? &random : nullptr);
    const std::string left = Contents("f");
    EXPECT_EQ(left.substr(0, 512), std::string(512, 'b'));
    EXPECT_EQ(left.find('c') != std::string::npos, torn);
    EXPECT_NE(left.find('a'), std::string::npos);
  }
}

TEST_P(FaultyDiskTest, APowerCutTakesBackNamesThatWereNotSynced) {
  MakeSynced("removed", "1");
  MakeSynced("replaced", "2");
  MakeSynced("replacement", "3");
  MakeSynced("overwritten", "4");
  const std::unique_ptr<rocksdb::FSWritableFile> made = Make("made");
  ASSERT_TRUE(made->Sync(io_, nullptr).ok());
  const std::unique_ptr<rocksdb::FSWritableFile> overwritten = Make("overwritten");
  ASSERT_TRUE(files().DeleteFile(path("removed"), io_, nullptr).ok());
  ASSERT_TRUE(files().RenameFile(path("replacement"), path("replaced"), io_, nullptr).ok());
  EXPECT_EQ(Contents("replaced"), "3");
  CutAndRestore();
  EXPECT_EQ(Contents("made"), "-");
  EXPECT_EQ(Contents("removed"), "1");
  EXPECT_EQ(Contents("replaced"), "2");
  EXPECT_EQ(Contents("replacement"), "3");
  EXPECT_EQ(Contents("overwritten"), "4");
}

TEST_P(FaultyDiskTest, APowerCutKeepsNamesThatWereSynced) {
  MakeSynced("a", "1");
  MakeSynced("b", "2");
  MakeSynced("gone", "3");
  ASSERT_TRUE(files().RenameFile(path("a"), path("b"), io_, nullptr).ok());
  ASSERT_TRUE(files().DeleteFile(path("gone"), io_, nullptr).ok());
  SyncDirectory();
  CutAndRestore();
  EXPECT_EQ(Contents("a"), "-");
  EXPECT_EQ(Contents("b"), "1");
  EXPECT_EQ(Contents("gone"), "-");
}

TEST_P(FaultyDiskTest, NothingChangesWhileThePowerIsOff) {
  MakeSynced("f", "1");
  const std::unique_ptr<rocksdb::FSWritableFile> file = Make("g");
  SyncDirectory();
  disk_->CutPower();
  EXPECT_FALSE(file->Append("x", io_, nullptr).ok());
  EXPECT_FALSE(file->Sync(io_, nullptr).ok());
  EXPECT_FALSE(files().DeleteFile(path("f"), io_, nullptr).ok());
  EXPECT_FALSE(files().RenameFile(path("f"), path("h"), io_, nullptr).ok());
  std::unique_ptr<rocksdb::FSWritableFile> another;
  EXPECT_FALSE(files().NewWritableFile(path("i"), {}, &another, nullptr).ok());
  disk_->RestorePower();
  EXPECT_EQ(Contents("f"), "1");
  EXPECT_EQ(Contents("g"), "");
}

TEST_P(FaultyDiskTest, FailsWhenItsCountIsUp) {
  const std::unique_ptr<rocksdb::FSWritableFile> file = Make("f");
  disk_->FailWritesAfter(1);
  EXPECT_TRUE(file->Append("a", io_, nullptr).ok());
  EXPECT_FALSE(file->Append("b", io_, nullptr).ok());
  EXPECT_FALSE(file->Append("b", io_, nullptr).ok());
  disk_->Heal();
  EXPECT_TRUE(file->Append("c", io_, nullptr).ok());
  disk_->FailSyncsAfter(1);
  EXPECT_TRUE(file->Sync(io_, nullptr).ok());
  EXPECT_FALSE(file->Fsync(io_, nullptr).ok());
  disk_->Heal();
  EXPECT_TRUE(file->Fsync(io_, nullptr).ok());
  EXPECT_EQ(disk_->writes(), 2U);
  EXPECT_EQ(disk_->bytes_written(), 2U);
  EXPECT_EQ(disk_->syncs(), 2U);
}

TEST_P(FaultyDiskTest, FillsUpInTheMiddleOfAWrite) {
  const std::unique_ptr<rocksdb::FSWritableFile> file = Make("f");
  disk_->FillUpAfter(3);
  EXPECT_TRUE(file->Append("ab", io_, nullptr).ok());
  EXPECT_TRUE(file->Append("cd", io_, nullptr).IsNoSpace());
  EXPECT_TRUE(file->Append("ef", io_, nullptr).IsNoSpace());
  disk_->Heal();
  EXPECT_TRUE(file->Append("g", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Contents("f"), "abcg");
}

TEST_P(FaultyDiskTest, RandomFailuresRepeatWithTheirSeed) {
  const auto failures = [&](std::uint64_t seed) {
    const std::unique_ptr<rocksdb::FSWritableFile> file = Make("f");
    disk_->FailAtRandom(seed, 4);
    std::vector<bool> failed;
    for (int write = 0; write < 40; ++write) {
      failed.push_back(!file->Append("x", io_, nullptr).ok());
    }
    disk_->Heal();
    return failed;
  };
  const std::vector<bool> first = failures(7);
  EXPECT_EQ(first, failures(7));
  EXPECT_NE(first, failures(8));
  EXPECT_GT(std::ranges::count(first, true), 0);
  EXPECT_GT(std::ranges::count(first, false), 0);
}

}  // namespace
}  // namespace stator::storage

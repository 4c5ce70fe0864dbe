// What a store does with directories: makes them, finds its own again, and leaves alone what is
// foreign, newer, in use or damaged. Mostly on a disk in memory, where every file can be looked at.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "storage/faulty_disk.h"
#include "storage/store.h"
#include "storage/temporary_directory.h"

namespace stator::storage {
namespace {

constexpr char kPath[] = "/data/db";

class StoreDirectory : public testing::Test {
 protected:
  [[nodiscard]] StoreOptions Options() const { return {.path = kPath, .disk = disk_}; }

  void MustWrite(const std::string& key, const StoreOptions& options) const {
    const std::unique_ptr<Store> store = Store::Open(options).value();
    WriteBatch batch;
    batch.Put(key, "v");
    ASSERT_TRUE(store->Write(std::move(batch)).has_value());
  }

  [[nodiscard]] std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    const std::vector<std::string> names = disk_->ListFiles(kPath).value();
    for (const std::string& name : names) {
      if (Result<std::string> contents = disk_->ReadFile(kPath + ("/" + name))) {
        files[name] = *contents;
      }
    }
    return files;
  }

  // Opening fails as told, and every file is as it was.
  void ExpectRefused(const StoreOptions& options, ErrorCode code, const std::string& words) const {
    const auto before = Files();
    const Result<std::unique_ptr<Store>> store = Store::Open(options);
    ASSERT_FALSE(store.has_value());
    EXPECT_EQ(store.error().code, code);
    EXPECT_NE(store.error().message.find(words), std::string::npos) << store.error().message;
    EXPECT_EQ(Files(), before);
  }

  [[nodiscard]] bool Has(const std::string& key, const StoreOptions& options) const {
    const std::unique_ptr<Store> store = Store::Open(options).value();
    PinnedValue value;
    return store->Get(key, value).value();
  }

  [[nodiscard]] std::string NameOfFile(const std::string& ending) const {
    for (const auto& [name, contents] : Files()) {
      if (name.ends_with(ending) && !contents.empty()) {
        return name;
      }
    }
    return "";
  }

  const std::shared_ptr<FaultyDisk> disk_ = FaultyDisk::InMemory();
};

TEST_F(StoreDirectory, IsMadeWithItsParentsAndMarked) {
  MustWrite("k", Options());
  EXPECT_TRUE(Files()["STATOR"].starts_with("stator database, format 2\n"));
  EXPECT_TRUE(Has("k", Options()));
}

// Settings are the program's. A file of them that was there before does no harm.
TEST_F(StoreDirectory, HasNoFileOfSettings) {
  MustWrite("k", Options());
  for (const auto& [name, contents] : Files()) {
    EXPECT_FALSE(name.starts_with("OPTIONS")) << name;
  }
  ASSERT_TRUE(disk_->WriteFile(kPath + std::string("/OPTIONS-000007"), "[Version]\n").has_value());
  EXPECT_TRUE(Has("k", Options()));
}

TEST(StoreDirectoryOnDisk, IsClosedToOthers) {
  using std::filesystem::perms;
  const TemporaryDirectory parent;
  // Made by us, and found empty with a mode that somebody else chose.
  const std::filesystem::path made = std::filesystem::path(parent.path()) / "made";
  const std::filesystem::path found = std::filesystem::path(parent.path()) / "found";
  std::filesystem::create_directory(found);
  std::filesystem::permissions(found, perms(0755));
  for (const std::filesystem::path& path : {made, found}) {
    ASSERT_TRUE(Store::Open({.path = path.string()}).has_value());
    EXPECT_EQ(std::filesystem::status(path).permissions(), perms::owner_all) << path;
  }
  // One that is ours already keeps what its owner decided.
  std::filesystem::permissions(found, perms(0750));
  ASSERT_TRUE(Store::Open({.path = found.string()}).has_value());
  EXPECT_EQ(std::filesystem::status(found).permissions(), perms(0750));
}

TEST_F(StoreDirectory, IsNotMadeAgainstOurWill) {
  StoreOptions options = Options();
  options.create_if_missing = false;
  EXPECT_EQ(Store::Open(options).error().message, "there is no Stator database in \"/data/db\"");
  options = Options();
  options.read_only = true;
  EXPECT_EQ(Store::Open(options).error().message, "there is no Stator database in \"/data/db\"");
  MustWrite("k", Options());
  options.create_if_missing = false;
  options.read_only = false;
  EXPECT_TRUE(Has("k", options));
}

TEST_F(StoreDirectory, WithoutAPathIsRefused) {
  EXPECT_EQ(Store::Open({.path = "", .disk = disk_}).error().code, ErrorCode::kIo);
}

TEST_F(StoreDirectory, OfSomethingElseIsLeftAlone) {
  MustWrite("k", Options());  // makes /data
  ASSERT_TRUE(disk_->WriteFile("/data/photo.jpg", "bytes").has_value());
  StoreOptions options = Options();
  options.path = "/data";
  const Result<std::unique_ptr<Store>> store = Store::Open(options);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kIo);
  EXPECT_NE(store.error().message.find("is not a Stator database"), std::string::npos);
  const std::vector<std::string> names = disk_->ListFiles("/data").value();
  EXPECT_TRUE(std::ranges::find(names, "STATOR") == names.end());
  EXPECT_TRUE(std::ranges::find(names, "LOCK") == names.end());
}

TEST_F(StoreDirectory, OfANewerVersionIsLeftAlone) {
  MustWrite("k", Options());
  ASSERT_TRUE(disk_->WriteFile("/data/db/STATOR", "stator database, format 3\n").has_value());
  ExpectRefused(Options(), ErrorCode::kIo,
                "newer version of Stator (format 3, this one reads up to 2)");
  StoreOptions newer = Options();
  newer.format_version = 3;
  EXPECT_TRUE(Has("k", newer));
}

TEST_F(StoreDirectory, WithADamagedMarkerIsLeftAlone) {
  MustWrite("k", Options());
  for (const std::string text :
       {"", "stator database", "stator database, format \n", "stator database, format 0\n",
        "stator database, format 1", "stator database, format 1\nx", "something else\n"}) {
    ASSERT_TRUE(disk_->WriteFile("/data/db/STATOR", text).has_value());
    ExpectRefused(Options(), ErrorCode::kCorruption, "STATOR");
  }
}

TEST_F(StoreDirectory, WithoutItsRootIsLeftAlone) {
  MustWrite("k", Options());
  disk_->RemoveFile("/data/db/CURRENT");
  ExpectRefused(Options(), ErrorCode::kCorruption, "CURRENT");
}

TEST_F(StoreDirectory, WithADamagedManifestIsLeftAlone) {
  MustWrite("k", Options());
  std::string manifest = Files()["CURRENT"];
  manifest.pop_back();
  ASSERT_TRUE(disk_->WriteFile("/data/db/" + manifest, "nonsense").has_value());
  ExpectRefused(Options(), ErrorCode::kCorruption, manifest + " in \"/data/db\" was cut off");
}

TEST_F(StoreDirectory, WithAMissingTableIsLeftAlone) {
  MustWrite("k", Options());
  ASSERT_TRUE(Store::Open(Options()).value()->Flush().has_value());
  const std::string table = NameOfFile(".sst");
  ASSERT_NE(table, "");
  disk_->RemoveFile("/data/db/" + table);
  ExpectRefused(Options(), ErrorCode::kCorruption, table.substr(0, table.find('.')));
}

// A batch in the middle of the log is damaged: acknowledged writes are at stake, so it takes an
// explicit wish to go on without them.
TEST_F(StoreDirectory, WithADamagedLogOpensOnlyToSalvage) {
  {
    const std::unique_ptr<Store> store = Store::Open(Options()).value();
    for (const std::string key : {"a", "b", "c"}) {
      WriteBatch batch;
      batch.Put(key, std::string(100, 'v'));
      ASSERT_TRUE(store->Write(std::move(batch)).has_value());
    }
    disk_->CutPower();
  }
  disk_->RestorePower();
  const std::string log = NameOfFile(".log");
  std::string bytes = Files()[log];
  ASSERT_GT(bytes.size(), 300U);
  bytes[200] = static_cast<char>(bytes[200] ^ 1);
  ASSERT_TRUE(disk_->WriteFile("/data/db/" + log, bytes).has_value());
  ExpectRefused(Options(), ErrorCode::kCorruption, "is damaged at byte");
  StoreOptions salvage = Options();
  salvage.salvage = true;
  EXPECT_EQ(Store::Open(salvage).value()->Losses().size(), 1U);
  EXPECT_TRUE(Has("a", Options()));
  EXPECT_FALSE(Has("b", Options()));
  EXPECT_FALSE(Has("c", Options()));
}

TEST_F(StoreDirectory, OfAProgramWithoutALedgerGetsOne) {
  MustWrite("k", Options());
  ASSERT_TRUE(disk_->WriteFile("/data/db/STATOR", "stator database, format 2\n").has_value());
  StoreOptions reading = Options();
  reading.read_only = true;
  EXPECT_TRUE(Has("k", reading));
  EXPECT_EQ(Files()["STATOR"], "stator database, format 2\n");
  EXPECT_TRUE(Has("k", Options()));
  EXPECT_TRUE(Files()["STATOR"].contains("MANIFEST-"));
}

TEST_F(StoreDirectory, IsReadWhileAnotherWritesIt) {
  const std::unique_ptr<Store> store = Store::Open(Options()).value();
  for (int round = 0; round < 30; ++round) {
    WriteBatch batch;
    batch.Put("k" + std::to_string(round), std::string(10'000, 'v'));
    ASSERT_TRUE(store->Write(std::move(batch)).has_value());
    if (round % 3 == 0) {
      ASSERT_TRUE(store->Flush().has_value());
    }
    StoreOptions reading = Options();
    reading.read_only = true;
    EXPECT_TRUE(Has("k" + std::to_string(round), reading));
  }
}

// The power goes at every single sync of the first opening.
TEST(StoreDirectoryAfterACrash, IsMadeAgain) {
  for (std::uint64_t syncs = 0; syncs < 30; ++syncs) {
    const std::shared_ptr<FaultyDisk> disk = FaultyDisk::InMemory();
    const StoreOptions options = {.path = kPath, .disk = disk};
    disk->FailSyncsAfter(syncs);
    const bool opened = Store::Open(options).has_value();
    disk->CutPower();
    disk->RestorePower();
    disk->Heal();
    const Result<std::unique_ptr<Store>> again = Store::Open(options);
    EXPECT_TRUE(again.has_value()) << "after " << syncs << " syncs: " << again.error().message;
    if (opened) {
      EXPECT_GT(syncs, 3U);
      return;
    }
  }
  FAIL() << "opening takes more syncs than expected";
}

TEST(StoreDirectoryOnFiles, InUseIsRefused) {
  const TemporaryDirectory directory;
  const StoreOptions options = {.path = directory.path() + "/a/b/db", .disk = nullptr};
  Result<std::unique_ptr<Store>> first = Store::Open(options);
  ASSERT_TRUE(first.has_value()) << first.error().message;
  const Result<std::unique_ptr<Store>> second = Store::Open(options);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::kIo);
  EXPECT_EQ(second.error().message,
            "the directory \"" + options.path + "\" is in use by another process");
  first->reset();
  EXPECT_TRUE(Store::Open(options).has_value());
}

// The files that are open can still be written, but nobody would find them again.
class LostDirectory : public testing::Test {
 protected:
  void SetUp() override {
    store_ = Store::Open({.path = Path(), .disk = nullptr}).value();
    ASSERT_TRUE(Put().has_value());
  }

  [[nodiscard]] std::string Path() const { return directory_.path() + "/db"; }

  [[nodiscard]] Result<void> Put() const {
    WriteBatch batch;
    batch.Put("k", "v");
    return store_->Write(std::move(batch));
  }

  void ExpectNoticed(const std::string& words) const {
    const Result<void> written = Put();
    ASSERT_FALSE(written.has_value());
    EXPECT_NE(written.error().message.find(words), std::string::npos) << written.error().message;
    EXPECT_FALSE(store_->Health().has_value());
  }

  const TemporaryDirectory directory_;
  std::unique_ptr<Store> store_;
};

TEST_F(LostDirectory, IsNoticedWhenItWasRemoved) {
  std::filesystem::remove_all(Path());
  ExpectNoticed("removed");
}

TEST_F(LostDirectory, IsNoticedWithoutAWrite) {
  std::filesystem::rename(Path(), Path() + "-moved");
  EXPECT_FALSE(store_->CheckPlace().has_value());
  EXPECT_FALSE(store_->Health().has_value());
}

TEST_F(LostDirectory, IsNoticedWhenAnotherGotItsName) {
  std::filesystem::rename(Path(), Path() + "-moved");
  std::filesystem::create_directory(Path());
  std::filesystem::copy(Path() + "-moved/STATOR", Path());
  EXPECT_FALSE(store_->CheckPlace().has_value());
}

TEST_F(LostDirectory, IsNoticedWhenItsLogWasRemoved) {
  for (const auto& entry : std::filesystem::directory_iterator(Path())) {
    if (entry.path().extension() == ".log") {
      std::filesystem::remove(entry.path());
    }
  }
  ExpectNoticed("removed or locked away while it was written");
}

TEST(StoreDirectoryOnFiles, AFileIsNoDirectory) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/file";
  std::ofstream(path) << "mine";
  EXPECT_EQ(Store::Open({.path = path, .disk = nullptr}).error().code, ErrorCode::kIo);
  EXPECT_EQ(Store::Open({.path = path + "/db", .disk = nullptr}).error().code, ErrorCode::kIo);
  EXPECT_TRUE(std::filesystem::is_regular_file(path));
}

TEST(StoreDirectoryOnFiles, AnEmptyDirectoryBecomesOurs) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(Store::Open({.path = directory.path(), .disk = nullptr}).has_value());
  EXPECT_TRUE(std::filesystem::exists(directory.path() + "/STATOR"));
}

TEST(StoreDirectoryOnFiles, ATrailingSlashChangesNothing) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(Store::Open({.path = directory.path() + "/db/", .disk = nullptr}).has_value());
  EXPECT_TRUE(Store::Open({.path = directory.path() + "/db", .disk = nullptr}).has_value());
}

}  // namespace
}  // namespace stator::storage

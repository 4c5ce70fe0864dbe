// Every file of a store times every kind of damage. There are two allowed ends: everything that was
// acknowledged is there, or the store (or the read that meets the damage) is refused in a sentence
// that says what to do.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/random.h"
#include "storage/faulty_disk.h"
#include "storage/faulty_file_system.h"
#include "storage/store.h"

namespace stator::storage {
namespace {

using Files = std::map<std::string, std::string>;

constexpr char kPath[] = "/db";
constexpr int kKeys = 120;

StoreOptions OptionsOn(const std::shared_ptr<FaultyDisk>& disk,
                       Durability durability = Durability::kDurable) {
  return {.path = kPath,
          .durability = durability,
          .sync_interval = std::chrono::hours(24),
          // Small, so that there are several logs and tables.
          .write_buffer_bytes = 16 << 10,
          .disk = disk};
}

std::string KeyOf(int number) {
  return "key" + std::to_string(number);
}

void PutAll(Store& store, int from, int to) {
  for (int number = from; number < to; ++number) {
    WriteBatch batch;
    batch.Put(KeyOf(number), std::string(700, 'v'));
    ASSERT_TRUE(store.Write(std::move(batch)).has_value());
  }
}

Files FilesOn(const FaultyDisk& disk) {
  Files files;
  const std::vector<std::string> names = disk.ListFiles(kPath).value();
  for (const std::string& name : names) {
    if (Result<std::string> contents = disk.ReadFile(kPath + ("/" + name))) {
      files[name] = std::move(*contents);
    }
  }
  return files;
}

// The states in which a disk may be found.
Files AfterAKill(Durability durability) {
  const std::shared_ptr<FaultyDisk> disk = FaultyDisk::InMemory();
  std::unique_ptr<Store> store = Store::Open(OptionsOn(disk, durability)).value();
  PutAll(*store, 0, kKeys);
  EXPECT_TRUE(store->Sync().has_value());
  disk->CutPower();  // so that nothing changes while the files are copied
  return FilesOn(*disk);
}

Files AfterAKillInALaterRun() {
  const std::shared_ptr<FaultyDisk> disk = FaultyDisk::InMemory();
  {
    const std::unique_ptr<Store> store = Store::Open(OptionsOn(disk)).value();
    PutAll(*store, 0, kKeys - 10);
  }
  const std::unique_ptr<Store> store = Store::Open(OptionsOn(disk)).value();
  PutAll(*store, kKeys - 10, kKeys);
  disk->CutPower();  // so that nothing changes while the files are copied
  return FilesOn(*disk);
}

Files AfterAStop() {
  const std::shared_ptr<FaultyDisk> disk = FaultyDisk::InMemory();
  const std::unique_ptr<Store> store = Store::Open(OptionsOn(disk)).value();
  PutAll(*store, 0, kKeys);
  EXPECT_TRUE(store->Close().has_value());
  return FilesOn(*disk);
}

Files AfterAPowerCut() {
  const std::shared_ptr<FaultyDisk> disk = FaultyDisk::InMemory();
  SeededRandom random(1);
  std::unique_ptr<Store> store = Store::Open(OptionsOn(disk)).value();
  PutAll(*store, 0, kKeys);
  disk->CutPower();
  store.reset();
  disk->RestorePower(&random);
  return FilesOn(*disk);
}

struct Damage {
  std::string name;
  std::function<void(Files&, const std::string&)> apply;
};

void Replace(std::string& contents, std::size_t at, std::size_t bytes, char with) {
  for (std::size_t end = std::min(at + bytes, contents.size()); at < end; ++at) {
    contents[at] = with;
  }
}

std::vector<Damage> Damages() {
  std::vector<Damage> damages = {
      {"dropped", [](Files& files, const std::string& name) { files.erase(name); }},
      {"emptied", [](Files& files, const std::string& name) { files[name].clear(); }},
      {"halved",
       [](Files& files, const std::string& name) { files[name].resize(files[name].size() / 2); }},
      {"one byte short",
       [](Files& files, const std::string& name) {
         files[name].resize(files[name].size() - std::min<std::size_t>(files[name].size(), 1));
       }},
      {"first page lost",
       [](Files& files, const std::string& name) { Replace(files[name], 0, 4096, '\0'); }},
      {"page of something else",
       [](Files& files, const std::string& name) {
         Replace(files[name], files[name].size() / 2 / 4096 * 4096, 4096, 'x');
       }},
  };
  for (const std::size_t tenth : {1U, 3U, 5U, 7U, 9U}) {
    damages.push_back({"page lost at " + std::to_string(tenth) + "/10",
                       [tenth](Files& files, const std::string& name) {
                         const std::size_t at = files[name].size() * tenth / 10;
                         Replace(files[name], at / 4096 * 4096, 4096, '\0');
                       }});
    damages.push_back({"bit flipped at " + std::to_string(tenth) + "/10",
                       [tenth](Files& files, const std::string& name) {
                         std::string& contents = files[name];
                         if (!contents.empty()) {
                           char& byte = contents[contents.size() * tenth / 10];
                           byte = static_cast<char>(byte ^ 1);
                         }
                       }});
    damages.push_back({"shortened to " + std::to_string(tenth) + "/10",
                       [tenth](Files& files, const std::string& name) {
                         files[name].resize(files[name].size() * tenth / 10);
                       }});
  }
  return damages;
}

std::shared_ptr<FaultyDisk> DiskWith(const Files& files) {
  std::shared_ptr<FaultyDisk> disk = FaultyDisk::InMemory();
  EXPECT_TRUE(disk->file_system()->CreateDirIfMissing(kPath, {}, nullptr).ok());
  for (const auto& [name, contents] : files) {
    EXPECT_TRUE(disk->WriteFile(kPath + ("/" + name), contents).has_value());
  }
  return disk;
}

enum class End { kComplete, kShort, kRefused };

// How many keys are there, the first ones and no other; nothing when reading one is refused.
std::optional<int> KeysIn(const Store& store) {
  int keys = 0;
  for (int number = 0; number < kKeys; ++number) {
    PinnedValue value;
    const Result<bool> found = store.Get(KeyOf(number), value);
    if (!found) {
      EXPECT_EQ(found.error().code, ErrorCode::kCorruption);
      return std::nullopt;
    }
    EXPECT_TRUE(!*found || keys == number) << KeyOf(number) << " is there without an earlier one";
    keys += *found ? 1 : 0;
  }
  return keys;
}

// What becomes of a store with these files.
End Open(const Files& files) {
  const std::shared_ptr<FaultyDisk> disk = DiskWith(files);
  const Result<std::unique_ptr<Store>> store = Store::Open(OptionsOn(disk));
  if (!store) {
    const std::string& message = store.error().message;
    EXPECT_TRUE(message.contains("--repair-into") || message.contains("is not a Stator database"))
        << message;
    const Files after = FilesOn(*disk);
    for (const auto& [name, contents] : files) {
      EXPECT_TRUE(after.contains(name) && after.at(name) == contents) << name << " was changed";
    }
    return End::kRefused;
  }
  const std::optional<int> keys = KeysIn(**store);
  return !keys ? End::kRefused : *keys == kKeys ? End::kComplete : End::kShort;
}

// After a power cut the ledger may be older than the end of the newest log: that it was cut off
// there, or its last pages are zeros, looks like a write that nobody was told of. Everything else
// is noticed.
void TryAll(const Files& files, bool ledger_is_exact = true) {
  ASSERT_EQ(Open(files), End::kComplete);
  std::string newest_log;
  for (const auto& [name, contents] : files) {
    newest_log = name.ends_with(".log") && !contents.empty() ? name : newest_log;
  }
  int refused = 0;
  for (const auto& [name, contents] : files) {
    for (const Damage& damage : Damages()) {
      SCOPED_TRACE(name + " " + damage.name);
      Files damaged = files;
      damage.apply(damaged, name);
      const End end = Open(damaged);
      refused += end == End::kRefused ? 1 : 0;
      if (ledger_is_exact || name != newest_log) {
        EXPECT_NE(end, End::kShort) << "something is gone, and nobody says so";
      }
    }
  }
  EXPECT_GT(refused, 20);
}

TEST(DamageTest, IsNoticedAfterAKill) {
  TryAll(AfterAKill(Durability::kDurable));
}

TEST(DamageTest, IsNoticedInARelaxedStore) {
  TryAll(AfterAKill(Durability::kRelaxed));
}

TEST(DamageTest, IsNoticedAfterAKillInALaterRun) {
  TryAll(AfterAKillInALaterRun());
}

TEST(DamageTest, IsNoticedAfterAStop) {
  TryAll(AfterAStop());
}

TEST(DamageTest, IsNoticedAfterAPowerCut) {
  TryAll(AfterAPowerCut(), /*ledger_is_exact=*/false);
}

TEST(DamageTest, ADirectoryOfWhichOnlyTheMarkerIsLeftIsNotNew) {
  const Files files = AfterAKill(Durability::kDurable);
  EXPECT_EQ(Open({{"STATOR", files.at("STATOR")}}), End::kRefused);
}

TEST(DamageTest, WithoutItsLogsAStoreIsRefused) {
  Files files = AfterAKill(Durability::kDurable);
  std::erase_if(files, [](const auto& file) { return file.first.ends_with(".log"); });
  const Result<std::unique_ptr<Store>> store = Store::Open(OptionsOn(DiskWith(files)));
  ASSERT_FALSE(store.has_value());
  EXPECT_TRUE(store.error().message.contains(".log in \"/db\" is missing"))
      << store.error().message;
}

// Nobody was told of the last write: its pages are torn, and the store opens without it.
TEST(DamageTest, ATornWriteThatNobodyWasToldOfIsNoDamage) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const std::shared_ptr<FaultyDisk> disk = FaultyDisk::InMemory();
    StoreOptions options = OptionsOn(disk);
    options.write_buffer_bytes = 1 << 20;
    std::unique_ptr<Store> store = Store::Open(options).value();
    PutAll(*store, 0, kKeys);
    disk->FailSyncsAfter(0);
    WriteBatch batch;
    batch.Put("torn", std::string(100'000, 'v'));
    ASSERT_FALSE(store->Write(std::move(batch)).has_value());
    disk->CutPower();
    store.reset();
    SeededRandom random(seed);
    disk->RestorePower(&random);
    disk->Heal();
    EXPECT_EQ(Open(FilesOn(*disk)), End::kComplete);
  }
}

}  // namespace
}  // namespace stator::storage

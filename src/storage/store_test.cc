// What store.h promises about reading and writing, on every home: in memory, in files, durable and
// relaxed. Directories are tested in store_directory_test.cc, failures in store_failure_test.cc.

#include "storage/store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/faulty_disk.h"
#include "storage/submitted.h"
#include "storage/temporary_directory.h"

namespace stator::storage {
namespace {

std::unique_ptr<Store> MustOpen(const StoreOptions& options) {
  Result<std::unique_ptr<Store>> store = Store::Open(options);
  EXPECT_TRUE(store.has_value()) << (store ? "" : store.error().message);
  return std::move(store).value();
}

WriteBatch BatchOf(const std::string& key, const std::string& value) {
  WriteBatch batch;
  batch.Put(key, value);
  return batch;
}

void MustPut(Store& store, const std::string& key, const std::string& value) {
  const Result<void> written = store.Write(BatchOf(key, value));
  ASSERT_TRUE(written.has_value()) << written.error().message;
}

std::optional<std::string> Read(const Store& store, const std::string& key,
                                const Snapshot* snapshot = nullptr) {
  PinnedValue value;
  if (!store.Get(key, value, snapshot).value()) {
    return std::nullopt;
  }
  return std::string(value.view());
}

std::string Collect(Cursor& cursor, bool forward) {
  std::string keys;
  for (forward ? cursor.SeekToFirst() : cursor.SeekToLast(); cursor.Valid();
       forward ? cursor.Next() : cursor.Prev()) {
    keys.append(cursor.key());
  }
  EXPECT_TRUE(cursor.status().has_value());
  return keys;
}

struct Home {
  std::string name;
  bool in_memory;
  Durability durability;
};

class StoreTest : public testing::TestWithParam<Home> {
 protected:
  [[nodiscard]] StoreOptions Options() const {
    return {.path = directory_.path() + "/db",
            .in_memory = GetParam().in_memory,
            .durability = GetParam().durability,
            .disk = nullptr};
  }

  const TemporaryDirectory directory_;
  std::unique_ptr<Store> store_ = MustOpen(Options());
};

INSTANTIATE_TEST_SUITE_P(Homes, StoreTest,
                         testing::Values(Home{"Memory", true, Durability::kDurable},
                                         Home{"Durable", false, Durability::kDurable},
                                         Home{"Relaxed", false, Durability::kRelaxed}),
                         [](const auto& test) { return test.param.name; });

TEST_P(StoreTest, ReadsWhatWasWritten) {
  EXPECT_EQ(Read(*store_, "k"), std::nullopt);
  MustPut(*store_, "k", "v");
  EXPECT_EQ(Read(*store_, "k"), "v");
  WriteBatch batch;
  batch.Put("k", "v2");
  batch.Delete("k");
  batch.Put("empty", "");
  ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
  EXPECT_EQ(Read(*store_, "k"), std::nullopt);
  EXPECT_EQ(Read(*store_, "empty"), "");
}

TEST_P(StoreTest, ReadsWhatWasWrittenAlsoFromTables) {
  WriteBatch batch;
  for (int key = 0; key < 1000; ++key) {
    batch.Put("key" + std::to_string(key), std::string(100, 'v') + std::to_string(key));
  }
  ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
  ASSERT_TRUE(store_->Flush().has_value());
  ASSERT_TRUE(store_->CompactRange("", "").has_value());
  EXPECT_EQ(Read(*store_, "key567"), std::string(100, 'v') + "567");
  EXPECT_EQ(Read(*store_, "key1000"), std::nullopt);
  ASSERT_TRUE(store_->Maintain().has_value());
  EXPECT_GT(store_->Statistics().disk_bytes, 0U);
}

TEST_P(StoreTest, PinnedValuesAreUsedAgain) {
  MustPut(*store_, "a", "first");
  MustPut(*store_, "b", "second");
  PinnedValue value;
  EXPECT_EQ(value.view(), "");
  EXPECT_TRUE(store_->Get("a", value).value());
  EXPECT_EQ(value.view(), "first");
  EXPECT_TRUE(store_->Get("b", value).value());
  EXPECT_EQ(value.view(), "second");
  EXPECT_FALSE(store_->Get("c", value).value());
  EXPECT_EQ(value.view(), "");
}

TEST_P(StoreTest, ReadsManyKeysAtOnce) {
  MustPut(*store_, "a", "1");
  MustPut(*store_, "c", "3");
  const Snapshot before = store_->TakeSnapshot();
  MustPut(*store_, "d", "4");
  const std::vector<std::string_view> keys = {"a", "b", "c", "d"};
  using Values = std::vector<std::optional<std::string>>;
  EXPECT_EQ(store_->GetMany(keys).value(), (Values{"1", std::nullopt, "3", "4"}));
  EXPECT_EQ(store_->GetMany(keys, &before).value(), (Values{"1", std::nullopt, "3", std::nullopt}));
  EXPECT_TRUE(store_->GetMany({}).value().empty());
}

TEST_P(StoreTest, SnapshotsDoNotChange) {
  MustPut(*store_, "k", "old");
  Snapshot snapshot = store_->TakeSnapshot();
  MustPut(*store_, "k", "new");
  MustPut(*store_, "k2", "new");
  EXPECT_EQ(Read(*store_, "k", &snapshot), "old");
  EXPECT_EQ(Read(*store_, "k2", &snapshot), std::nullopt);
  EXPECT_EQ(Read(*store_, "k"), "new");
  Cursor cursor = store_->NewCursor(&snapshot, "", "");
  EXPECT_EQ(Collect(cursor, true), "k");
  snapshot = store_->TakeSnapshot();
  EXPECT_EQ(Read(*store_, "k", &snapshot), "new");
}

TEST_P(StoreTest, CursorsWalkBothWaysWithinTheirBounds) {
  for (const std::string key : {"a", "b", "c", "d", "e"}) {
    MustPut(*store_, key, "value of " + key);
  }
  Cursor cursor = store_->NewCursor(nullptr, "b", "e");
  MustPut(*store_, "bb", "made after the cursor");
  EXPECT_EQ(Collect(cursor, true), "bcd");
  EXPECT_EQ(Collect(cursor, false), "dcb");
  cursor.Seek("c");
  ASSERT_TRUE(cursor.Valid());
  EXPECT_EQ(cursor.value(), "value of c");
  cursor.Seek("a");
  EXPECT_EQ(cursor.key(), "b");
  cursor.SeekForPrev("cc");
  EXPECT_EQ(cursor.key(), "c");
  cursor.SeekForPrev("a");
  EXPECT_FALSE(cursor.Valid());
  cursor.Seek("e");
  EXPECT_FALSE(cursor.Valid());
  EXPECT_TRUE(cursor.status().has_value());
  Cursor everything = store_->NewCursor(nullptr, "", "");
  EXPECT_EQ(Collect(everything, true), "abbbcde");
}

TEST_P(StoreTest, KeysAreOrderedByUnsignedBytes) {
  using std::string_literals::operator""s;
  const std::vector<std::string> sorted = {"\x00"s, "\x00\x00"s, "\x00\xFF"s, "a"s,
                                           "\x7F"s, "\x80"s,     "\xFF"s};
  for (auto key = sorted.rbegin(); key != sorted.rend(); ++key) {
    MustPut(*store_, *key, "");
  }
  std::vector<std::string> seen;
  seen.reserve(sorted.size());
  Cursor cursor = store_->NewCursor(nullptr, "", "");
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    seen.emplace_back(cursor.key());
  }
  EXPECT_EQ(seen, sorted);
}

TEST_P(StoreTest, AnEmptyBatchIsNoWork) {
  EXPECT_TRUE(store_->Write(WriteBatch()).has_value());
  EXPECT_EQ(store_->Statistics().batches, 0U);
}

TEST_P(StoreTest, SubmittedBatchesAreReadableWhenTheyAreDone) {
  std::latch done(50);
  for (int key = 0; key < 50; ++key) {
    const std::string name = "k" + std::to_string(key);
    Submit(store_->queue(), BatchOf(name, "v"), [&, name](const Result<void>& result) {
      EXPECT_TRUE(result.has_value());
      EXPECT_EQ(Read(*store_, name), "v");
      done.count_down();
    });
  }
  done.wait();
  EXPECT_EQ(store_->Statistics().batches, 50U);
}

TEST_P(StoreTest, ManyThreadsWriteAndReadAtOnce) {
  constexpr int kThreads = 8;
  constexpr int kWrites = 50;
  std::atomic<int> wrong = 0;
  const auto write_and_read = [&](int thread) {
    for (int write = 0; write < kWrites; ++write) {
      const std::string key = std::to_string(thread) + "/" + std::to_string(write);
      const bool written = store_->Write(BatchOf(key, key)).has_value();
      wrong += written && Read(*store_, key) == key ? 0 : 1;
    }
  };
  std::vector<std::jthread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back(write_and_read, thread);
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  const StoreStatistics statistics = store_->Statistics();
  EXPECT_EQ(statistics.batches, static_cast<std::uint64_t>(kThreads * kWrites));
  EXPECT_LE(statistics.groups, statistics.batches);
}

// A batch is seen as a whole or not at all, also by readers that look while it is written.
TEST_P(StoreTest, BatchesAreAtomicForReaders) {
  std::atomic<int> torn = 0;
  std::jthread reader([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const Snapshot snapshot = store_->TakeSnapshot();
      torn += Read(*store_, "left", &snapshot) == Read(*store_, "right", &snapshot) ? 0 : 1;
    }
  });
  for (int round = 0; round < 200; ++round) {
    WriteBatch batch;
    batch.Put("left", std::to_string(round));
    batch.Put("right", std::to_string(round));
    ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
  }
  reader.request_stop();
  reader.join();
  EXPECT_EQ(torn, 0);
}

TEST_P(StoreTest, ClosingTwiceIsHarmless) {
  MustPut(*store_, "k", "v");
  EXPECT_TRUE(store_->Close().has_value());
  EXPECT_TRUE(store_->Close().has_value());
}

TEST_P(StoreTest, FilesKeepWhatWasWritten) {
  MustPut(*store_, "k", "v");
  ASSERT_TRUE(store_->Close().has_value());
  store_ = MustOpen(Options());
  EXPECT_EQ(Read(*store_, "k"), GetParam().in_memory ? std::nullopt : std::optional("v"));
}

TEST(StoreInMemory, IsFlushed) {
  const std::unique_ptr<Store> store = MustOpen({.path = "", .in_memory = true, .disk = nullptr});
  MustPut(*store, "k", "v");
  EXPECT_TRUE(store->Flush().has_value());
  EXPECT_EQ(Read(*store, "k"), "v");
}

TEST(StoreInMemory, TwoAreSeparate) {
  const std::unique_ptr<Store> one = MustOpen({.path = "", .in_memory = true, .disk = nullptr});
  const std::unique_ptr<Store> two = MustOpen({.path = "", .in_memory = true, .disk = nullptr});
  MustPut(*one, "k", "v");
  EXPECT_EQ(Read(*two, "k"), std::nullopt);
}

TEST(StoreGroups, WritersShareSyncs) {
  const TemporaryDirectory directory;
  const std::unique_ptr<Store> store =
      MustOpen({.path = directory.path() + "/db", .disk = nullptr});
  std::latch done(200);
  for (int key = 0; key < 200; ++key) {
    Submit(store->queue(), BatchOf(std::to_string(key), "v"),
           [&](const Result<void>&) { done.count_down(); });
  }
  done.wait();
  const StoreStatistics statistics = store->Statistics();
  EXPECT_EQ(statistics.batches, 200U);
  EXPECT_EQ(statistics.syncs, statistics.groups);
  EXPECT_LT(statistics.syncs, 200U);
}

TEST(StoreReadOnly, ReadsAndRefusesToWrite) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/db";
  MustPut(*MustOpen({.path = path, .disk = nullptr}), "k", "v");
  const std::unique_ptr<Store> store = MustOpen({.path = path, .read_only = true, .disk = nullptr});
  EXPECT_EQ(Read(*store, "k"), "v");
  const Result<void> written = store->Write(BatchOf("k", "v2"));
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, "the store was opened for reading only");
  EXPECT_EQ(Read(*store, "k"), "v");
}

std::string CollectHistory(const Store& store, const Snapshot* snapshot = nullptr) {
  Cursor cursor = store.NewCursor(snapshot, "", "", 0, Family::kHistory);
  return Collect(cursor, true);
}

TEST(StoreHistory, IsACollectionOfItsOwnInTheSameBatch) {
  const TemporaryDirectory directory;
  const StoreOptions options{.path = directory.path() + "/db", .format_version = kHistorySince};
  {
    const std::unique_ptr<Store> store = MustOpen(options);
    ASSERT_TRUE(store->HasHistory());
    const Snapshot before = store->TakeSnapshot();
    WriteBatch batch;
    batch.Put("a", "now");
    batch.Put("a", "then", Family::kHistory);
    batch.Put("b", "then", Family::kHistory);
    ASSERT_TRUE(store->Write(std::move(batch)).has_value());
    EXPECT_EQ(CollectHistory(*store), "ab");
    EXPECT_EQ(CollectHistory(*store, &before), "");
    WriteBatch removal;
    removal.Delete("b", Family::kHistory);
    ASSERT_TRUE(store->Write(std::move(removal)).has_value());
  }
  const std::unique_ptr<Store> store = MustOpen(options);
  EXPECT_EQ(CollectHistory(*store), "a");
  EXPECT_EQ(Read(*store, "a"), "now");
  EXPECT_EQ(Read(*store, "b"), std::nullopt);
}

TEST(StoreHistory, ComesWhenTheFormatIsRaised) {
  const TemporaryDirectory directory;
  StoreOptions options{.path = directory.path() + "/db", .format_version = 1};
  {
    MustPut(*MustOpen(options), "a", "1");
  }
  options.format_version = kHistorySince;
  {
    const std::unique_ptr<Store> store = MustOpen(options);
    EXPECT_EQ(store->format(), 1U);
    EXPECT_FALSE(store->HasHistory());
    ASSERT_TRUE(store->RaiseFormat(kHistorySince).has_value());
    WriteBatch batch;
    batch.Put("x", "then", Family::kHistory);
    ASSERT_TRUE(store->Write(std::move(batch)).has_value());
    EXPECT_EQ(CollectHistory(*store), "x");
  }
  {
    const std::unique_ptr<Store> store = MustOpen(options);
    EXPECT_EQ(store->format(), kHistorySince);
    EXPECT_EQ(CollectHistory(*store), "x");
    EXPECT_EQ(Read(*store, "a"), "1");
  }
  options.format_version = 1;
  EXPECT_FALSE(Store::Open(options).has_value());
}

TEST(StoreHistory, SurvivesAPowerCutWithWhatItBelongsTo) {
  const auto disk = FaultyDisk::InMemory();
  const StoreOptions options{.path = "/db", .format_version = kHistorySince, .disk = disk};
  {
    const std::unique_ptr<Store> store = MustOpen(options);
    for (const char* key : {"a", "b", "c"}) {
      WriteBatch batch;
      batch.Put(key, "now");
      batch.Put(key, "then", Family::kHistory);
      ASSERT_TRUE(store->Write(std::move(batch)).has_value());
    }
    disk->CutPower();
  }
  disk->RestorePower();
  const std::unique_ptr<Store> store = MustOpen(options);
  Cursor cursor = store->NewCursor(nullptr, "", "");
  EXPECT_EQ(Collect(cursor, true), "abc");
  EXPECT_EQ(CollectHistory(*store), "abc");
}

// Removes keys that begin with "o".
class OldRows final : public RowFilterMaker {
 public:
  std::unique_ptr<RowFilter> Make() override {
    class Filter final : public RowFilter {
     public:
      bool Removes(std::string_view key, std::size_t /*value_bytes*/) override {
        return key.starts_with('o');
      }
    };
    return std::make_unique<Filter>();
  }
};

TEST(StoreHistory, LosesWhatTheFilterRemovesInACompaction) {
  const std::unique_ptr<Store> store = MustOpen({.path = "",
                                                 .in_memory = true,
                                                 .format_version = kHistorySince,
                                                 .history_filters = std::make_shared<OldRows>()});
  WriteBatch batch;
  batch.Put("o1", "main");
  for (const char* key : {"n1", "o1", "o2"}) {
    batch.Put(key, "history", Family::kHistory);
  }
  ASSERT_TRUE(store->Write(std::move(batch)).has_value());
  ASSERT_TRUE(store->Flush().has_value());
  ASSERT_TRUE(store->CompactRange("", "", Family::kHistory).has_value());
  EXPECT_EQ(CollectHistory(*store), "n1");
  EXPECT_EQ(Read(*store, "o1"), "main");
}

}  // namespace
}  // namespace stator::storage

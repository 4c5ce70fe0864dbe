// What row_cache.h promises, alone and as part of a store: never an older row than RocksDB has.

#include "storage/row_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "stator/base/random.h"
#include "storage/store.h"
#include "storage/writes_to.h"

namespace stator::storage {
namespace {

constexpr std::size_t kBytes = 1 << 20;

// Asks, and offers what RocksDB would have had; what was found, if it was.
RowPtr Ask(RowCache& cache, const std::string& key, const std::string& stored) {
  RowCache::Visit visit;
  RowPtr row = cache.Find(key, visit);
  if (row == nullptr) {
    cache.Offer(key, visit, stored);
  }
  return row;
}

RunCache& NoRuns() {
  static RunCache none(0);
  return none;
}

WriteBatch PutOf(const std::string& key, const std::string& value) {
  WriteBatch batch;
  batch.Put(key, value);
  return batch;
}

TEST(RowCache, KeepsWhatIsAskedForAgain) {
  RowCache cache(kBytes);
  EXPECT_EQ(Ask(cache, "key", "value"), nullptr);
  EXPECT_EQ(Ask(cache, "key", "value"), nullptr) << "seen once before";
  const RowPtr row = Ask(cache, "key", "value");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->value(), "value");
  EXPECT_GT(cache.bytes(), 0U);
}

TEST(RowCache, KeepsNothingWithoutRoom) {
  RowCache cache(0);
  for (int attempt = 0; attempt < 5; ++attempt) {
    EXPECT_EQ(Ask(cache, "key", "value"), nullptr);
  }
  const WriteBatch batch = PutOf("key", "new");
  const WritesTo closed(cache, NoRuns(), batch);
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(RowCache, AWriteClosesItsKeyAndNoOther) {
  RowCache cache(kBytes);
  for (int attempt = 0; attempt < 3; ++attempt) {
    Ask(cache, "written", "old");
    Ask(cache, "other", "value");
  }
  {
    const WriteBatch batch = PutOf("written", "new");
    const WritesTo closed(cache, NoRuns(), batch);
    for (int attempt = 0; attempt < 5; ++attempt) {
      EXPECT_EQ(Ask(cache, "written", "old or new"), nullptr);
    }
    EXPECT_NE(Ask(cache, "other", "value"), nullptr);
  }
  Ask(cache, "written", "new");
  Ask(cache, "written", "new");
  EXPECT_EQ(Ask(cache, "written", "new")->value(), "new");
}

TEST(RowCache, WhatWasReadBeforeAWriteIsNotLetInAfterIt) {
  RowCache cache(kBytes);
  RowCache::Visit visit;
  cache.Find("key", visit);
  cache.Find("key", visit);
  ASSERT_TRUE(visit.welcome);
  {
    const WriteBatch batch = PutOf("key", "new");
    const WritesTo closed(cache, NoRuns(), batch);
  }
  cache.Offer("key", visit, "old");
  RowCache::Visit later;
  EXPECT_EQ(cache.Find("key", later), nullptr);
}

// What was written, and whether it got into RocksDB.
void Write(RowCache& cache, const WriteBatch& batch, bool succeeds = true) {
  WritesTo closed(cache, NoRuns(), batch);
  if (succeeds) {
    closed.SetWritten();
  }
}

TEST(RowCache, WhatIsReadAndWrittenInTurnsIsThereAsWritten) {
  RowCache cache(kBytes);
  EXPECT_EQ(Ask(cache, "counter", "0"), nullptr);
  Write(cache, PutOf("counter", "1"));
  EXPECT_EQ(Ask(cache, "counter", "1"), nullptr) << "comes in now";
  for (int number = 2; number < 10; ++number) {
    Write(cache, PutOf("counter", std::to_string(number)));
    const RowPtr row = Ask(cache, "counter", "not asked");
    ASSERT_FALSE(row == nullptr);
    EXPECT_EQ(row->value(), std::to_string(number));
  }
  Write(cache, PutOf("counter", "lost"), /*succeeds=*/false);
  EXPECT_EQ(Ask(cache, "counter", "9"), nullptr);
}

TEST(RowCache, WhatIsWrittenAndNotReadStaysOut) {
  RowCache cache(kBytes);
  for (int attempt = 0; attempt < 10; ++attempt) {
    Write(cache, PutOf("key", "value"));
  }
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(RowCache, OfTwoWritesAtTheSameTimeNeitherIsKept) {
  RowCache cache(kBytes);
  for (int attempt = 0; attempt < 3; ++attempt) {
    Ask(cache, "key", "old");
  }
  const WriteBatch first = PutOf("key", "first");
  const WriteBatch second = PutOf("key", "second");
  {
    WritesTo outer(cache, NoRuns(), first);
    {
      WritesTo inner(cache, NoRuns(), second);
      inner.SetWritten();
    }
    outer.SetWritten();
  }
  RowCache::Visit visit;
  EXPECT_EQ(cache.Find("key", visit), nullptr) << "which of them is later is not known here";
}

TEST(RowCache, OfABatchTheLastRowOfAKeyCounts) {
  RowCache cache(kBytes);
  for (int attempt = 0; attempt < 3; ++attempt) {
    Ask(cache, "key", "old");
  }
  WriteBatch batch;
  batch.Put("key", "first");
  batch.Put("key", "undo", Family::kHistory);
  batch.Put("key", "second");
  Write(cache, batch);
  RowCache::Visit visit;
  const RowPtr row = cache.Find("key", visit);
  EXPECT_TRUE(row == nullptr || row->value() == "second");
  batch.Delete("key");
  Write(cache, batch);
  EXPECT_EQ(cache.Find("key", visit), nullptr);
}

TEST(RowCache, DeletesAndOtherFamilies) {
  RowCache cache(kBytes);
  for (int attempt = 0; attempt < 3; ++attempt) {
    Ask(cache, "deleted", "value");
    Ask(cache, "remembered", "value");
  }
  WriteBatch batch;
  batch.Put("remembered", "undo", Family::kHistory);
  batch.Delete("remembered", Family::kHistory);
  batch.Delete("deleted");
  {
    const WritesTo closed(cache, NoRuns(), batch);
  }
  RowCache::Visit visit;
  EXPECT_EQ(cache.Find("deleted", visit), nullptr);
  EXPECT_NE(cache.Find("remembered", visit), nullptr);
}

TEST(RowCache, StaysWithinItsBytes) {
  RowCache cache(kBytes);
  const std::string value(1000, 'v');
  for (int number = 0; number < 10'000; ++number) {
    const std::string key = "key" + std::to_string(number);
    Ask(cache, key, value);
    Ask(cache, key, value);
  }
  EXPECT_LE(cache.bytes(), kBytes);
  EXPECT_GT(cache.bytes(), kBytes / 2);
  const std::string huge(kBytes, 'h');
  Ask(cache, "huge", huge);
  Ask(cache, "huge", huge);
  EXPECT_EQ(Ask(cache, "huge", huge), nullptr);
}

TEST(RowCache, WhatIsAskedForOutlivesWhatIsNot) {
  RowCache cache(kBytes);
  const std::string value(1000, 'v');
  for (int number = 0; number < 10'000; ++number) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      Ask(cache, "hot", value);
      Ask(cache, "key" + std::to_string(number), value);
    }
  }
  EXPECT_NE(Ask(cache, "hot", value), nullptr);
  EXPECT_EQ(Ask(cache, "key0", value), nullptr) << "one of the oldest";
}

TEST(RowCache, ARowLivesAsLongAsItsReader) {
  RowPtr row;
  {
    RowCache cache(kBytes);
    Ask(cache, "key", "value");
    Ask(cache, "key", "value");
    row = Ask(cache, "key", "value");
    const WriteBatch batch = PutOf("key", "new");
    const WritesTo closed(cache, NoRuns(), batch);
    EXPECT_EQ(row->value(), "value");
  }
  EXPECT_EQ(row->key(), "key");
  EXPECT_EQ(row->value(), "value");
}

TEST(RowCache, ANoteStaysWithItsRow) {
  RowCache cache(kBytes);
  Ask(cache, "key", "value");
  Ask(cache, "key", "value");
  EXPECT_EQ(Ask(cache, "key", "value")->note(), 0U);
  Ask(cache, "key", "value")->SetNote(7);
  EXPECT_EQ(Ask(cache, "key", "value")->note(), 7U);
  {
    const WriteBatch batch = PutOf("key", "new");
    const WritesTo closed(cache, NoRuns(), batch);
  }
  Ask(cache, "key", "new");
  Ask(cache, "key", "new");
  EXPECT_EQ(Ask(cache, "key", "new")->note(), 0U) << "another row";
}

// Beside a map of everything: what is found is what was offered last, and the bytes add up.
TEST(RowCache, AgreesWithAPlainMap) {
  RowCache cache(kBytes / 4);
  std::map<std::string, std::string> stored;
  SeededRandom chance(20261119);
  std::size_t found = 0;
  for (int step = 0; step < 200'000; ++step) {
    const std::string key = "key" + std::to_string(chance.Below(3000));
    if (chance.Below(16) == 0) {
      const bool succeeds = chance.Below(8) != 0;
      const std::string value = std::string(chance.Below(200), 'a') + std::to_string(step);
      Write(cache, PutOf(key, value), succeeds);
      if (succeeds) {
        stored[key] = value;
      }
      continue;
    }
    const RowPtr row = Ask(cache, key, stored[key]);
    if (!(row == nullptr)) {
      ASSERT_EQ(row->value(), stored[key]);
      ++found;
    }
  }
  EXPECT_GT(found, 10'000U);
  EXPECT_LE(cache.bytes(), kBytes / 4);
}

// Numbers that only rise: whoever has seen one must never see a smaller one, wherever it comes from.
TEST(RowCache, NobodySeesAnOlderRow) {
  const std::unique_ptr<Store> store = Store::Open({.path = {}, .in_memory = true}).value();
  constexpr int kKeys = 4;
  constexpr int kWrites = 2000;
  std::vector<std::atomic<int>> written(kKeys);
  std::atomic<bool> over = false;
  const auto key_of = [](int key) { return "key" + std::to_string(key); };
  for (int key = 0; key < kKeys; ++key) {
    ASSERT_TRUE(store->Write(PutOf(key_of(key), "0")).has_value());
  }
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      std::vector<int> seen(kKeys);
      while (!over) {
        for (int key = 0; key < kKeys; ++key) {
          const int acknowledged = written[static_cast<std::size_t>(key)];
          PinnedValue value;
          ASSERT_TRUE(store->Get(key_of(key), value).value());
          const int now = std::stoi(std::string(value.view()));
          EXPECT_GE(now, seen[static_cast<std::size_t>(key)]);
          EXPECT_GE(now, acknowledged);
          seen[static_cast<std::size_t>(key)] = now;
        }
      }
    });
  }
  for (int number = 1; number <= kWrites; ++number) {
    for (int key = 0; key < kKeys; ++key) {
      ASSERT_TRUE(store->Write(PutOf(key_of(key), std::to_string(number))).has_value());
      written[static_cast<std::size_t>(key)] = number;
    }
  }
  over = true;
  for (std::thread& reader : readers) {
    reader.join();
  }
}

}  // namespace
}  // namespace stator::storage

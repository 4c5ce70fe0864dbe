// What run_cache.h promises, alone and as part of a store: never other rows than RocksDB has.

#include "storage/run_cache.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace stator::storage {
namespace {

constexpr std::size_t kBytes = 4 << 20;

const std::string kLower = "partition-1";
const std::string kUpper = "partition-2";

RowRun RunOf(const std::string& value) {
  RowRun run;
  EXPECT_TRUE(run.Add(kLower + "a", value, 7));
  EXPECT_TRUE(run.Add(kLower + "b", value, 0));
  return run;
}

// Asks, and offers what RocksDB would have had; what was found, if it was.
RunPtr Ask(RunCache& cache, const std::string& stored = "value") {
  RunCache::Visit visit;
  RunPtr run = cache.Find(kLower, kUpper, visit);
  if (run == nullptr && visit.welcome) {
    cache.Offer(kLower, kUpper, visit, RunOf(stored));
  }
  return run;
}

TEST(RowRun, IsWalkedAndSearched) {
  RowRun run;
  EXPECT_EQ(run.size(), 0U);
  EXPECT_EQ(run.Find("a"), 0U);
  EXPECT_TRUE(run.Add("d", "4", 4));
  EXPECT_TRUE(run.Add("c", "", 3));
  EXPECT_TRUE(run.Add("b", "2", 2));
  run.Reverse();
  ASSERT_EQ(run.size(), 3U);
  EXPECT_EQ(run.key(0), "b");
  EXPECT_EQ(run.value(0), "2");
  EXPECT_EQ(run.note(0), 2U);
  EXPECT_EQ(run.value(1), "");
  EXPECT_EQ(run.key(2), "d");
  EXPECT_EQ(run.Find("a"), 0U);
  EXPECT_EQ(run.Find("b"), 0U);
  EXPECT_EQ(run.Find("bb"), 1U);
  EXPECT_EQ(run.Find("d"), 2U);
  EXPECT_EQ(run.Find("e"), 3U);
}

TEST(RowRun, HasAnEnd) {
  RowRun run;
  EXPECT_FALSE(run.Add("key", std::string(RowRun::kBytesMax, 'v'), 0));
  std::size_t rows = 0;
  while (run.Add("key" + std::to_string(1000 + rows), std::string(1000, 'v'), 0)) {
    ++rows;
  }
  EXPECT_GT(rows, 20U);
  EXPECT_LE(rows * 1000, RowRun::kBytesMax);
  EXPECT_EQ(run.size(), rows);
}

TEST(RunCache, KeepsWhatIsWalkedAgain) {
  RunCache cache(kBytes);
  EXPECT_EQ(Ask(cache), nullptr);
  EXPECT_EQ(Ask(cache), nullptr) << "seen once before";
  const RunPtr run = Ask(cache);
  ASSERT_NE(run, nullptr);
  ASSERT_EQ(run->size(), 2U);
  EXPECT_EQ(run->key(1), kLower + "b");
  EXPECT_EQ(run->value(1), "value");
  EXPECT_EQ(run->note(0), 7U);
  EXPECT_GT(cache.bytes(), 0U);
}

TEST(RunCache, KeepsNothingWithoutRoom) {
  RunCache cache(0);
  for (int attempt = 0; attempt < 5; ++attempt) {
    EXPECT_EQ(Ask(cache), nullptr);
  }
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(RunCache, KeepsNoRangeOfManyRegions) {
  RunCache cache(kBytes);
  for (const auto& [lower, upper] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"a", "b"}, {kLower, ""}, {"", kUpper}, {"partitio0-1", "partitio1-1"}}) {
    RunCache::Visit visit;
    for (int attempt = 0; attempt < 3; ++attempt) {
      EXPECT_EQ(cache.Find(lower, upper, visit), nullptr);
      EXPECT_FALSE(visit.welcome) << lower;
    }
  }
}

TEST(RunCache, OtherBoundsAreOtherRuns) {
  RunCache cache(kBytes);
  for (int attempt = 0; attempt < 3; ++attempt) {
    Ask(cache);
  }
  RunCache::Visit visit;
  EXPECT_EQ(cache.Find(kLower, kUpper + "a", visit), nullptr);
  EXPECT_EQ(cache.Find(kLower + "a", kUpper, visit), nullptr);
  EXPECT_NE(cache.Find(kLower, kUpper, visit), nullptr);
}

TEST(RunCache, AWriteClosesItsRegion) {
  RunCache cache(kBytes);
  for (int attempt = 0; attempt < 3; ++attempt) {
    Ask(cache, "old");
  }
  const std::string key = kLower + "z";
  cache.Close(RunCache::RegionOf(key));
  cache.Close(RunCache::RegionOf(key));
  cache.Reopen(RunCache::RegionOf(key));
  for (int attempt = 0; attempt < 5; ++attempt) {
    EXPECT_EQ(Ask(cache, "old or new"), nullptr);
  }
  cache.Reopen(RunCache::RegionOf(key));
  EXPECT_EQ(Ask(cache, "new"), nullptr);
  EXPECT_EQ(Ask(cache, "new"), nullptr);
  EXPECT_EQ(Ask(cache)->value(0), "new");
}

TEST(RunCache, WhatWasReadBeforeAWriteIsNotLetInAfterIt) {
  RunCache cache(kBytes);
  RunCache::Visit visit;
  cache.Find(kLower, kUpper, visit);
  cache.Find(kLower, kUpper, visit);
  ASSERT_TRUE(visit.welcome);
  cache.Close(RunCache::RegionOf(kLower));
  cache.Reopen(RunCache::RegionOf(kLower));
  cache.Offer(kLower, kUpper, visit, RunOf("old"));
  RunCache::Visit later;
  EXPECT_EQ(cache.Find(kLower, kUpper, later), nullptr);
}

TEST(RunCache, WhatIsWrittenAsOftenAsReadStaysOut) {
  RunCache cache(kBytes);
  for (int attempt = 0; attempt < 10; ++attempt) {
    EXPECT_EQ(Ask(cache), nullptr);
    cache.Close(RunCache::RegionOf(kLower));
    cache.Reopen(RunCache::RegionOf(kLower));
  }
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(RunCache, StaysWithinItsBytes) {
  RunCache cache(kBytes);
  for (int number = 0; number < 10'000; ++number) {
    const std::string lower = kLower + std::to_string(number);
    RunCache::Visit visit;
    cache.Find(lower, kUpper, visit);
    cache.Find(lower, kUpper, visit);
    cache.Offer(lower, kUpper, visit, RunOf(std::string(2000, 'v')));
  }
  EXPECT_LE(cache.bytes(), kBytes);
  EXPECT_GT(cache.bytes(), kBytes / 2);
}

// A store, and what it has to have.
class StoreWithRuns : public testing::Test {
 protected:
  void Put(const std::string& key, const std::string& value) {
    WriteBatch batch;
    batch.Put(key, value);
    ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
    rows_[key] = value;
  }
  void Delete(const std::string& key) {
    WriteBatch batch;
    batch.Delete(key);
    ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
    rows_.erase(key);
  }
  // The rows of a partition in one direction, as the store has them; their notes are their sizes.
  std::vector<std::pair<std::string, std::string>> Walk(const std::string& lower,
                                                        const std::string& upper, bool forward) {
    std::vector<std::pair<std::string, std::string>> walked;
    Cursor cursor = store_->NewCursor(nullptr, lower, upper);
    for (forward ? cursor.SeekToFirst() : cursor.SeekToLast(); cursor.Valid();
         forward ? cursor.Next() : cursor.Prev()) {
      walked.emplace_back(cursor.key(), cursor.value());
      noted_ += cursor.note() > 0 ? 1 : 0;
      EXPECT_TRUE(cursor.note() == 0 || cursor.note() == cursor.value().size() + 1);
      cursor.SetNote(static_cast<std::uint32_t>(cursor.value().size()) + 1);
    }
    EXPECT_TRUE(cursor.status().has_value());
    EXPECT_FALSE(cursor.GaveUp());
    return walked;
  }
  std::vector<std::pair<std::string, std::string>> Expected(const std::string& lower,
                                                            const std::string& upper,
                                                            bool forward) {
    std::vector<std::pair<std::string, std::string>> expected(rows_.lower_bound(lower),
                                                              rows_.lower_bound(upper));
    if (!forward) {
      std::reverse(expected.begin(), expected.end());
    }
    return expected;
  }

  std::unique_ptr<Store> store_ = Store::Open({.path = {}, .in_memory = true}).value();
  std::map<std::string, std::string> rows_;
  int noted_ = 0;
};

TEST_F(StoreWithRuns, WalksAreAlikeWhereverTheRowsAre) {
  for (int row = 0; row < 10; ++row) {
    Put(kLower + std::to_string(row), std::string(static_cast<std::size_t>(row), 'v'));
  }
  for (const bool forward : {true, false, true, true, false}) {
    EXPECT_EQ(Walk(kLower, kUpper, forward), Expected(kLower, kUpper, forward));
  }
  EXPECT_EQ(noted_, 30) << "the last three walks find what the second has left";
  Delete(kLower + "3");
  EXPECT_EQ(Walk(kLower, kUpper, true), Expected(kLower, kUpper, true));
  for (int attempt = 0; attempt < 4; ++attempt) {
    EXPECT_TRUE(Walk(kLower + "x", kUpper, attempt % 2 == 0).empty());
  }
}

TEST_F(StoreWithRuns, ACursorIsMovedAsOneOfRocksDb) {
  for (const char* row : {"b", "d", "f"}) {
    Put(kLower + row, row);
  }
  for (int attempt = 0; attempt < 2; ++attempt) {
    Walk(kLower, kUpper, true);
  }
  Cursor found = store_->NewCursor(nullptr, kLower, kUpper);
  const Snapshot snapshot = store_->TakeSnapshot();
  Cursor of_rocksdb = store_->NewCursor(&snapshot, kLower, kUpper);
  const auto expect_same = [&](const std::string& where) {
    ASSERT_EQ(found.Valid(), of_rocksdb.Valid()) << where;
    if (found.Valid()) {
      EXPECT_EQ(found.key(), of_rocksdb.key()) << where;
      EXPECT_EQ(found.value(), of_rocksdb.value()) << where;
    }
  };
  for (const char* row : {"", "a", "b", "c", "d", "e", "f", "g"}) {
    for (const bool forward : {true, false}) {
      for (Cursor* cursor : {&found, &of_rocksdb}) {
        forward ? cursor->Seek(kLower + row) : cursor->SeekForPrev(kLower + row);
      }
      expect_same(row);
      if (found.Valid()) {
        for (Cursor* cursor : {&found, &of_rocksdb}) {
          forward ? cursor->Prev() : cursor->Next();
        }
        expect_same(std::string("beside ") + row);
      }
    }
  }
  found.SeekToFirst();
  EXPECT_GT(found.note(), 0U) << "these rows were found";
}

// A walk that turns, is begun again or ends early leaves nothing behind.
TEST_F(StoreWithRuns, OnlyWholeWalksAreKept) {
  for (const char* row : {"b", "d", "f"}) {
    Put(kLower + row, row);
  }
  for (int attempt = 0; attempt < 6; ++attempt) {
    Cursor cursor = store_->NewCursor(nullptr, kLower, kUpper);
    cursor.SeekToFirst();
    ASSERT_TRUE(cursor.Valid());
    EXPECT_EQ(cursor.note(), 0U) << attempt;
    cursor.SetNote(1);
    cursor.Next();
    switch (attempt) {
      case 0:
      case 1:
        break;
      case 2:
        cursor.Prev();
        break;
      case 3:
        cursor.Seek(kLower + "f");
        break;
      case 4:
        cursor.SeekToLast();
        break;
      default:
        cursor.SeekForPrev(kLower + "d");
    }
    for (; attempt > 1 && cursor.Valid();) {
      cursor.Next();
    }
  }
}

// Writes and walks at random: every walk gives what was written.
RC_GTEST_FIXTURE_PROP(StoreWithRuns, NeverTellsThemFromRocksDb, ()) {
  const auto partition = rc::gen::element<std::string>("partition-1", "partition-2", "partition-3");
  const auto row = rc::gen::element<std::string>("", "a", "b", "c");
  for (int step = 0; step < 60; ++step) {
    const std::string in = *partition;
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        Put(in + *row, *rc::gen::arbitrary<std::string>());
        break;
      case 1:
        Delete(in + *row);
        break;
      default: {
        std::string upper = in;
        ++upper.back();
        const bool forward = *rc::gen::arbitrary<bool>();
        RC_ASSERT(Walk(in, upper, forward) == Expected(in, upper, forward));
      }
    }
  }
}

// Two rows that are always written together and only rise: no walk may see them apart, nor older than
// what was acknowledged before it began.
TEST_F(StoreWithRuns, NobodySeesOlderRows) {
  constexpr int kWrites = 2000;
  std::atomic<int> written = 0;
  std::atomic<bool> over = false;
  const auto write = [&](int number) {
    WriteBatch batch;
    batch.Put(kLower + "a", std::to_string(number));
    batch.Put(kLower + "b", std::to_string(number));
    ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
  };
  write(0);
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      int seen = 0;
      while (!over) {
        const int acknowledged = written;
        Cursor cursor = store_->NewCursor(nullptr, kLower, kUpper);
        cursor.SeekToFirst();
        ASSERT_TRUE(cursor.Valid());
        const int first = std::stoi(std::string(cursor.value()));
        cursor.Next();
        ASSERT_TRUE(cursor.Valid());
        EXPECT_EQ(std::stoi(std::string(cursor.value())), first);
        cursor.Next();
        EXPECT_FALSE(cursor.Valid());
        EXPECT_GE(first, seen);
        EXPECT_GE(first, acknowledged);
        seen = first;
      }
    });
  }
  for (int number = 1; number <= kWrites; ++number) {
    write(number);
    written = number;
    if (number % 50 == 0) {
      std::this_thread::yield();
    }
  }
  over = true;
  for (std::thread& reader : readers) {
    reader.join();
  }
}

}  // namespace
}  // namespace stator::storage

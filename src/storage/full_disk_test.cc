// Real files that cannot grow, by a limit of the system: what a disk without space does to a store
// on the machine's own file system, in a program of its own.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "storage/store.h"
#include "storage/temporary_directory.h"

namespace stator::storage {
namespace {

constexpr int kWritesMax = 2000;

void Expect(bool holds, const std::string& what) {
  if (!holds) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::_Exit(1);
  }
}

// Lets no file grow beyond so many bytes; writing more fails instead of ending the program.
void LimitFiles(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  Expect(setrlimit(RLIMIT_FSIZE, &limit) == 0, "the limit cannot be set");
}

Result<void> Put(Store& store, int number) {
  WriteBatch batch;
  batch.Put("key" + std::to_string(number), std::string(1000, 'v'));
  return store.Write(std::move(batch));
}

bool Has(const Store& store, int number) {
  PinnedValue value;
  return store.Get("key" + std::to_string(number), value).value();
}

void ExpectHasExactly(const Store& store, int written) {
  for (int number = 0; number < written; ++number) {
    Expect(Has(store, number), "an acknowledged write is gone");
  }
  Expect(!Has(store, written), "a write that failed can be read");
}

// Ends the program with an error if anything is not as promised.
void FillTheDisk(Durability durability) {
  const TemporaryDirectory directory;
  const StoreOptions options = {.path = directory.path() + "/db",
                                .durability = durability,
                                .sync_interval = std::chrono::milliseconds(1)};
  std::unique_ptr<Store> store = Store::Open(options).value();
  LimitFiles(200'000);
  int written = 0;
  while (written < kWritesMax && Put(*store, written)) {
    ++written;
  }
  Expect(written > 100 && written < kWritesMax, "the limit has no effect");
  ExpectHasExactly(*store, written);
  LimitFiles(RLIM_INFINITY);
  Expect(!Put(*store, written), "a write was accepted after a failure");
  Expect(!store->Sync() && !store->Flush(), "a sync or a flush was accepted after a failure");
  Expect(!store->Close(), "closing has hidden the failure");
  store = Store::Open(options).value();
  ExpectHasExactly(*store, written);
  Expect(Put(*store, written).has_value(), "a write fails after the store was opened again");
}

void FillTheDiskAndExit(Durability durability) {
  FillTheDisk(durability);
  std::_Exit(0);
}

class FullDisk : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(FullDisk, StopsTheWritesOfADurableStoreOnly) {
  EXPECT_EXIT(FillTheDiskAndExit(Durability::kDurable), testing::ExitedWithCode(0), "");
}

TEST_F(FullDisk, StopsTheWritesOfARelaxedStoreOnly) {
  EXPECT_EXIT(FillTheDiskAndExit(Durability::kRelaxed), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace stator::storage

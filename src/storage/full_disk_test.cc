// Real files that cannot grow, or not be opened, by limits of the system: what a disk without space
// and a process without descriptors do to a store on the machine's own file system, in a program of
// its own.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
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

void SetLimit(__rlimit_resource what, rlim_t most) {
  rlimit limit{};
  getrlimit(what, &limit);
  limit.rlim_cur = std::min(most, limit.rlim_max);
  Expect(setrlimit(what, &limit) == 0, "the limit cannot be set");
}

// Lets no file grow beyond so many bytes; writing more fails instead of ending the program.
void LimitFiles(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  SetLimit(RLIMIT_FSIZE, bytes);
}

// Lets no further file be opened.
void LimitDescriptors() {
  const int next = dup(STDERR_FILENO);
  close(next);
  SetLimit(RLIMIT_NOFILE, static_cast<rlim_t>(next));
}

void AwaitWrites(const Store& store) {
  for (int tries = 0; tries < 10'000 && !store.Health(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const Result<void> health = store.Health();
  Expect(health.has_value(), health ? "" : health.error().message);
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
                                .sync_interval = std::chrono::milliseconds(1),
                                .watch_interval = std::chrono::milliseconds(1)};
  std::unique_ptr<Store> store = Store::Open(options).value();
  LimitFiles(200'000);
  int written = 0;
  while (written < kWritesMax && Put(*store, written)) {
    ++written;
  }
  Expect(written > 100 && written < kWritesMax, "the limit has no effect");
  ExpectHasExactly(*store, written);
  LimitFiles(RLIM_INFINITY);
  AwaitWrites(*store);
  ExpectHasExactly(*store, written);
  Expect(Put(*store, written).has_value(), "a write fails although there is room");
  Expect(store->Close().has_value(), "the store cannot be closed");
  store = Store::Open(options).value();
  ExpectHasExactly(*store, written + 1);
}

// A new log, or a table, cannot be opened.
void UseUpDescriptors(Durability durability) {
  const TemporaryDirectory directory;
  const StoreOptions options = {.path = directory.path() + "/db",
                                .durability = durability,
                                .write_buffer_bytes = 64 << 10,
                                .watch_interval = std::chrono::milliseconds(1)};
  std::unique_ptr<Store> store = Store::Open(options).value();
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  LimitDescriptors();
  int written = 0;
  while (written < kWritesMax && Put(*store, written)) {
    ++written;
  }
  Expect(written < kWritesMax, "the limit has no effect");
  SetLimit(RLIMIT_NOFILE, before.rlim_cur);
  AwaitWrites(*store);
  ExpectHasExactly(*store, written);
  const Result<void> put = Put(*store, written);
  Expect(put.has_value(),
         put ? "" : "a write fails although there are descriptors: " + put.error().message);
  Expect(store->Close().has_value(), "the store cannot be closed");
  store = Store::Open(options).value();
  ExpectHasExactly(*store, written + 1);
}

void FillTheDiskAndExit(Durability durability) {
  FillTheDisk(durability);
  std::_Exit(0);
}

void UseUpDescriptorsAndExit(Durability durability) {
  UseUpDescriptors(durability);
  std::_Exit(0);
}

class FullDisk : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(FullDisk, StopsADurableStoreUntilThereIsRoom) {
  EXPECT_EXIT(FillTheDiskAndExit(Durability::kDurable), testing::ExitedWithCode(0), "");
}

TEST_F(FullDisk, StopsARelaxedStoreUntilThereIsRoom) {
  EXPECT_EXIT(FillTheDiskAndExit(Durability::kRelaxed), testing::ExitedWithCode(0), "");
}

TEST_F(FullDisk, WithoutDescriptorsADurableStoreStopsUntilThereAreSome) {
  EXPECT_EXIT(UseUpDescriptorsAndExit(Durability::kDurable), testing::ExitedWithCode(0), "");
}

TEST_F(FullDisk, WithoutDescriptorsARelaxedStoreStopsUntilThereAreSome) {
  EXPECT_EXIT(UseUpDescriptorsAndExit(Durability::kRelaxed), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace stator::storage

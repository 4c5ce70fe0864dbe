// The cache of blobs: hits need no other store, damage is dropped, bytes are bounded, stores do not
// see each other's blobs.

#include "stator/blobs/cached_blobs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "stator/base/random.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

// Blobs in memory, which count what is asked of them.
struct Shelf {
  std::map<std::string, std::string> blobs;
  int reads = 0;
  bool is_down = false;
};

class ShelfBlobs final : public BlobStore {
 public:
  ShelfBlobs(Shelf& shelf, std::string place) : shelf_(&shelf), place_(std::move(place)) {}

  [[nodiscard]] std::string_view provider() const override { return "shelf"; }
  [[nodiscard]] std::string place() const override { return place_; }
  Result<void> Write(const std::string& key, std::string_view bytes) override {
    if (shelf_->is_down) {
      return Fail(ErrorCode::kUnavailable, "down");
    }
    shelf_->blobs[key] = bytes;
    return {};
  }
  Result<std::string> Read(const std::string& key) override {
    ++shelf_->reads;
    if (!shelf_->blobs.contains(key)) {
      return Fail(ErrorCode::kResourceNotFound, "none");
    }
    return shelf_->blobs[key];
  }
  Result<void> Remove(const std::string& key) override {
    shelf_->blobs.erase(key);
    return {};
  }
  Result<std::vector<BlobInfo>> Describe(const std::string& folder) override {
    return std::vector<BlobInfo>{{.key = folder}};
  }
  Result<std::size_t> RemoveUnfinished(TimePoint /*before*/) override { return 7; }

 private:
  Shelf* shelf_;
  std::string place_;
};

class CachedBlobsTest : public testing::Test {
 public:
  CachedBlobsTest(const CachedBlobsTest&) = delete;
  CachedBlobsTest& operator=(const CachedBlobsTest&) = delete;

 protected:
  CachedBlobsTest() = default;
  ~CachedBlobsTest() override {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  std::unique_ptr<BlobStore> Open(std::uint64_t bytes_max, const std::string& place = "p") {
    return *OpenCachedBlobs(std::make_unique<ShelfBlobs>(shelf_, place),
                            {.directory = directory_.string(), .bytes_max = bytes_max});
  }

  [[nodiscard]] std::vector<fs::path> Files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      if (entry.is_regular_file()) {
        files.push_back(entry.path());
      }
    }
    return files;
  }

  // Older than everything that is not aged.
  void Age(const std::string& key, int hours) const {
    for (const fs::path& file : Files()) {
      if (file.string().ends_with(key)) {
        fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(hours));
      }
    }
  }

  Shelf shelf_;
  fs::path directory_ = fs::temp_directory_path() / ("stator-cache-" + SystemRandom().Uuid());
};

TEST_F(CachedBlobsTest, ASecondReadNeedsNoOtherStore) {
  const std::string key = MakeBlobKey("svc/p", "abc");
  shelf_.blobs[key] = "abc";
  const auto blobs = Open(1000);
  EXPECT_EQ(*blobs->Read(key), "abc");
  EXPECT_EQ(*blobs->Read(key), "abc");
  EXPECT_EQ(shelf_.reads, 1);
  // Nor does another process.
  EXPECT_EQ(*Open(1000)->Read(key), "abc");
  EXPECT_EQ(shelf_.reads, 1);
}

TEST_F(CachedBlobsTest, WhatIsWrittenIsCachedOnlyAfterItIsStored) {
  const std::string key = MakeBlobKey("svc/p", "abc");
  const auto blobs = Open(1000);
  shelf_.is_down = true;
  EXPECT_EQ(blobs->Write(key, "abc").error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(Files().empty());
  shelf_.is_down = false;
  ASSERT_TRUE(blobs->Write(key, "abc").has_value());
  EXPECT_EQ(*blobs->Read(key), "abc");
  EXPECT_EQ(shelf_.reads, 0);
}

TEST_F(CachedBlobsTest, DamageIsDroppedAndFetchedAgain) {
  const std::string key = MakeBlobKey("svc/p", "abc");
  const auto blobs = Open(1000);
  ASSERT_TRUE(blobs->Write(key, "abc").has_value());
  std::ofstream(Files().front()) << "abd";
  EXPECT_EQ(*blobs->Read(key), "abc");
  EXPECT_EQ(shelf_.reads, 1);
  EXPECT_EQ(*blobs->Read(key), "abc");
  EXPECT_EQ(shelf_.reads, 1);
}

TEST_F(CachedBlobsTest, TheLeastRecentlyUsedGoWhenItIsFull) {
  const auto blobs = Open(1000);
  std::vector<std::string> keys;
  for (int number = 0; number < 10; ++number) {
    const std::string bytes(100, static_cast<char>('0' + number));
    keys.push_back(MakeBlobKey("svc/p", bytes));
    ASSERT_TRUE(blobs->Write(keys.back(), bytes).has_value());
    Age(keys.back(), 20 - number);
  }
  EXPECT_EQ(*blobs->Read(keys[0]), std::string(100, '0'));
  EXPECT_EQ(shelf_.reads, 0);
  const std::string more(100, 'x');
  ASSERT_TRUE(blobs->Write(MakeBlobKey("svc/p", more), more).has_value());
  std::uintmax_t bytes = 0;
  for (const fs::path& file : Files()) {
    bytes += fs::file_size(file);
  }
  EXPECT_LE(bytes, 1000U);
  EXPECT_EQ(*blobs->Read(keys[0]), std::string(100, '0'));
  EXPECT_EQ(shelf_.reads, 0);
  EXPECT_EQ(*blobs->Read(keys[1]), std::string(100, '1'));
  EXPECT_EQ(shelf_.reads, 1);
}

TEST_F(CachedBlobsTest, BlobsOfMoreBytesThanItMayHaveAreNotKept) {
  const std::string bytes(2000, 'x');
  const std::string key = MakeBlobKey("svc/p", bytes);
  const auto blobs = Open(1000);
  ASSERT_TRUE(blobs->Write(key, bytes).has_value());
  EXPECT_TRUE(Files().empty());
  EXPECT_EQ(*blobs->Read(key), bytes);
}

TEST_F(CachedBlobsTest, WhatIsRemovedIsNotInTheCache) {
  const std::string key = MakeBlobKey("svc/p", "abc");
  const auto blobs = Open(1000);
  ASSERT_TRUE(blobs->Write(key, "abc").has_value());
  ASSERT_TRUE(blobs->Remove(key).has_value());
  EXPECT_EQ(blobs->Read(key).error().code, ErrorCode::kResourceNotFound);
}

TEST_F(CachedBlobsTest, APathIsTheSameForTheSameStoreAndKeyAndAnotherForOthers) {
  const std::string key = MakeBlobKey("svc/p", "abc");
  ASSERT_TRUE(Open(1000, "one")->Write(key, "abc").has_value());
  const std::vector<fs::path> first = Files();
  ASSERT_TRUE(Open(1000, "one")->Write(key, "abc").has_value());
  EXPECT_EQ(Files(), first);
  shelf_.blobs.clear();
  EXPECT_EQ(Open(1000, "two")->Read(key).error().code, ErrorCode::kResourceNotFound);
  ASSERT_TRUE(Open(1000, "two")->Write(key, "abc").has_value());
  EXPECT_EQ(Files().size(), 2U);
}

TEST_F(CachedBlobsTest, EverythingElseIsAskedOfTheOtherStore) {
  const auto blobs = Open(1000, "there");
  EXPECT_EQ(blobs->provider(), "shelf");
  EXPECT_EQ(blobs->place(), "there");
  EXPECT_EQ(*blobs->List("x"), std::vector<std::string>{"x"});
  EXPECT_EQ(*blobs->RemoveUnfinished({}), 7U);
}

}  // namespace
}  // namespace stator

// Keys of blobs, and blobs in files: what was written is read, damage is noticed, nothing
// unfinished is ever under a key.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "stator/base/random.h"
#include "stator/blobs/blob_store.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

class FileBlobsTest : public testing::Test {
 public:
  FileBlobsTest(const FileBlobsTest&) = delete;
  FileBlobsTest& operator=(const FileBlobsTest&) = delete;

 protected:
  FileBlobsTest()
      : directory_(fs::temp_directory_path() / ("stator-blobs-" + SystemRandom().Uuid())),
        blobs_(*OpenFileBlobs(directory_.string())) {}
  ~FileBlobsTest() override {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  fs::path directory_;
  std::unique_ptr<BlobStore> blobs_;
};

TEST(BlobKeys, NameTheDigestAndKeepFoldersInside) {
  EXPECT_EQ(MakeBlobKey("svc/p/v1", "abc"),
            "svc/p/v1/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.bin");
  for (const char* folder : {"../..", ".hidden/x", "a b/ü", "a/./b", "a:b/c.d"}) {
    const std::string key = MakeBlobKey(folder, "abc");
    EXPECT_TRUE(IsBlobKey(key)) << key;
    EXPECT_EQ(fs::path(key).lexically_normal().generic_string(), key);
  }
  const std::string digest(64, 'a');
  for (const std::string& key :
       {std::string("x.bin"), digest + ".bin", "../" + digest + ".bin", "/a/" + digest + ".bin",
        "a//b/" + digest + ".bin", "a/" + digest, "a/" + digest.substr(1) + ".bin"}) {
    EXPECT_FALSE(IsBlobKey(key)) << key;
  }
}

TEST_F(FileBlobsTest, GivesBackWhatWasWritten) {
  for (const std::string& bytes :
       {std::string(), std::string("abc"), std::string(3'000'000, 'x')}) {
    const std::string key = MakeBlobKey("svc/p", bytes);
    ASSERT_TRUE(blobs_->Write(key, bytes).has_value());
    ASSERT_TRUE(blobs_->Write(key, bytes).has_value());
    EXPECT_EQ(*blobs_->Read(key), bytes);
  }
}

TEST_F(FileBlobsTest, MissingBlobsAreNotFound) {
  const std::string key = MakeBlobKey("svc/p", "abc");
  EXPECT_EQ(blobs_->Read(key).error().code, ErrorCode::kResourceNotFound);
  EXPECT_TRUE(blobs_->Remove(key).has_value());
  ASSERT_TRUE(blobs_->Write(key, "abc").has_value());
  EXPECT_TRUE(blobs_->Remove(key).has_value());
  EXPECT_EQ(blobs_->Read(key).error().code, ErrorCode::kResourceNotFound);
}

TEST_F(FileBlobsTest, DamageIsNoticed) {
  const std::string key = MakeBlobKey("svc/p", "abc");
  ASSERT_TRUE(blobs_->Write(key, "abc").has_value());
  std::ofstream(directory_ / key) << "abd";
  EXPECT_EQ(blobs_->Read(key).error().code, ErrorCode::kCorruption);
}

TEST_F(FileBlobsTest, ListsAFolderWithoutUnfinishedFiles) {
  const std::string one = MakeBlobKey("svc/p", "1");
  const std::string two = MakeBlobKey("svc/q", "2");
  const std::string other = MakeBlobKey("svc2/p", "3");
  for (const auto& [key, bytes] : {std::pair{one, "1"}, {two, "2"}, {other, "3"}}) {
    ASSERT_TRUE(blobs_->Write(key, bytes).has_value());
  }
  std::ofstream(directory_ / (one + ".x.unfinished")) << "half";
  EXPECT_EQ(*blobs_->List("svc"), (std::vector<std::string>{one, two}));
}

TEST_F(FileBlobsTest, UnusedBlobsAreRemovedWhenTheyAreOld) {
  const std::string used = MakeBlobKey("svc/p", "1");
  const std::string fresh = MakeBlobKey("svc/p", "2");
  const std::string old = MakeBlobKey("svc/p", "3");
  for (const auto& [key, bytes] : {std::pair{used, "1"}, {fresh, "2"}, {old, "3"}}) {
    ASSERT_TRUE(blobs_->Write(key, bytes).has_value());
  }
  const TimePoint written = (*blobs_->Describe("svc/p")).front().written_at;
  for (const std::string& key : {used, old}) {
    fs::last_write_time(directory_ / key,
                        fs::last_write_time(directory_ / key) - std::chrono::hours(2));
  }
  EXPECT_EQ(*RemoveUnusedBlobs(*blobs_, "svc", {used}, written - std::chrono::hours(1)), 1U);
  std::vector<std::string> left{used, fresh};
  std::sort(left.begin(), left.end());
  EXPECT_EQ(*blobs_->List("svc"), left);
  // Writing again what is there begins its age anew.
  ASSERT_TRUE(blobs_->Write(used, "1").has_value());
  EXPECT_EQ(*RemoveUnusedBlobs(*blobs_, "svc", {}, written - std::chrono::hours(1)), 0U);
}

TEST_F(FileBlobsTest, WhatWritersLeftBehindIsRemoved) {
  const std::string key = MakeBlobKey("svc/p", "1");
  ASSERT_TRUE(blobs_->Write(key, "1").has_value());
  const fs::path left = directory_ / (key + ".x.unfinished");
  std::ofstream(left) << "half";
  const TimePoint written = blobs_->Describe("svc")->front().written_at;
  EXPECT_EQ(*blobs_->RemoveUnfinished(written - std::chrono::hours(1)), 0U);
  EXPECT_EQ(*blobs_->RemoveUnfinished(written + std::chrono::hours(1)), 1U);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(*blobs_->Read(key), "1");
}

TEST_F(FileBlobsTest, RefusesOtherKeys) {
  EXPECT_EQ(blobs_->Write(MakeBlobKey("svc/p", "x"), "y").error().code, ErrorCode::kValidation);
  EXPECT_EQ(blobs_->List("../..").error().code, ErrorCode::kValidation);
  EXPECT_EQ(blobs_->Write("../escape", "x").error().code, ErrorCode::kValidation);
  EXPECT_EQ(blobs_->Read("../escape").error().code, ErrorCode::kValidation);
  EXPECT_EQ(blobs_->Remove("../escape").error().code, ErrorCode::kValidation);
}

}  // namespace
}  // namespace stator

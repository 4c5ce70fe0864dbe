#include "bulk/file_bucket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace stator::bulk {
namespace {

namespace fs = std::filesystem;

class FileBucketTest : public testing::Test {
 protected:
  FileBucketTest() : root_(fs::temp_directory_path() / ("stator-" + SystemRandom().Uuid())) {}
  ~FileBucketTest() override { fs::remove_all(root_); }

  const fs::path root_;
  BucketFolder folder_{root_ / "buckets"};
};

TEST_F(FileBucketTest, WhatIsPutIsReadAndListed) {
  const auto bucket = folder_.Open("things").value();
  EXPECT_EQ(bucket->List("", 10).error().code, ErrorCode::kResourceNotFound);
  EXPECT_EQ(bucket->Put("a/b/x", "1234").value(), "00e4595eafdabb56b49cbf810aadd5aa-1");
  ASSERT_TRUE(bucket->Put("a/c", "").has_value());
  ASSERT_TRUE(bucket->Put("ab", "5").has_value());
  ASSERT_TRUE(bucket->Put("ab", "67").has_value());
  EXPECT_EQ(bucket->Read("a/b/x", 1, 2).value(), "23");
  EXPECT_EQ(bucket->Read("a/b/x", 4, 2).value(), "");
  EXPECT_EQ(bucket->Read("nowhere", 0, 1).error().code, ErrorCode::kResourceNotFound);
  using Objects = std::vector<Object>;
  EXPECT_EQ(bucket->List("", 10).value(), (Objects{{"a/b/x", 4}, {"a/c", 0}, {"ab", 2}}));
  EXPECT_EQ(bucket->List("a/", 10).value(), (Objects{{"a/b/x", 4}, {"a/c", 0}}));
  EXPECT_EQ(bucket->List("a", 10).value().size(), 3U);
  EXPECT_EQ(bucket->List("a/b/x", 10).value().size(), 1U);
  EXPECT_EQ(bucket->List("z/", 10).value().size(), 0U);
  EXPECT_EQ(bucket->List("", 2).error().code, ErrorCode::kLimitExceeded);
}

TEST_F(FileBucketTest, NothingLeadsOut) {
  ASSERT_TRUE(folder_.Open("things").value()->Put("x", "1").has_value());
  std::ofstream(root_ / "secret") << "secret";
  const std::string zero("a\0b", 3);
  for (const std::string& name : {std::string(".."), std::string("."), std::string("a/b"),
                                  std::string("../x"), std::string(""), zero}) {
    EXPECT_EQ(folder_.Open(name).error().code, ErrorCode::kAccessDenied) << name;
  }
  const auto bucket = folder_.Open("things").value();
  for (const std::string& key :
       {std::string("../../secret"), std::string("/etc/passwd"), std::string("a/../../../secret"),
        std::string("a//b"), std::string("./x"), std::string("a/"), std::string(".."), zero}) {
    EXPECT_EQ(bucket->Put(key, "x").error().code, ErrorCode::kAccessDenied) << key;
    EXPECT_EQ(bucket->Read(key, 0, 9).error().code, ErrorCode::kAccessDenied) << key;
  }
  EXPECT_EQ(bucket->List("../", 10).error().code, ErrorCode::kAccessDenied);
  EXPECT_EQ(bucket->List("a/../../", 10).error().code, ErrorCode::kAccessDenied);
  EXPECT_EQ(bucket->List("..", 10).value().size(), 0U);
  // Nor does a link that somebody put there.
  fs::create_symlink(root_ / "secret", root_ / "buckets" / "things" / "link");
  EXPECT_FALSE(bucket->Read("link", 0, 9).has_value());
  EXPECT_EQ(bucket->List("", 10).value().size(), 1U);
  // What was begun and not finished is no object.
  std::ofstream(root_ / "buckets" / "things" / "y.stator-unfinished") << "half";
  EXPECT_EQ(bucket->List("", 10).value().size(), 1U);
}

TEST_F(FileBucketTest, ATemporaryFolderGoesAwayWithWhatIsInIt) {
  const std::uint64_t seed = SystemRandom().Next();
  SeededRandom random(seed);
  const fs::path made = fs::temp_directory_path() / ("stator-buckets-" + SeededRandom(seed).Uuid());
  {
    BucketFolder folder(random);
    EXPECT_FALSE(fs::exists(made));
    ASSERT_TRUE(folder.Open("things").value()->Put("a/b", "x").has_value());
    EXPECT_EQ(folder.Open("things").value()->Read("a/b", 0, 9).value(), "x");
    EXPECT_TRUE(fs::exists(made));
  }
  EXPECT_FALSE(fs::exists(made));
}

}  // namespace
}  // namespace stator::bulk

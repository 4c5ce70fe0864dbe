// What open.h promises: each form of location, what survives closing, and clear refusals.

#include "stator/home/open.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "stator/stator.h"

namespace stator {
namespace {

class OpenTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        std::filesystem::path(testing::TempDir()) / ("stator_open_" + SystemRandom().Uuid());
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  static void MakeTable(Database& database) {
    ASSERT_TRUE(database.CreateTable({
        .table_name = "tasks",
        .attribute_definitions = {{"pk", ScalarAttributeType::kString}},
        .key_schema = {{"pk", KeyType::kHash}},
        .billing_mode = BillingMode::kPayPerRequest,
    }));
  }

  std::filesystem::path directory_;
};

TEST_F(OpenTest, MemoryKeepsItemsWhileItIsOpen) {
  const auto database = Open("memory:");
  ASSERT_TRUE(database) << database.error().message;
  MakeTable(**database);
  ASSERT_TRUE((*database)->PutItem({.table_name = "tasks", .item = {{"pk", "a"}, {"n", 3}}}));
  const auto read = (*database)->GetItem({.table_name = "tasks", .key = {{"pk", "a"}}});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->item, (Item{{"pk", "a"}, {"n", 3}}));
}

TEST_F(OpenTest, ADirectoryKeepsItemsAfterClosing) {
  const std::string location = "file:" + directory_.string();
  {
    const auto database = Open(location);
    ASSERT_TRUE(database) << database.error().message;
    MakeTable(**database);
    ASSERT_TRUE((*database)->PutItem({.table_name = "tasks", .item = {{"pk", "a"}}}));
  }
  const auto again = Open(directory_.string());
  ASSERT_TRUE(again) << again.error().message;
  const auto read = (*again)->GetItem({.table_name = "tasks", .key = {{"pk", "a"}}});
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->item.has_value());
}

// As docs/operations.md promises.
TEST_F(OpenTest, ACopyOfADirectoryThatNobodyHasOpenIsABackup) {
  const auto original = directory_ / "original";
  const auto backup = directory_ / "backup";
  {
    const auto database = Open(original.string());
    ASSERT_TRUE(database) << database.error().message;
    MakeTable(**database);
    ASSERT_TRUE((*database)->PutItem({.table_name = "tasks", .item = {{"pk", "before"}}}));
  }
  std::filesystem::copy(original, backup, std::filesystem::copy_options::recursive);
  const auto database = Open(original.string());
  ASSERT_TRUE(database) << database.error().message;
  ASSERT_TRUE((*database)->DeleteItem({.table_name = "tasks", .key = {{"pk", "before"}}}));
  ASSERT_TRUE((*database)->PutItem({.table_name = "tasks", .item = {{"pk", "after"}}}));
  const auto restored = Open(backup.string(), {.create_if_missing = false});
  ASSERT_TRUE(restored) << restored.error().message;
  const auto scanned = (*restored)->Scan({.table_name = "tasks"});
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(scanned->items, (std::vector<Item>{{{"pk", "before"}}}));
}

TEST_F(OpenTest, ADirectoryThatIsInUseIsRefused) {
  const auto first = Open(directory_.string());
  ASSERT_TRUE(first) << first.error().message;
  const auto second = Open(directory_.string());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kIo);
  EXPECT_NE(second.error().message.find("in use"), std::string::npos) << second.error().message;
}

TEST_F(OpenTest, ADirectoryIsNotMadeByWhoeverOnlyLooks) {
  const auto missing = Open(directory_.string(), {.create_if_missing = false});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "there is no Stator database in \"" + directory_.string() + "\"");
  EXPECT_FALSE(std::filesystem::exists(directory_));
  {
    ASSERT_TRUE(Open(directory_.string()));
  }
  EXPECT_TRUE(Open(directory_.string(), {.create_if_missing = false}));
  EXPECT_TRUE(Open("memory:", {.create_if_missing = false}));
}

TEST_F(OpenTest, RemoteEndpointsAreOpenedWithoutAskingThem) {
  for (const char* location : {"http://127.0.0.1:1", "https://example.org/", "aws:us-east-1"}) {
    const auto database = Open(location);
    EXPECT_TRUE(database) << database.error().message;
  }
}

TEST_F(OpenTest, AnEndpointThatIsNotThereIsUnavailable) {
  OpenOptions options;
  options.client.attempts_max = 1;
  const auto database = Open("http://127.0.0.1:1", options);
  ASSERT_TRUE(database) << database.error().message;
  const auto listed = (*database)->ListTables({});
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::kUnavailable) << listed.error().message;
}

TEST_F(OpenTest, LocationsThatMeanNothingAreRefused) {
  for (const char* location : {"", "file:", "http://", "https:///path", "aws:not a region"}) {
    const auto database = Open(location);
    ASSERT_FALSE(database) << location;
    EXPECT_EQ(database.error().code, ErrorCode::kValidation) << location;
  }
}

}  // namespace
}  // namespace stator

// A copy of a database is what the database was, also while somebody writes to it.

#include "engine/copy_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "engine/sample_database.h"
#include "storage/temporary_directory.h"

namespace stator::engine {
namespace {

using testing::HasSubstr;

class CopyDatabaseTest : public testing::Test {
 protected:
  std::unique_ptr<Engine> Open(const std::string& path) {
    return Must(Engine::Open(environment_.Options({.path = path})));
  }
  static std::int64_t CountOf(Engine& engine, const std::string& table) {
    return Must(engine.Scan({.table_name = table, .select = Select::kCount})).count;
  }
  // The failure's words.
  static std::string Refusal(const Result<CheckReport>& report) {
    EXPECT_FALSE(report.has_value());
    return report ? "" : report.error().message;
  }

  const storage::TemporaryDirectory directory_;
  const std::string data_ = directory_.path() + "/data";
  const std::string copy_ = directory_.path() + "/copy";
  SampleEnvironment environment_;
};

TEST_F(CopyDatabaseTest, HasEveryKindOfRow) {
  {
    const std::unique_ptr<Engine> engine = Open(data_);
    FillSample(*engine);
    Must(engine->UpdateContinuousBackups(
        {.table_name = "orders", .point_in_time_recovery_specification = {.enabled = true}}));
    Must(engine->PutItem({.table_name = "orders", .item = {{"customer", "new"}, {"number", 1}}}));
    Must(engine->CreateBackup({.table_name = "files", .backup_name = "daily"}));
  }
  const CheckReport original = Must(CheckDatabase({.path = data_}));
  const CheckReport copied = Must(CopyDatabase(data_, copy_));
  EXPECT_TRUE(copied.clean());
  EXPECT_EQ(copied.items, original.items);
  EXPECT_EQ(copied.index_entries, original.index_entries);
  EXPECT_EQ(copied.stream_records, original.stream_records);
  EXPECT_EQ(copied.tokens, original.tokens);
  EXPECT_EQ(copied.undo_rows, 1U);
  EXPECT_EQ(copied.backups, 1U);
  EXPECT_FALSE(std::filesystem::exists(copy_ + ".unfinished"));
  // Back, into a directory that is there and empty.
  std::filesystem::remove_all(data_);
  std::filesystem::create_directory(data_);
  EXPECT_EQ(Must(CopyDatabase(copy_, data_)).items, original.items);
  const std::unique_ptr<Engine> engine = Open(data_);
  EXPECT_EQ(CountOf(*engine, "orders"), 5);
}

TEST_F(CopyDatabaseTest, IsMadeWhileSomebodyWrites) {
  const std::unique_ptr<Engine> engine = Open(data_);
  FillSample(*engine);
  const std::int64_t before = CountOf(*engine, "files");
  std::atomic<bool> enough = false;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    while (!enough) {
      Must(engine->PutItem(
          {.table_name = "files", .item = {{"digest", Binary{std::to_string(written)}}}}));
      ++written;
    }
  });
  while (written < 20) {
    std::this_thread::yield();
  }
  const int acknowledged = written;
  const Result<CheckReport> copied = CopyDatabase(data_, copy_);
  enough = true;
  writer.join();
  ASSERT_TRUE(copied.has_value()) << copied.error().message;
  EXPECT_TRUE(copied->clean());
  const std::unique_ptr<Engine> of_copy = Open(copy_);
  EXPECT_GE(CountOf(*of_copy, "files"), before + acknowledged);
  EXPECT_LE(CountOf(*of_copy, "files"), CountOf(*engine, "files"));
}

TEST_F(CopyDatabaseTest, NeverWritesOverAnything) {
  Open(data_);
  std::filesystem::create_directory(copy_);
  std::ofstream(copy_ + "/notes.txt") << "mine";
  EXPECT_THAT(Refusal(CopyDatabase(data_, copy_)), HasSubstr("is there and not empty"));
  EXPECT_TRUE(std::filesystem::exists(copy_ + "/notes.txt"));
  EXPECT_FALSE(CopyDatabase(directory_.path() + "/nowhere", directory_.path() + "/other"));
  EXPECT_FALSE(std::filesystem::exists(directory_.path() + "/other"));
  EXPECT_FALSE(std::filesystem::exists(directory_.path() + "/other.unfinished"));
}

TEST_F(CopyDatabaseTest, OfADamagedOneIsNotMade) {
  {
    const std::unique_ptr<Engine> engine = Open(data_);
    FillSample(*engine);
  }
  {
    const std::unique_ptr<storage::Store> store = Must(storage::Store::Open({.path = data_}));
    storage::WriteBatch batch;
    batch.Put("\x10rubbish", "more");
    ASSERT_TRUE(store->Write(std::move(batch)).has_value());
  }
  EXPECT_THAT(Refusal(CopyDatabase(data_, copy_)), HasSubstr("is damaged, and was not copied"));
  EXPECT_FALSE(std::filesystem::exists(copy_));
}

}  // namespace
}  // namespace stator::engine

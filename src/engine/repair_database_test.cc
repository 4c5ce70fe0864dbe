// Saving what can be read: of every damage that is tried, a new directory that agrees with itself,
// with every item that was not in the damaged place.

#include "engine/repair_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "engine/sample_database.h"
#include "storage/temporary_directory.h"

namespace stator::engine {
namespace {

namespace fs = std::filesystem;

constexpr int kItems = 400;

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class RepairDatabaseTest : public testing::Test {
 protected:
  // A database whose items are in its log, as a killed process leaves it.
  void SetUp() override {
    const std::string live = directory_.path() + "/live";
    const auto engine = Must(Engine::Open(environment_.Options({.path = live})));
    CreateTableInput orders = SampleOrders();
    orders.table_name = "first";
    Must(engine->CreateTable(orders));
    Must(engine->UpdateTimeToLive(
        {.table_name = "first",
         .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}));
    engine->AwaitBackgroundJobs();
    for (int number = 0; number < kItems; ++number) {
      Put(*engine, number);
    }
    fs::copy(live, path_);
  }

  static void Put(Engine& engine, int number) {
    Must(engine.PutItem({.table_name = "first",
                         .item = {{"customer", "c" + std::to_string(number % 7)},
                                  {"number", number},
                                  {"total", number * 2},
                                  {"city", "Bonn"},
                                  {"code", Binary{"x"}},
                                  {"expires", 2'000'000'000},
                                  {"filling", std::string(300, 'f')}}}));
  }

  // Everything in a table file, as a stop leaves it.
  void Stop() {
    const auto engine = Must(Engine::Open(environment_.Options({.path = path_})));
    ASSERT_TRUE(engine->Close().has_value());
  }

  [[nodiscard]] fs::path FileEndingIn(const std::string& ending) const {
    fs::path largest;
    for (const auto& entry : fs::directory_iterator(path_)) {
      if (entry.path().extension() == ending &&
          (largest.empty() || entry.file_size() > fs::file_size(largest))) {
        largest = entry.path();
      }
    }
    EXPECT_FALSE(largest.empty()) << ending;
    return largest;
  }

  static void Flip(const fs::path& path, std::size_t at) {
    std::string bytes = Read(path);
    bytes.at(at) = static_cast<char>(bytes.at(at) ^ 1);
    std::ofstream(path, std::ios::binary) << bytes;
  }

  RepairReport Repair() {
    std::vector<std::string> before = Names();
    RepairReport report = Must(RepairDatabase({.path = path_}, into_));
    EXPECT_EQ(Names(), before);
    EXPECT_FALSE(fs::exists(into_ + ".scratch"));
    EXPECT_THAT(report.check.problems.texts, testing::IsEmpty());
    EXPECT_THAT(report.check.warnings.texts, testing::IsEmpty());
    EXPECT_THAT(report.check.notes.texts, testing::IsEmpty());
    // Every item is in all three indexes and expires.
    EXPECT_EQ(report.check.expiry_rows, report.check.items);
    EXPECT_EQ(report.check.index_entries, 3 * report.check.items);
    return report;
  }

  [[nodiscard]] std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  SampleEnvironment environment_;
  const storage::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/damaged";
  const std::string into_ = directory_.path() + "/saved";
};

TEST_F(RepairDatabaseTest, OfAWholeDirectoryIsACopy) {
  const RepairReport report = Repair();
  EXPECT_THAT(report.losses, testing::IsEmpty());
  EXPECT_EQ(report.check.items, kItems);
  EXPECT_EQ(report.gaps, 0U);
  EXPECT_EQ(report.left_out, 0U);
  const auto engine = Must(Engine::Open(environment_.Options({.path = into_})));
  EXPECT_EQ(Must(engine->Scan({.table_name = "first"})).count, kItems);
  Put(*engine, kItems);
}

TEST_F(RepairDatabaseTest, EndsWhereTheLogIsDamaged) {
  const fs::path log = FileEndingIn(".log");
  Flip(log, fs::file_size(log) / 2);
  EXPECT_FALSE(Engine::Open(environment_.Options({.path = path_})).has_value());
  const RepairReport report = Repair();
  EXPECT_EQ(report.losses.size(), 1U);
  EXPECT_GT(report.check.items, kItems / 3);
  EXPECT_LT(report.check.items, kItems);
}

TEST_F(RepairDatabaseTest, GoesAroundADamagedBlock) {
  Stop();
  const fs::path table = FileEndingIn(".sst");
  Flip(table, fs::file_size(table) / 20);  // items come before what follows from them
  const RepairReport report = Repair();
  EXPECT_EQ(report.gaps, 1U);
  EXPECT_GT(report.check.items, kItems / 2);
  EXPECT_LT(report.check.items, kItems);
}

TEST_F(RepairDatabaseTest, NeedsNoListOfTables) {
  Stop();
  for (const auto& name : Names()) {
    if (name.starts_with("MANIFEST") || name == "CURRENT" || name == "STATOR") {
      fs::remove(fs::path(path_) / name);
    }
  }
  EXPECT_FALSE(Engine::Open(environment_.Options({.path = path_})).has_value());
  const RepairReport report = Repair();
  EXPECT_EQ(report.losses.size(), 1U);
  EXPECT_EQ(report.check.items, kItems);
}

TEST_F(RepairDatabaseTest, WritesOverNothing) {
  fs::create_directory(into_);
  std::ofstream(fs::path(into_) / "photo.jpg") << "mine";
  EXPECT_FALSE(RepairDatabase({.path = path_}, into_).has_value());
  EXPECT_EQ(Read(fs::path(into_) / "photo.jpg"), "mine");
}

TEST_F(RepairDatabaseTest, OfNothingIsRefused) {
  EXPECT_FALSE(RepairDatabase({.path = directory_.path() + "/none"}, into_).has_value());
  EXPECT_FALSE(fs::exists(into_));
}

// The row with the format version is written first, so a store that has others has lost it.
TEST_F(RepairDatabaseTest, AStoreWithoutAFormatVersionIsRefused) {
  {
    const auto store = Must(storage::Store::Open({.path = path_}));
    storage::WriteBatch batch;
    batch.Delete(keyspace::FormatVersionKey());
    ASSERT_TRUE(store->Write(std::move(batch)).has_value());
  }
  const auto engine = Engine::Open(environment_.Options({.path = path_}));
  ASSERT_FALSE(engine.has_value());
  EXPECT_EQ(engine.error().code, ErrorCode::kCorruption);
  EXPECT_THAT(engine.error().message, testing::HasSubstr("--repair-into"));
  EXPECT_EQ(Repair().check.items, kItems);
}

}  // namespace
}  // namespace stator::engine

// For tests: two homes in memory, and a table in each.

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "copy/compare_tables.h"
#include "copy/copy_items.h"
#include "copy/follow_changes.h"
#include "copy/side.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/home/open.h"

namespace stator::copy {

class CopiedTables : public testing::Test {
 protected:
  static std::unique_ptr<Database> OpenHome() {
    return Open("memory:", {.housekeeping_interval = std::chrono::milliseconds(0)}).value();
  }

  // With a partition key of this name, and a sort key if one is named.
  static void MakeTable(Database& database, const std::string& name, const std::string& partition,
                        const std::string& sort = {},
                        std::optional<StreamViewType> stream = std::nullopt) {
    CreateTableInput input;
    input.table_name = name;
    input.billing_mode = BillingMode::kPayPerRequest;
    input.key_schema = {{partition, KeyType::kHash}};
    input.attribute_definitions = {{partition, ScalarAttributeType::kString}};
    if (!sort.empty()) {
      input.key_schema.push_back({sort, KeyType::kRange});
      input.attribute_definitions.push_back({sort, ScalarAttributeType::kNumber});
    }
    if (stream) {
      input.stream_specification = {.stream_enabled = true, .stream_view_type = stream};
    }
    const auto made = database.CreateTable(input);
    ASSERT_TRUE(made.has_value()) << made.error().message;
  }

  static void Put(Database& database, const std::string& table, Item item) {
    const auto put = database.PutItem({.table_name = table, .item = std::move(item)});
    ASSERT_TRUE(put.has_value()) << put.error().message;
  }

  static Side Look(Database& database, const std::string& table) {
    Result<Side> side = LookAt(database, table);
    EXPECT_TRUE(side.has_value()) << side.error().message;
    return *std::move(side);
  }

  static CopyState Beginning(std::size_t segments) {
    return {.subject = "test",
            .begun = SystemClock().Now(),
            .segments = std::vector<SegmentState>(segments)};
  }

  static void ExpectSame(const Side& from, const Side& to, std::uint64_t items) {
    const Result<CompareReport> report = CompareTables(from, to);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_TRUE(report->is_same()) << (report->examples.empty() ? "" : report->examples[0]);
    EXPECT_EQ(report->items, items);
  }

  std::unique_ptr<Database> old_home_ = OpenHome();
  std::unique_ptr<Database> new_home_ = OpenHome();
};

}  // namespace stator::copy

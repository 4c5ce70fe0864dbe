// What capacity.h promises: steps of 4 KB and 1 KB, reports in the three degrees of detail.

#include "engine/capacity.h"

#include <gtest/gtest.h>

namespace stator::engine {
namespace {

Index MakeIndex(const std::string& name, bool global) {
  Index index;
  index.name = name;
  index.global = global;
  return index;
}

TEST(Capacity, ReadsAreCountedInStepsOfFourKilobytes) {
  EXPECT_EQ(ReadUnits(0, true), 1.0);
  EXPECT_EQ(ReadUnits(4096, true), 1.0);
  EXPECT_EQ(ReadUnits(4097, true), 2.0);
  EXPECT_EQ(ReadUnits(4097, false), 1.0);
  EXPECT_EQ(ReadUnits(1, false), 0.5);
}

TEST(Capacity, WritesAreCountedInStepsOfOneKilobyte) {
  EXPECT_EQ(WriteUnits(0), 1.0);
  EXPECT_EQ(WriteUnits(1024), 1.0);
  EXPECT_EQ(WriteUnits(1025), 2.0);
}

TEST(Capacity, NothingIsReportedUnlessAskedFor) {
  Usage usage("t", Usage::Kind::kWrite);
  usage.AddTable(1);
  EXPECT_FALSE(usage.Report(ReturnConsumedCapacity::kNone));
}

TEST(Capacity, TotalAddsTheIndexesAndIndexesShowsThem) {
  Usage usage("t", Usage::Kind::kWrite);
  usage.AddTable(1);
  usage.AddIndex(MakeIndex("g", true), 2);
  usage.AddIndex(MakeIndex("l", false), 3);
  usage.AddIndex(MakeIndex("g", true), 1);
  EXPECT_EQ(usage.Report(ReturnConsumedCapacity::kTotal),
            (ConsumedCapacity{.table_name = "t", .capacity_units = 7}));
  EXPECT_EQ(usage.Report(ReturnConsumedCapacity::kIndexes),
            (ConsumedCapacity{.table_name = "t",
                              .capacity_units = 7,
                              .table = Capacity{.capacity_units = 1},
                              .local_secondary_indexes = {{"l", {.capacity_units = 3}}},
                              .global_secondary_indexes = {{"g", {.capacity_units = 3}}}}));
}

TEST(Capacity, TransactionsCostDoubleAndTellReadsFromWrites) {
  Usage usage("t", Usage::Kind::kRead);
  usage.AddTable(1.5);
  const auto report = usage.ReportTransaction(ReturnConsumedCapacity::kTotal);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->capacity_units, 3.0);
  EXPECT_EQ(report->read_capacity_units, 3.0);
  EXPECT_FALSE(report->write_capacity_units);
}

}  // namespace
}  // namespace stator::engine

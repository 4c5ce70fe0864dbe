// What arn.h promises: names of resources, and table names out of them.

#include "engine/arn.h"

#include <gtest/gtest.h>

namespace stator::engine {
namespace {

TEST(Arn, NamesTablesIndexesAndStreams) {
  const std::string table = TableArn({.region = "eu-west-1", .id = "123456789012"}, "tasks");
  EXPECT_EQ(table, "arn:aws:dynamodb:eu-west-1:123456789012:table/tasks");
  EXPECT_EQ(IndexArn(table, "by_time"), table + "/index/by_time");
  EXPECT_EQ(StreamArn(table, "2026-11-15T00:00:00.000"), table + "/stream/2026-11-15T00:00:00.000");
}

TEST(Arn, ATableMayBeGivenByNameOrByArn) {
  EXPECT_EQ(TableNameFrom("tasks"), "tasks");
  EXPECT_EQ(TableNameFrom("arn:aws:dynamodb:us-east-1:000000000000:table/tasks"), "tasks");
}

TEST(Arn, AnArnOfSomethingElseIsNoTable) {
  EXPECT_FALSE(TableNameFrom("arn:aws:s3:::bucket"));
  EXPECT_FALSE(TableNameFrom("arn:aws:s3:us-east-1:000000000000:table/tasks"));
  EXPECT_FALSE(TableNameFrom("arn::table/tasks"));
  EXPECT_FALSE(TableNameFrom("arn:aws:dynamodb:us-east-1:000000000000:table/"));
  EXPECT_FALSE(TableNameFrom("arn:aws:dynamodb:us-east-1:000000000000:table/tasks/index/i"));
}

}  // namespace
}  // namespace stator::engine

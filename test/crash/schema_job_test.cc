// A power cut at every single write of every job (jobs.h). The engine that comes next finishes the job,
// and the checker finds nothing at any time.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/check_database.h"
#include "inspect.h"
#include "jobs.h"
#include "machine.h"
#include "workload.h"

namespace stator::crash {
namespace {

constexpr std::uint64_t kWritesMax = 500;

// Whether the job was done before the disk failed at write number `writes`.
bool CutAt(const Job& job, std::uint64_t writes) {
  Machine machine(writes);
  machine.set_going_back(job.going_back);
  machine.set_walks(kJobWalks);
  machine.set_receiver(job.receiver);
  EXPECT_TRUE(machine.Start().has_value());
  EXPECT_TRUE(CreateTables(machine.engine()).has_value());
  EXPECT_TRUE(FillOrders(machine.engine()).has_value());
  machine.engine().AwaitBackgroundJobs();
  EXPECT_TRUE(job.prepare(machine.engine()).has_value());
  machine.engine().AwaitBackgroundJobs();

  machine.Advance(job.later);
  machine.disk().FailWritesAfter(writes);
  const bool acknowledged = job.request(machine.engine()).has_value();
  machine.engine().AwaitBackgroundJobs();
  const bool healthy = machine.engine().Health().has_value();
  EXPECT_TRUE(!healthy || (acknowledged && job.is_done(machine.engine())))
      << "acknowledged: " << acknowledged << ", failing behind write " << writes;
  machine.LosePower(nullptr);

  const auto problem = ProblemOnDisk(machine.StoreOptions());
  EXPECT_FALSE(problem.has_value()) << *problem;
  EXPECT_TRUE(machine.Start().has_value());
  EXPECT_TRUE(!job.is_all_or_nothing || job.is_all_or_nothing(machine.engine()));
  machine.engine().AwaitBackgroundJobs();
  // What was asked for but not acknowledged may have happened or not.
  EXPECT_TRUE(!acknowledged || job.is_done(machine.engine()));
  if (job.afterwards) {
    const Result<void> good = job.afterwards(machine.engine());
    EXPECT_TRUE(good.has_value()) << good.error().message;
  }
  machine.Stop();
  const auto left = ProblemOrJobOnDisk(machine.StoreOptions());
  EXPECT_FALSE(left.has_value()) << *left;
  return healthy;
}

class SchemaJobTest : public testing::TestWithParam<Job> {};

INSTANTIATE_TEST_SUITE_P(, SchemaJobTest, testing::ValuesIn(Jobs()),
                         [](const auto& each) { return TestNameOf(each.param); });

TEST_P(SchemaJobTest, IsFinishedAfterACutAtAnyOfItsWrites) {
  std::uint64_t writes = 0;
  while (!CutAt(GetParam(), writes)) {
    ASSERT_FALSE(HasFailure()) << "at write " << writes;
    ASSERT_LT(++writes, kWritesMax);
  }
  EXPECT_GE(writes, 2U);
}

// Writers that change and delete items while a job walks over them.
TEST_P(SchemaJobTest, FitsWhatIsWrittenMeanwhile) {
  const Job& job = GetParam();
  if (!job.has_table) {
    return;
  }
  Machine machine(1);
  machine.set_going_back(job.going_back);
  machine.set_walks(kJobWalks);
  machine.set_receiver(job.receiver);
  ASSERT_TRUE(machine.Start().has_value());
  ASSERT_TRUE(CreateTables(machine.engine()).has_value());
  ASSERT_TRUE(FillOrders(machine.engine()).has_value());
  machine.engine().AwaitBackgroundJobs();
  ASSERT_TRUE(job.prepare(machine.engine()).has_value());
  machine.engine().AwaitBackgroundJobs();
  machine.Advance(job.later);
  ASSERT_TRUE(job.request(machine.engine()).has_value());
  for (int number = 0; number < kJobItems; number += 3) {
    const Item key = {{"customer", "any"}, {"number", number}};
    ASSERT_TRUE(machine.engine().DeleteItem({.table_name = kOrders, .key = key}).has_value());
    const Item changed = {{"customer", "any"},
                          {"number", number + 1},
                          {"op", -number},
                          {"city", "other"},
                          {"expires", 1'900'000'000}};
    ASSERT_TRUE(machine.engine().PutItem({.table_name = kOrders, .item = changed}).has_value());
  }
  machine.engine().AwaitBackgroundJobs();
  machine.Stop();
  const Result<engine::CheckReport> report = engine::CheckDatabase(machine.StoreOptions());
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->problems.texts, std::vector<std::string>());
  EXPECT_EQ(report->notes.texts, std::vector<std::string>());
  // The engine ended in good order, so its figures are exact.
  EXPECT_EQ(report->warnings.texts, std::vector<std::string>());
}

}  // namespace
}  // namespace stator::crash

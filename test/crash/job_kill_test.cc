// `kill -9` of a process that is in the middle of a job (jobs.h), while one of its syncs stands: what
// it wrote is there, its caller may have heard nothing. The process that comes next finishes the job or
// has never begun it. A full run kills at every sync and at every write between them, the usual one at some
// syncs.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"
#include "inspect.h"
#include "jobs.h"
#include "killed_program.h"
#include "storage/temporary_directory.h"
#include "workload.h"

namespace stator::crash {
namespace {

constexpr std::uint64_t kSyncsMax = 500;
constexpr std::uint64_t kWritesMax = 2'000;

class JobKillTest : public testing::TestWithParam<Job> {
 protected:
  void SetUp() override {
    auto engine = Open(prepared_);
    ASSERT_TRUE(CreateTables(*engine).has_value());
    ASSERT_TRUE(FillOrders(*engine).has_value());
    engine->AwaitBackgroundJobs();
    ASSERT_TRUE(GetParam().prepare(*engine).has_value());
    engine->AwaitBackgroundJobs();
    ASSERT_TRUE(engine->Close().has_value());
    clock_.Advance(GetParam().later);
  }

  // Whether the job was done before a sync, or a write, stood.
  bool KillAt(const char* what, std::uint64_t count) {
    std::filesystem::remove_all(killed_);
    std::filesystem::copy(prepared_, killed_, std::filesystem::copy_options::recursive);
    const std::string said =
        RunAndKill(STATOR_CRASH_JOB, {killed_, GetParam().name, what, std::to_string(count)},
                   [](std::string_view so_far) { return so_far.contains('S'); });
    Inspect(said.contains('A'));
    return said.contains('D');
  }

 private:
  std::unique_ptr<engine::Engine> Open(const std::string& path) {
    auto engine = engine::Engine::Open({.store = {.path = path},
                                        .clock = &clock_,
                                        .housekeeping_interval = std::chrono::milliseconds(0),
                                        .going_back = GetParam().going_back,
                                        .walks = kJobWalks,
                                        .change_receiver = GetParam().receiver});
    CHECK_THAT(engine.has_value(), engine.error().message);
    return *std::move(engine);
  }

  void Inspect(bool acknowledged) {
    const Job& job = GetParam();
    const auto on_disk = ProblemOnDisk({.path = killed_});
    EXPECT_FALSE(on_disk.has_value()) << *on_disk;
    auto engine = Open(killed_);
    EXPECT_TRUE(!job.is_all_or_nothing || job.is_all_or_nothing(*engine));
    engine->AwaitBackgroundJobs();
    EXPECT_TRUE(!acknowledged || job.is_done(*engine));
    if (job.afterwards) {
      const Result<void> good = job.afterwards(*engine);
      EXPECT_TRUE(good.has_value()) << good.error().message;
    }
    EXPECT_TRUE(engine->Close().has_value());
    const auto left = ProblemOrJobOnDisk({.path = killed_});
    EXPECT_FALSE(left.has_value()) << *left;
  }

  const storage::TemporaryDirectory directory_;
  const std::string prepared_ = directory_.path() + "/prepared";
  const std::string killed_ = directory_.path() + "/killed";
  ManualClock clock_{kNow};
};

bool IsFull() {
  return std::getenv("STATOR_TEST_FULL") != nullptr;
}

// Those of which a part could be seen or lost, or all. What is received is lost with the process that
// sends.
std::vector<Job> JobsToKill() {
  std::vector<Job> jobs = Jobs();
  std::erase_if(jobs, [](const Job& job) {
    return job.receiver != nullptr || (!IsFull() && !job.is_all_or_nothing && !job.afterwards);
  });
  return jobs;
}

INSTANTIATE_TEST_SUITE_P(, JobKillTest, testing::ValuesIn(JobsToKill()),
                         [](const auto& each) { return TestNameOf(each.param); });

TEST_P(JobKillTest, IsFinishedByTheNextProcess) {
  bool killed = false;
  for (std::uint64_t syncs = IsFull() ? 0 : 1; !KillAt("sync", syncs);
       syncs += IsFull() ? 1 : 3 * syncs) {
    ASSERT_FALSE(HasFailure()) << "at sync " << syncs;
    killed = true;
    ASSERT_LT(syncs, kSyncsMax);
  }
  EXPECT_TRUE(killed) << "it was done before it could be killed";
}

// What the process had written is there, as the system has it, whether or not it was synced.
TEST_P(JobKillTest, IsFinishedByTheNextProcessAfterAnyWrite) {
  if (!IsFull()) {
    GTEST_SKIP() << "in full runs only";
  }
  std::uint64_t writes = 0;
  while (!KillAt("write", writes)) {
    ASSERT_FALSE(HasFailure()) << "at write " << writes;
    ASSERT_LT(++writes, kWritesMax);
  }
  EXPECT_GE(writes, 2U);
}

}  // namespace
}  // namespace stator::crash

#include "hosting/child_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <csignal>
#include <unistd.h>

#include "hosting/process_state.h"

namespace stator::hosting {
namespace {

using testing::HasSubstr;

ChildRequest Shell(const std::string& script) {
  return {.command = {.program = "/bin/sh",
                      .argv = {"sh", "-c", script},
                      .environment = {"PATH=/usr/bin:/bin"},
                      .directory = "/"}};
}

class ChildKeeperTest : public testing::Test {
 protected:
  // Waits for the next news.
  void AwaitNews(Child& child) {
    child.news()->Tell([this] {
      const std::scoped_lock lock(mutex_);
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(
        changed_.wait_for(lock, std::chrono::seconds(60), [&] { return child.news()->Take(); }));
  }
  ChildOutcome Await(Child& child) {
    for (;;) {
      if (std::optional<ChildOutcome> outcome = child.TakeOutcome()) {
        return *std::move(outcome);
      }
      AwaitNews(child);
      if (HasFatalFailure()) {
        return {};
      }
    }
  }
  ChildOutcome Run(ChildRequest request) { return Await(*keeper_.Start(std::move(request))); }
  // The number that a child wrote as its progress.
  pid_t AwaitPid(Child& child) {
    std::optional<ProgressLine> progress;
    while (!(progress = child.TakeProgress()) && !HasFatalFailure()) {
      AwaitNews(child);
    }
    return progress ? static_cast<pid_t>(progress->done) : 0;
  }

  ChildKeeper keeper_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

TEST_F(ChildKeeperTest, InputOutputErrorsAndCode) {
  ChildRequest request = Shell("cat; echo oops >&2; exit 3");
  request.input = "hello";
  const ChildOutcome outcome = Run(std::move(request));
  EXPECT_EQ(outcome.end, ChildEnd::kExited);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.output, "hello");
  EXPECT_EQ(outcome.errors, "oops");
}

TEST_F(ChildKeeperTest, MuchInputAndOutputAtOnce) {
  ChildRequest request = Shell("cat");
  request.input = std::string(3 << 20, 'x');
  request.output_bytes_max = 3 << 20;
  EXPECT_EQ(Run(std::move(request)).output.size(), 3U << 20U);
}

TEST_F(ChildKeeperTest, InputThatNobodyReadsHarmsNobody) {
  ChildRequest request = Shell("exec <&-; echo fine");
  request.input = std::string(1 << 20, 'x');
  EXPECT_EQ(Run(std::move(request)).output, "fine\n");
}

TEST_F(ChildKeeperTest, OnlyTheEnvironmentThatWasNamedAndNoDescriptors) {
  ASSERT_EQ(setenv("STATOR_TEST_LEAK", "leaked", 1), 0);
  ChildRequest request = Shell("env; ls /proc/self/fd; pwd");
  request.command.environment = {"PATH=/usr/bin:/bin", "MODE=fast"};
  request.command.directory = "/usr";
  const std::string output = Run(std::move(request)).output;
  EXPECT_THAT(output, HasSubstr("MODE=fast"));
  EXPECT_THAT(output, HasSubstr("/usr\n"));
  EXPECT_THAT(output, testing::Not(HasSubstr("leaked")));
  EXPECT_THAT(output, HasSubstr("0\n1\n2\n3\n"));  // 3 is the folder that ls reads.
  EXPECT_THAT(output, testing::Not(HasSubstr("\n4\n")));
}

TEST_F(ChildKeeperTest, SignalsAreAsAProgramExpectsThem) {
  const ChildOutcome outcome = Run(Shell("kill -TERM $$; sleep 60"));
  EXPECT_EQ(outcome.end, ChildEnd::kSignalled);
  EXPECT_EQ(outcome.code, SIGTERM);
}

TEST_F(ChildKeeperTest, TheGroupIsKilledWhenItsTimeIsOver) {
  ManualClock clock{TimePoint()};
  ChildKeeper keeper(clock);
  ChildRequest request = Shell("sleep 600 & echo ::progress $! >&2; wait");
  request.time_limit = std::chrono::hours(1);
  const auto child = keeper.Start(std::move(request));
  const pid_t grandchild = AwaitPid(*child);
  clock.Advance(std::chrono::hours(1));
  keeper.Start(Shell("true"));  // It looks at the clock when something happens.
  EXPECT_EQ(Await(*child).end, ChildEnd::kTimedOut);
  AwaitGone(grandchild);
}

TEST_F(ChildKeeperTest, WhatIsDroppedIsKilled) {
  const auto child = keeper_.Start(Shell("echo ::progress $$ >&2; sleep 600"));
  const pid_t pid = AwaitPid(*child);
  keeper_.Drop(*child);
  AwaitGone(pid);
}

TEST_F(ChildKeeperTest, WhatOutlivesTheProgramIsKilledAndNotWaitedFor) {
  const auto child = keeper_.Start(Shell("sleep 600 & echo ::progress $! >&2; echo done"));
  const ChildOutcome outcome = Await(*child);
  EXPECT_EQ(outcome.end, ChildEnd::kExited);
  EXPECT_EQ(outcome.output, "done\n");
  AwaitGone(AwaitPid(*child));
}

TEST_F(ChildKeeperTest, TooMuchOutputEndsTheProgram) {
  ChildRequest request = Shell("yes");
  request.output_bytes_max = 1000;
  const ChildOutcome outcome = Run(std::move(request));
  EXPECT_EQ(outcome.end, ChildEnd::kTooMuchOutput);
  EXPECT_LE(outcome.output.size(), 1000U);
}

TEST_F(ChildKeeperTest, WhatCannotBeStartedSaysWhy) {
  ChildRequest missing = Shell("true");
  missing.command.program = "/nowhere/program";
  const ChildOutcome outcome = Run(std::move(missing));
  EXPECT_EQ(outcome.end, ChildEnd::kNotStarted);
  EXPECT_THAT(outcome.errors, HasSubstr("No such file"));
  ChildRequest homeless = Shell("true");
  homeless.command.directory = "/nowhere";
  EXPECT_EQ(Run(std::move(homeless)).end, ChildEnd::kNotStarted);
}

TEST_F(ChildKeeperTest, ManyAtOnceOnOneThread) {
  std::vector<std::shared_ptr<Child>> slow;
  for (int number = 0; number < 100; ++number) {
    slow.push_back(keeper_.Start(Shell("exec sleep 600")));
  }
  EXPECT_EQ(Run(Shell("echo quick")).output, "quick\n");
  for (const std::shared_ptr<Child>& child : slow) {
    EXPECT_FALSE(child->TakeOutcome());
  }
}

TEST(ChildKeeperEnd, KillsWhatRuns) {
  auto keeper = std::make_unique<ChildKeeper>();
  const auto child = keeper->Start(Shell("echo ::progress $$ >&2; sleep 600"));
  std::optional<ProgressLine> progress;
  while (!(progress = child->TakeProgress())) {
    SystemClock().SleepFor(std::chrono::milliseconds(5));
  }
  keeper.reset();
  EXPECT_TRUE(IsGone(static_cast<pid_t>(progress->done)));
}

}  // namespace
}  // namespace stator::hosting

#include "stator/patterns/retry.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <vector>

namespace stator::patterns {
namespace {

using std::chrono::milliseconds;

class RetryTest : public testing::Test {
 protected:
  ManualClock clock_{TimePoint()};
  SeededRandom random_{7};
  const Environment environment_{.clock = &clock_, .random = &random_};
};

TEST_F(RetryTest, EndsWithItsTimeAndTriesOnceMoreAtTheEnd) {
  const RetryOptions options{.budget = milliseconds(500)};
  int calls = 0;
  const Result<int> answer = RetryTransient(options, environment_, [&]() -> Result<int> {
    ++calls;
    return Fail(ErrorCode::kThrottled, "no");
  });
  EXPECT_EQ(answer.error().code, ErrorCode::kThrottled);
  EXPECT_EQ(clock_.Elapsed(), options.budget);
  EXPECT_GT(calls, 4);
}

TEST_F(RetryTest, WithoutTimeThereIsOneAttempt) {
  int calls = 0;
  const Result<int> answer = RetryTransient({.budget = {}}, environment_, [&]() -> Result<int> {
    ++calls;
    return Fail(ErrorCode::kThrottled, "no");
  });
  EXPECT_FALSE(answer);
  EXPECT_EQ(calls, 1);
}

TEST_F(RetryTest, WaitsThatAreNothingEndToo) {
  int calls = 0;
  const RetryOptions options{.budget = milliseconds(20), .wait_first = {}, .wait_max = {}};
  const Result<int> answer = RetryTransient(options, environment_, [&]() -> Result<int> {
    ++calls;
    return Fail(ErrorCode::kUnavailable, "no");
  });
  EXPECT_FALSE(answer);
  EXPECT_EQ(calls, 21);
}

TEST_F(RetryTest, AClockThatStandsStillEndsItToo) {
  class StoppedClock final : public Clock {
   public:
    [[nodiscard]] TimePoint Now() const override { return {}; }
    [[nodiscard]] Duration Elapsed() const override { return {}; }
    void SleepFor(Duration duration) override { slept += duration; }
    Duration slept = Duration::zero();
  };
  StoppedClock stopped;
  Retry retry({.budget = milliseconds(500)}, {.clock = &stopped, .random = &random_});
  int waits = 0;
  while (waits < 1000 && retry.Wait()) {
    ++waits;
  }
  EXPECT_LT(waits, 1000);
  EXPECT_EQ(stopped.slept, milliseconds(500));
}

TEST_F(RetryTest, WhatMayNotBeRepeatedIsNot) {
  int calls = 0;
  const Result<int> answer = RetryTransient({}, environment_, [&]() -> Result<int> {
    ++calls;
    return Fail(ErrorCode::kTooLarge, "no");
  });
  EXPECT_FALSE(answer);
  EXPECT_EQ(calls, 1);
}

TEST_F(RetryTest, ASuccessEndsIt) {
  int calls = 0;
  const Result<int> answer = RetryTransient({}, environment_, [&]() -> Result<int> {
    if (++calls < 3) {
      return Fail(ErrorCode::kThrottled, "no");
    }
    return calls;
  });
  EXPECT_EQ(answer, 3);
}

TEST_F(RetryTest, WhoIsAskedToStopDoesNotWait) {
  std::stop_source source;
  source.request_stop();
  Retry retry({}, environment_, source.get_token());
  EXPECT_FALSE(retry.Wait());
  EXPECT_EQ(clock_.Elapsed(), Duration::zero());
}

TEST_F(RetryTest, ProgressBeginsTheTimeAnew) {
  Retry retry({.budget = milliseconds(100)}, environment_);
  for (int round = 0; round < 10; ++round) {
    ASSERT_TRUE(retry.Wait());
    clock_.Advance(milliseconds(100));
    retry.Reset();
  }
  ASSERT_TRUE(retry.Wait());
  clock_.Advance(milliseconds(100));
  EXPECT_FALSE(retry.Wait());
}

// A thing that others change behind our back, as often as `others` says.
struct Shared {
  int value = 0;
  int others = 0;

  Result<int> Write(int seen, int next) {
    if (others > 0) {
      --others;
      ++value;
    }
    if (value != seen) {
      return Fail(ErrorCode::kConflict, "changed");
    }
    return value = next;
  }
};

class ReadModifyWriteTest : public RetryTest {
 protected:
  Result<int> Increment(Shared& shared, const RetryOptions& options = {}) {
    return ReadModifyWrite(
        options, environment_,
        [&](const Error* overtaken) -> Result<int> {
          overtaken_.push_back(overtaken != nullptr);
          return shared.value;
        },
        [&](int&) { return verdict_; }, [&](int seen) { return shared.Write(seen, seen + 1); });
  }

  std::vector<bool> overtaken_;
  Result<std::optional<int>> verdict_ = std::nullopt;
};

TEST_F(ReadModifyWriteTest, BeginsAgainOnWhatOthersLeft) {
  Shared shared{.others = 20};
  EXPECT_EQ(Increment(shared), 21);
  ASSERT_EQ(overtaken_.size(), 21U);
  EXPECT_FALSE(overtaken_.front());
  EXPECT_TRUE(overtaken_.back());
}

TEST_F(ReadModifyWriteTest, GivesUpWhenItsTimeIsOver) {
  Shared shared{.others = 1'000'000};
  const Result<int> answer = Increment(shared, {.budget = milliseconds(300)});
  EXPECT_EQ(answer.error().code, ErrorCode::kConflict);
  EXPECT_EQ(clock_.Elapsed(), milliseconds(300));
}

TEST_F(ReadModifyWriteTest, WhatTheChangeDecidesIsFinal) {
  Shared shared;
  verdict_ = 7;
  EXPECT_EQ(Increment(shared), 7);
  verdict_ = Fail(ErrorCode::kNotFound, "no");
  EXPECT_EQ(Increment(shared).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(shared.value, 0);
  EXPECT_EQ(overtaken_.size(), 2U);
  EXPECT_EQ(clock_.Elapsed(), Duration::zero());
}

}  // namespace
}  // namespace stator::patterns

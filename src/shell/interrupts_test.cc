#include "shell/interrupts.h"

#include <gtest/gtest.h>

#include <csignal>
#include <future>

namespace stator::shell {
namespace {

TEST(Interrupts, RunsWhatNobodyInterrupts) {
  Interrupts interrupts;
  int runs = 0;
  EXPECT_TRUE(interrupts.Run([&] { ++runs; }));
  EXPECT_TRUE(interrupts.Run([&] { ++runs; }));
  EXPECT_EQ(runs, 2);
}

TEST(Interrupts, GivesUpWhatIsInterrupted) {
  std::promise<void> end;
  bool ended = false;
  {
    Interrupts interrupts;
    EXPECT_FALSE(interrupts.Run([&, until = end.get_future().share()] {
      std::raise(SIGINT);
      until.wait();
      ended = true;
    }));
    // The rest of the same statement is not begun.
    EXPECT_FALSE(interrupts.Run([] { ADD_FAILURE(); }));
    interrupts.Forget();
    EXPECT_TRUE(interrupts.Run([] {}));
    end.set_value();
  }
  EXPECT_TRUE(ended);  // what is left behind is waited for at the end
}

TEST(Interrupts, AnInterruptOfNothingIsForgotten) {
  Interrupts interrupts;
  std::raise(SIGINT);
  interrupts.Forget();
  EXPECT_TRUE(interrupts.Run([] {}));
}

TEST(Interrupts, GivesUpWhatTakesTooLong) {
  std::promise<void> end;
  Interrupts interrupts;
  EXPECT_FALSE(interrupts.Run([until = end.get_future().share()] { until.wait(); },
                              std::chrono::milliseconds(1)));
  end.set_value();
}

}  // namespace
}  // namespace stator::shell

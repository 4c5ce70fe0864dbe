// PROBE: a path that was taken is known by its name, in this process and in the file of all.

#include "base/probe.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>
#include <unistd.h>

namespace stator::base {
namespace {

void TakeThePath() {
  PROBE("probe_test takes a path");
}

#ifndef NDEBUG

TEST(Probe, IsReachedWhenThePathIsTaken) {
  EXPECT_FALSE(ProbeWasReached("probe_test takes a path"));
  TakeThePath();
  EXPECT_TRUE(ProbeWasReached("probe_test takes a path"));
}

TEST(Probe, AddsOneLineToTheFileOfAllPrograms) {
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / ("probes" + std::to_string(::getpid())))
          .string();
  const char* const before = ::getenv("STATOR_PROBES");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("STATOR_PROBES", path.c_str(), 1);
  for (int times = 0; times < 3; ++times) {
    PROBE("probe_test writes a line");
  }
  ::setenv("STATOR_PROBES", old.c_str(), 1);
  std::ifstream file(path);
  const std::string lines{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(lines, "probe_test writes a line\n");
  std::filesystem::remove(path);
}

#endif

TEST(Probe, OfANameThatNobodyPassedWasNotReached) {
  TakeThePath();
  EXPECT_FALSE(ProbeWasReached("probe_test takes another path"));
}

}  // namespace
}  // namespace stator::base

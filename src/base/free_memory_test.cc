// That code is given back, and works as before when it is run again.

#include "base/free_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <string>

namespace stator::base {
namespace {

// What /proc says of this process, in KB.
std::size_t KilobytesOf(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == name + ":") {
      std::size_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes;
    }
  }
  return 0;
}

TEST(FreeMemory, CodeIsGivenBackAndRunsAgain) {
  static constexpr const char* kWords[] = {"items", "stay", "where", "they", "were"};
  const std::size_t before = KilobytesOf("RssFile");
  ASSERT_GT(before, 0);
  ReturnCode();
  EXPECT_LT(KilobytesOf("RssFile"), before);
  std::string sentence;
  for (const char* const word : kWords) {
    sentence.append(word).append(" ");
  }
  EXPECT_EQ(sentence, "items stay where they were ");
  // Twice, and what was written stays.
  static std::string written = sentence;
  written += "!";
  ReturnCode();
  EXPECT_EQ(written, "items stay where they were !");
}

}  // namespace
}  // namespace stator::base

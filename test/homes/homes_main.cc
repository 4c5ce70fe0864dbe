// main of the suites over Database: --home=NAME chooses where they run; the rest is GoogleTest's.

#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "homes/home.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view kOption = "--home=";
  const std::string_view argument = argc == 2 ? argv[1] : "";
  if (!argument.starts_with(kOption) ||
      !stator::homes::ChooseHome(argument.substr(kOption.size()))) {
    (void)std::fprintf(stderr, "usage: %s --home=NAME [GoogleTest's options]; homes: %s\n", argv[0],
                       stator::homes::NamesOfHomes().c_str());
    return 2;
  }
  return RUN_ALL_TESTS();
}

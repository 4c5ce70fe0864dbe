// For commands that answer line by line.

#pragma once

#include <cstdio>
#include <string>

namespace stator::cli {

inline void PrintLine(const std::string& line) {
  std::printf("%s\n", line.c_str());
}

}  // namespace stator::cli

// For tests: whether a process is gone.

#pragma once

#include <fstream>
#include <string>

#include "stator/base/clock.h"

namespace stator::hosting {

// One that has ended counts as gone, though nobody may have asked for its exit code.
inline bool IsGone(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text, '\0');  // Stays empty when it goes while it is read.
  const std::size_t state = text.rfind(") ");
  return state == std::string::npos || text[state + 2] == 'Z' || text[state + 2] == 'X';
}

inline void AwaitGone(int pid) {
  while (!IsGone(pid)) {
    SystemClock().SleepFor(std::chrono::milliseconds(5));
  }
}

}  // namespace stator::hosting

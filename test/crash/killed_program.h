// For tests: runs a program that says what it does, a character at a time, and kills it.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stator::crash {

// Kills the program (SIGKILL) when it has said enough, unless it ends by itself. Returns everything
// that it said. Anything but being killed and the exit code 0 is a failure of the test.
std::string RunAndKill(std::string program, std::vector<std::string> arguments,
                       const std::function<bool(std::string_view said)>& is_enough);

}  // namespace stator::crash

// Invariants. A CHECK that fails is a bug in Stator: the process says where and what, and stops, in
// release builds too, because going on would write wrong bytes. Input never reaches a CHECK.

#pragma once

#include <source_location>
#include <string>
#include <string_view>

namespace stator::base {

// Prints the place, the condition and the explanation to standard error, then aborts.
[[noreturn]] void FailCheck(std::string_view condition, std::string_view explanation,
                            std::source_location where = std::source_location::current());

}  // namespace stator::base

// NOLINTBEGIN(cppcoreguidelines-macro-usage): the text of the condition needs a macro.
#define CHECK(condition) CHECK_THAT(condition, "")

// `explanation` is evaluated only on failure; anything that converts to std::string_view.
#define CHECK_THAT(condition, explanation)                  \
  do {                                                      \
    if (!(condition)) [[unlikely]] {                        \
      ::stator::base::FailCheck(#condition, (explanation)); \
    }                                                       \
  } while (false)
// NOLINTEND(cppcoreguidelines-macro-usage)

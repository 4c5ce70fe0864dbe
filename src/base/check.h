// Invariants. A CHECK that fails is a bug in Stator: the process says where and what, and stops, in
// release builds too, because going on would write wrong bytes. Neither what a caller sends nor what
// a damaged disk holds may ever reach one: that is told with a Result.

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

// The same where looking costs too much for every call, or where a wrong state has done no harm yet;
// not in release builds. `condition` must compile there, too, and have no effect.
#ifdef NDEBUG
#define DCHECK(condition)           \
  do {                              \
    if (false) {                    \
      static_cast<void>(condition); \
    }                               \
  } while (false)
#else
#define DCHECK(condition) CHECK(condition)
#endif
// NOLINTEND(cppcoreguidelines-macro-usage)

// Passing on the failures of others. Kept out of the public headers: a macro named TRY is ours to
// use, not ours to force on users.

#pragma once

#include <utility>

#include "stator/base/result.h"

// Evaluates to the value inside `expression`, or returns its error from the enclosing function.
// Cannot be used in a coroutine.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): returning from the caller needs a macro.
#define TRY(expression)                                       \
  __extension__({                                             \
    auto try_result_ = (expression);                          \
    if (!try_result_) {                                       \
      return std::unexpected(std::move(try_result_).error()); \
    }                                                         \
    *std::move(try_result_);                                  \
  })

// The same when there is no value, or none that is wanted.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): returning from the caller needs a macro.
#define TRY_VOID(expression)                                  \
  do {                                                        \
    if (auto try_result_ = (expression); !try_result_) {      \
      return std::unexpected(std::move(try_result_).error()); \
    }                                                         \
  } while (false)

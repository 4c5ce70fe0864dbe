#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace stator::base {

void FailCheck(std::string_view condition, std::string_view explanation,
               std::source_location where) {
  std::fprintf(stderr, "%s:%u: CHECK failed: %.*s %.*s\n", where.file_name(),
               static_cast<unsigned>(where.line()), static_cast<int>(condition.size()),
               condition.data(), static_cast<int>(explanation.size()), explanation.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace stator::base

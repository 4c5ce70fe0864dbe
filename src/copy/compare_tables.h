// Whether two tables hold the same items. Both may be written meanwhile; what is found different is
// looked at again before it is reported, so that a change on its way is no difference.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "copy/side.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"

namespace stator::copy {

struct CompareOptions {
  std::size_t examples_max = 10;
  // Called before what differs is looked at again: lets changes arrive.
  std::function<Result<void>()> settle = {};
  patterns::Environment environment = {};
};

struct CompareReport {
  std::uint64_t items = 0;      // of the first table
  std::uint64_t missing = 0;    // in the second
  std::uint64_t different = 0;  // there under the same key
  std::uint64_t extra = 0;      // only in the second
  std::vector<std::string> examples = {};

  [[nodiscard]] bool is_same() const { return missing + different + extra == 0; }
};

// Items that have expired may be missing on either side: each database removes them when it likes.
Result<CompareReport> CompareTables(const Side& from, const Side& to,
                                    const CompareOptions& options = {});

}  // namespace stator::copy

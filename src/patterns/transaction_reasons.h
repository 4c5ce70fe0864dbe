// From the error of a transaction, or of a single write that stands for one, to typed reasons.

#pragma once

#include <cstddef>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/transaction_error.h"

namespace stator::patterns {

// One per action; empty when the error is not about actions. A single write that failed its
// condition, met a conflict or was throttled counts as a transaction canceled for that reason.
std::vector<Reason> ReasonsOf(const Error& error, std::size_t actions);

}  // namespace stator::patterns

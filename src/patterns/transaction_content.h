// The content of an action as bytes, for tokens that are derived from it.

#pragma once

#include <string>

#include "stator/api/transact_write_items.h"

namespace stator::patterns {

// Different actions give different bytes, also when several are written one behind the other.
void AppendContent(const TransactWriteItem& action, std::string& out);

}  // namespace stator::patterns

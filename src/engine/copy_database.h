// A copy of a database, made beside a process that uses it or not: what `stator backup` and `stator
// restore` do.
//
// The copy is the state at one moment, with everything that was acknowledged before it was begun; what
// comes later is not in it. Files that the other process removes meanwhile are held open, so it need not
// wait, and does not notice.

#pragma once

#include <string>

#include "engine/check_database.h"
#include "stator/base/result.h"

namespace stator::engine {

// Checks the copy, row by row, before it gets its name: `into` is whole or not there. Fails when `into` is
// there and not empty, when a row cannot be read, and when what was copied is damaged.
Result<CheckReport> CopyDatabase(const std::string& from, const std::string& into);

}  // namespace stator::engine

// The conditions that every write of a versioned item has, as text: what Absent, NotExpired and
// Versioning::Unchanged compile to, written without the pieces of which conditions are built,
// because these are paid for with every write.

#pragma once

#include <string>

#include "stator/base/clock.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/table_layout.h"
#include "stator/patterns/versioning.h"

namespace stator::patterns {

// Absent(layout, now).
std::string AbsentText(const TableLayout& layout, TimePoint now, Placeholders& placeholders);

// versioning.Unchanged(seen) && NotExpired(versioning.layout(), now).
std::string UnchangedText(const Versioning& versioning, const Revision& seen, TimePoint now,
                          Placeholders& placeholders);

}  // namespace stator::patterns

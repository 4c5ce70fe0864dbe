// What every write of a whole item asks: whether the time at which it expires is one.

#pragma once

#include "stator/base/result.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

// Fails with kValidation when the layout names an expiry and the item has something else there than
// a count of seconds: text, milliseconds, 0. The database would keep such an item for ever and say
// nothing. An item without the attribute does not expire.
Result<void> CheckExpiry(const TableLayout& layout, const Item& item);

}  // namespace stator::patterns

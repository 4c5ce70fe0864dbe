// Attributes of items that this store wrote. What is missing or of another type is kCorruption.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/stores/events/sortable_id.h"
#include "stator/value/attribute_value.h"

namespace stator::events {

Result<std::string> TextField(const Item& item, std::string_view name);
Result<SortableId> IdField(const Item& item, std::string_view name);
Result<std::uint64_t> CountField(const Item& item, std::string_view name);

// Empty, zero or false when there is no such attribute, or it is of another type.
std::string TextOr(const Item& item, std::string_view name);
std::uint64_t CountOr(const Item& item, std::string_view name);
bool FlagOr(const Item& item, std::string_view name);

}  // namespace stator::events

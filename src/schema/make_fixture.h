// An item as a program of a recorded version stores it, made of the snapshot alone: the first
// fixture of that version. Whoever has a real item may put it in its place.

#pragma once

#include <string>

#include "stator/value/attribute_value.h"

namespace stator::schema {

// Every field has a value, optional ones, too, unless a type contains itself; with the keys, the
// expiry and the bookkeeping that the snapshot declares. Always the same for the same snapshot.
Item MakeFixture(const Map& snapshot);

// DynamoDB JSON, one attribute per line, as files are kept.
std::string ToCanonicalDynamoDbJson(const Item& item);

}  // namespace stator::schema

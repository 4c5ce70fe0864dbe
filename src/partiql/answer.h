// What a SELECT answers of an item: one attribute per path, named after the path's last element.

#pragma once

#include <string>
#include <vector>

#include "partiql/statement.h"
#include "stator/value/attribute_value.h"

namespace stator::partiql {

// "z" for m.y.z, "l[0]" for l[0] and for what is inside of it.
std::string AnswerName(const std::vector<PathElement>& path);

// What is not there is left out. REQUIRES: the projection is not empty.
Item Answer(const std::vector<Projected>& projection, const Item& item);

}  // namespace stator::partiql

// For tests: updates of the model: a few actions, each on an attribute of its own.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/values.h"

namespace stator::model {

struct Action {
  enum class Kind : std::uint8_t {
    kSet,      // SET attribute = value
    kCopy,     // SET attribute = other
    kCount,    // SET attribute = if_not_exists(attribute, 0) + value
    kRemove,   // REMOVE attribute
    kAdd,      // ADD attribute value: a number or a set
    kDiscard,  // DELETE attribute value: members of a set
  };

  Kind kind = Kind::kSet;
  std::string attribute;
  Value value;
  std::string other;
};

using Update = std::vector<Action>;

// The item afterwards: nothing when there was none and none is made. False when the update cannot
// be done. Every action sees the item as it was.
bool Apply(const Update& update, const Attributes* before, const Attributes& key,
           std::optional<Attributes>& after);

// The attributes that the update names.
Attributes NamedBy(const Update& update, const Attributes& item);

std::string TextOf(const Update& update, const std::string& prefix, Map& values);

}  // namespace stator::model

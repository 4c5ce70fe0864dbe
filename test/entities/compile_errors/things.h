// For compile_errors_test.py: an entity to make mistakes with.

#pragma once

#include <string>

#include "stator/stores/entities/repository.h"

struct Thing {
  std::string id;
  std::string name;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(Thing, (), (id, name, count))

template <>
struct stator::entities::EntityTraits<Thing> {
  static constexpr std::string_view kName = "thing";
  static constexpr KeyTemplate kPartitionKey = {"THING#{id}"};
};
using Things = stator::entities::Repository<Thing, stator::entities::Verbs::kRead |
                                                       stator::entities::Verbs::kPatch>;

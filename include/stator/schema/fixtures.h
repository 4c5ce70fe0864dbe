// Items of former versions, through the migration steps of the program of today.

#pragma once

#include <filesystem>

#include "stator/base/result.h"
#include "stator/mapping/mapping.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/entity_traits.h"
#include "stator/stores/entities/migrations.h"
#include "stator/value/attribute_value.h"

namespace stator::schema {

// The fields of a fixture in the shape of today. Fails when the item does not say that it is of
// that version, when a step is missing or when it fails.
Result<Item> MigrateFixture(const entities::EntityDescription& entity,
                            const entities::Migrations& migrations, Item fixture, int version);

// Reads the fixture of `version` from the folder (folder.h) and makes a T of it.
Result<Item> LoadFixture(const entities::EntityDescription& entity,
                         const entities::Migrations& migrations,
                         const std::filesystem::path& folder, int version);

template <entities::Entity T>
[[nodiscard]] Result<T> FixtureOf(const std::filesystem::path& folder, int version) {
  Result<Item> fields =
      LoadFixture(entities::Describe<T>(), entities::detail::MigrationsOf<T>(), folder, version);
  if (!fields) {
    return std::unexpected(std::move(fields).error());
  }
  return FromItem<T>(*std::move(fields));
}

}  // namespace stator::schema

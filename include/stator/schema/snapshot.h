// The recorded description of an entity: the JSON Schema of its fields, and what else about its
// storage cannot change by accident. It is kept in the repository of the program; see folder.h.
//
//   std::puts(CanonicalJson(SnapshotOf<Account>()).c_str());
//
// FORMAT: what stator/mapping/schema.h says, and
//
//   x-entity          the entity's name, which is its table's
//   x-data-version    the version of the shape
//   x-oldest-version  the oldest version that is still read, unless it is 1
//   x-steps           the versions from which a migration step leads to the next one
//   x-keys            {"partition": KEY, "sort": KEY}; KEY is {"attribute", "type", "template"}
//   x-indexes         [{"name", "local", "partition", "sort", "projection", "projected"}], by name
//   x-ttl             the attribute that says when an item expires
//   x-storage         {"lock", "naming", "unique"}: what decides how items are read and written
//   x-layout          "nested" when the fields are in a map of the item; both layouts are read
//   x-owner-partitioned  true when the partition key begins with the owner; for policies alone

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/provision/policy.h"
#include "stator/provision/table_spec.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/entity_traits.h"
#include "stator/stores/entities/verbs.h"
#include "stator/value/attribute_value.h"

namespace stator::schema {

Map MakeSnapshot(const entities::EntityDescription& entity);

template <entities::Entity T>
[[nodiscard]] Map SnapshotOf() {
  return MakeSnapshot(entities::Describe<T>());
}

// Fails with kValidation when the text is no snapshot, or when its hash is not that of its shape.
Result<Map> ParseSnapshot(std::string_view text);

// REQUIRES: a snapshot of one of the above.
std::string EntityNameOf(const Map& snapshot);
std::uint16_t DataVersionOf(const Map& snapshot);

// The table that the entity needs; what the entity does not say is as TableSpec's defaults are.
// Fails with kValidation when the snapshot's declarations make no table.
Result<provision::TableSpec> TableSpecOf(const Map& snapshot);
provision::TableSpec TableSpecOf(const entities::EntityDescription& entity);

// The part of a description that a snapshot records: enough for AccessOf and CheckShared.
Result<entities::EntityDescription> DescriptionOf(const Map& snapshot);

// What the verbs of a repository need. The partitions of an entity that is partitioned by owner are
// those of the caller, whom `owner_variable` of the policy language names; of an index they are what
// its own template makes of the owner. An index whose partitions do not tell owners apart is left
// out, since it would show one owner what others have.
provision::TableAccess AccessOf(const entities::RepositoryDescription& repository,
                                const std::string& table_arn,
                                std::string_view owner_variable = "${aws:PrincipalTag/owner}");

}  // namespace stator::schema

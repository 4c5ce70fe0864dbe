// What a program says about an entity, beside its struct and the struct's Mapping.
//
//   struct Account {
//     std::string id;
//     std::string email;
//     std::int64_t balance = 0;
//   };
//   BOOST_DESCRIBE_STRUCT(Account, (), (id, email, balance))
//
//   template <>
//   struct stator::entities::EntityTraits<Account> {
//     static constexpr std::string_view kName = "account";
//     static constexpr KeyTemplate kPartitionKey = {"ACCOUNT#{id}"};
//   };
//
// A template is text with stored names of fields in braces. "{number:08}" fills a number up with
// zeros, so that text sorts as numbers do. A template that is one field alone has the field's type.
// Two different lists of fields never make the same key: a value that would is refused.
//
// Specialise EntityTraits with these as static constexpr members; all but the first two may be left
// out:
//
//   kName             std::string_view; the table is called so unless a repository says otherwise
//   kPartitionKey     KeyTemplate; in the attribute "pk" unless it names another
//   kSortKey          KeyTemplate; in the attribute "sk" unless it names another
//   kDataVersion      the version of the shape that the struct describes; 1
//   kOldestVersion    the oldest that is still read; 1
//   kImplicitVersion  of items that do not say; 1
//   kWriteAs          the version that is written; kDataVersion
//   kMinReader        the lowest version that a reader must know; absent: kDataVersion's own
//   kIndexes          std::array of Index
//   kExpiry           std::string_view: the attribute with the second in which the item expires, a
//                     field or not
//   kLife             std::chrono::seconds: how long a new entity lives unless its write says
//                     otherwise, or kForever; needed beside a kExpiry that is no field
//   kUnique           std::array of std::string_view: fields that no two entities may share
//   kLayout           Layout::kFlat
//   kNaming           Naming::kPlain
//   kLock             Lock::kRevision
//   kPromoted         std::array of std::string_view: fields that Layout::kNested copies to the top
//   kCreatedAt        bool: false
//   kOwnerPartitioned bool: false
//
// and, when kOldestVersion is not kDataVersion:
//
//   static Migrations MakeMigrations();
//
// The traits must be visible wherever the entity is used: put them behind the struct. Fields whose
// names the bookkeeping or the key needs, templates with unknown fields, and whatever else cannot
// work, do not compile.

#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/api/table_enums.h"
#include "stator/mapping/mapping.h"
#include "stator/mapping/schema.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/migrations.h"

namespace stator::entities {

struct KeyTemplate {
  std::string_view text;
  // Empty: "pk" of a partition key, "sk" of a sort key; of an index, the field that the template
  // is.
  std::string_view attribute = {};
};

struct Index {
  std::string_view name;
  KeyTemplate partition_key;
  std::optional<KeyTemplate> sort_key = std::nullopt;
  bool local = false;
  ProjectionType projection = ProjectionType::kAll;
  std::array<std::string_view, 16> projected = {};  // of kInclude
};

template <class T>
struct EntityTraits;

template <class T>
concept Entity = mapping::Described<T> && requires {
  EntityTraits<T>::kName;
  EntityTraits<T>::kPartitionKey;
};

}  // namespace stator::entities

#include "stator/stores/entities/detail/entity_checks.h"  // needs what is above

namespace stator::entities {

template <Entity T>
[[nodiscard]] EntityDescription Describe() {
  static_assert(detail::CheckEntity<T>());
  using Settings = detail::SettingsOf<T>;
  EntityDescription entity{
      .name = std::string(EntityTraits<T>::kName),
      .data_version = Settings::kDataVersion,
      .oldest_version = Settings::kOldestVersion,
      .implicit_version = Settings::kImplicitVersion,
      .write_as = Settings::kWriteAs,
      .min_reader = Settings::kMinReader,
      .layout = Settings::kLayout,
      .naming = Settings::kNaming,
      .lock = Settings::kLock,
      .created_at = Settings::kCreatedAt,
      .partition_key = detail::DescribeKey<T>(EntityTraits<T>::kPartitionKey, "pk"),
      .owner_partitioned = Settings::kOwnerPartitioned,
      .schema = SchemaOf<T>(),
  };
  if constexpr (requires { EntityTraits<T>::kSortKey; }) {
    entity.sort_key = detail::DescribeKey<T>(EntityTraits<T>::kSortKey, "sk");
  }
  for (const Index& index : Settings::kIndexes) {
    entity.indexes.push_back(detail::DescribeIndex<T>(index));
  }
  if constexpr (requires { EntityTraits<T>::kExpiry; }) {
    entity.expiry_attribute = std::string(EntityTraits<T>::kExpiry);
    if (Settings::kLife != std::chrono::seconds::zero() && Settings::kLife != kForever) {
      entity.life = Settings::kLife;
    }
  }
  detail::AddNames(Settings::kUnique, entity.unique);
  detail::AddNames(Settings::kPromoted, entity.promoted);
  detail::AddNames(StoredNames<T>(), entity.fields);
  if constexpr (requires { Mapping<T>::kRetired; }) {
    detail::AddNames(Mapping<T>::kRetired, entity.retired);
  }
  const Migrations migrations = detail::MigrationsOf<T>();
  entity.up_steps = migrations.ups();
  entity.down_steps = migrations.downs();
  entity.schema.Set("x-data-version", AttributeValue(entity.data_version));
  return entity;
}

}  // namespace stator::entities

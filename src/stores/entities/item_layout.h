// Between the fields of an entity and the item that holds them: where they are in it, what stands
// beside them, and which version of their shape it is.
//
// FORMAT (docs/entities.md has the names): a flat item has the fields at its top, a nested one in
// the map "data", with copies of those that indexes need beside it. Both have the key, data_version
// and perhaps min_reader, created_at and the expiry; patterns::Versioning adds the rest.
//
// INVARIANTS
//
//   (1) Whatever Write stores, Read understands, whichever layout it was written in.
//   (2) Attributes that nobody here knows survive Write.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/clock.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/update.h"
#include "stator/patterns/versioning.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stator/stores/entities/detail/key_maker.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/entity_error.h"
#include "stator/stores/entities/migrations.h"
#include "stator/stores/entities/versioned.h"
#include "stator/value/attribute_value.h"

namespace stator::entities::detail {

// What the attributes of an entity's revision are called.
patterns::VersioningNames RevisionNamesOf(const EntityDescription& entity);

class ItemLayout {
 public:
  ItemLayout(EntityDescription entity, Migrations migrations, const EntityCodec& codec);

  [[nodiscard]] const EntityDescription& entity() const { return entity_; }
  [[nodiscard]] const KeyMaker& keys() const { return keys_; }

  // What an item means. Fails with kFutureVersion, kMissingMigration or kCorruption.
  [[nodiscard]] Result<EntityState> Read(patterns::VersionedItem stored) const;
  // The same, of a state that has nothing but what is stored.
  [[nodiscard]] Result<void> ReadFields(EntityState& state) const;

  // The fields as the entity writes them; fails when they are not what it says.
  [[nodiscard]] Result<Item> Normalize(const Item& fields) const {
    return codec_.normalize(fields);
  }

  // The item that holds these fields, new or in place of `before`, whose unknown attributes stay.
  // Fails with kValidation when there is no key, or another one than before.
  [[nodiscard]] Result<Item> Write(Item fields, const EntityState* before,
                                   const ExpiryChange& expiry, TimePoint now) const;

  // When an entity expires that is written as a new one. Fails with kValidation when the options
  // contradict each other or what the entity is.
  [[nodiscard]] Result<ExpiryChange> ExpiryOfNew(const WriteOptions& options, TimePoint now) const;

  // The update that makes the item whatever was there before, without its key.
  [[nodiscard]] patterns::Update WriteOver(const Item& item) const;

  // The same update, or condition, where the fields are.
  [[nodiscard]] Result<patterns::Update> PatchOf(const patterns::Update& update) const;
  [[nodiscard]] patterns::Condition ConditionOf(const patterns::Condition& condition) const;

  // The item has its fields in the shape of today, and where they are today.
  [[nodiscard]] patterns::Condition IsCurrent() const;
  [[nodiscard]] bool IsCurrent(const EntityState& state) const;

 private:
  [[nodiscard]] bool IsNested(const AttributeValue* data) const;
  [[nodiscard]] Result<Item> Migrate(Item fields, std::uint16_t from) const;
  [[nodiscard]] Result<void> CheckKey(const Item& fields, const EntityState& before) const;
  // Takes away what is not of the entity itself.
  void Strip(Item& fields) const;
  [[nodiscard]] Result<Item> ToLayout(Item fields) const;
  void SetBookkeeping(const EntityState* before, TimePoint now, Item& item) const;
  void CopyBeside(const EntityState& before, Item& item) const;

  EntityDescription entity_;
  Migrations migrations_;
  EntityCodec codec_;
  BookkeepingNames names_;
  KeyMaker keys_;
  std::vector<std::string> key_attributes_;
  std::vector<std::string> key_fields_;
  std::vector<AttributeMaker> index_attributes_;  // that are made of fields
  std::vector<std::string> reserved_;             // attributes beside the fields
  std::vector<std::string> revision_;             // what patterns::Versioning keeps there
  std::vector<std::string> promoted_;
  std::vector<std::string> unpatchable_;  // fields that something else depends on
  bool expiry_is_field_ = false;
};

}  // namespace stator::entities::detail

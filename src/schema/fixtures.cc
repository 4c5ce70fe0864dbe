#include "stator/schema/fixtures.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "schema/schema_view.h"
#include "stator/schema/folder.h"

namespace stator::schema {
namespace {

// Steps see neither keys nor bookkeeping.
Item FieldsOf(const entities::EntityDescription& entity, Item item) {
  const entities::BookkeepingNames names = entity.names();
  if (const AttributeValue* const data = item.Find(names.data);
      entity.layout == entities::Layout::kNested && data != nullptr && data->Is<Map>()) {
    return *data->If<Map>();
  }
  for (const std::string_view name :
       {names.data_version, names.min_reader, names.revision, names.write_id, names.write_ids,
        names.write_tokens, names.last_write, names.created_at}) {
    item.Erase(name);
  }
  if (!entity.partition_key.is_field) {
    item.Erase(entity.partition_key.attribute);
  }
  if (entity.sort_key && !entity.sort_key->is_field) {
    item.Erase(entity.sort_key->attribute);
  }
  return item;
}

}  // namespace

Result<Item> MigrateFixture(const entities::EntityDescription& entity,
                            const entities::Migrations& migrations, Item fixture, int version) {
  const std::string number = std::to_string(version);
  if (NumberAt(fixture, entity.names().data_version) != Number(version)) {
    return Invalid("the fixture of version " + number + " does not say that it is of version " +
                   number);
  }
  Item fields = FieldsOf(entity, std::move(fixture));
  for (int from = version; from < entity.data_version; ++from) {
    const entities::MigrationStep* const step = migrations.FindUp(static_cast<std::uint16_t>(from));
    if (step == nullptr) {
      return Invalid("there is no migration step from version " + std::to_string(from));
    }
    TRY_VOID((*step)(fields));
  }
  return fields;
}

Result<Item> LoadFixture(const entities::EntityDescription& entity,
                         const entities::Migrations& migrations,
                         const std::filesystem::path& folder, int version) {
  Item fixture = TRY(ReadFixture(folder, entity.name, version));
  return MigrateFixture(entity, migrations, std::move(fixture), version);
}

}  // namespace stator::schema

#include "stator/schema/snapshot.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "schema/schema_view.h"
#include "stator/mapping/schema.h"
#include "value/plain_json.h"

namespace stator::schema {
namespace {

using entities::EntityDescription;
using entities::IndexDescription;
using entities::KeyDescription;

// In the order of the enumerators.
constexpr std::array<std::string_view, 3> kTypes = {"S", "N", "B"};
constexpr std::array<std::string_view, 3> kProjections = {"ALL", "KEYS_ONLY", "INCLUDE"};

List ToList(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return List(names.begin(), names.end());
}

Map ToMap(const KeyDescription& key) {
  return {{"attribute", key.attribute},
          {"type", kTypes.at(static_cast<std::size_t>(key.type))},
          {"template", key.text}};
}

Map ToMap(const IndexDescription& index) {
  Map map{{"name", index.name},
          {"local", index.local},
          {"partition", ToMap(index.partition_key)},
          {"projection", kProjections.at(static_cast<std::size_t>(index.projection))}};
  if (index.sort_key) {
    map.Set("sort", ToMap(*index.sort_key));
  }
  if (index.projection == ProjectionType::kInclude) {
    map.Set("projected", ToList(index.projected));
  }
  return map;
}

Map StorageOf(const EntityDescription& entity) {
  Map storage{{"lock", entity.lock == entities::Lock::kRevision ? "revision" : "last-write"},
              {"naming", entity.naming == entities::Naming::kPlain ? "plain" : "prefixed"}};
  if (!entity.unique.empty()) {
    storage.Set("unique", ToList(entity.unique));
  }
  return storage;
}

List StepsOf(const EntityDescription& entity) {
  List steps;
  for (const std::uint16_t step : entity.up_steps) {
    steps.emplace_back(step);
  }
  return steps;
}

// Reads one declaration of a table.
class TableReader {
 public:
  explicit TableReader(provision::TableSpec& spec) : spec_(spec) {}

  Result<std::vector<KeySchemaElement>> ReadKeys(const Map& declaration) {
    std::vector<KeySchemaElement> keys = {
        {TRY(ReadKey(MapAt(declaration, "partition"))), KeyType::kHash}};
    if (declaration.contains("sort")) {
      keys.push_back({TRY(ReadKey(MapAt(declaration, "sort"))), KeyType::kRange});
    }
    return keys;
  }

  Result<void> ReadIndex(const Map& declaration) {
    const std::string name = TextAt(declaration, "name");
    const auto projection = std::ranges::find(kProjections, TextAt(declaration, "projection"));
    if (name.empty() || projection == kProjections.end()) {
      return Invalid("x-indexes: an index needs a name and a projection");
    }
    const std::vector<KeySchemaElement> keys = TRY(ReadKeys(declaration));
    Projection projected{.projection_type = static_cast<ProjectionType>(
                             std::distance(kProjections.begin(), projection))};
    if (projected.projection_type == ProjectionType::kInclude) {
      const std::set<std::string> names = NamesAt(declaration, "projected");
      projected.non_key_attributes = std::vector<std::string>(names.begin(), names.end());
    }
    if (IsTrueAt(declaration, "local")) {
      spec_.local_indexes.push_back({name, keys, std::move(projected)});
    } else {
      spec_.global_indexes.push_back(
          {.index_name = name, .key_schema = keys, .projection = std::move(projected)});
    }
    return {};
  }

 private:
  Result<std::string> ReadKey(const Map& key) {
    std::string attribute = TextAt(key, "attribute");
    const auto type = std::ranges::find(kTypes, TextAt(key, "type"));
    if (attribute.empty() || type == kTypes.end()) {
      return Invalid("x-keys, x-indexes: a key needs an attribute and its type S, N or B");
    }
    provision::DefineAttribute(
        spec_, attribute, static_cast<ScalarAttributeType>(std::distance(kTypes.begin(), type)));
    return attribute;
  }

  provision::TableSpec& spec_;
};

// The field in the first braces of a template.
std::string_view FirstField(std::string_view text) {
  const std::size_t begin = text.find('{');
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin + 1, text.find_first_of(":}", begin) - begin - 1);
}

// "USER#{owner}#{year}" becomes "USER#${variable}#*"; nothing when the owner is not in it.
std::string LeadingKeyOf(std::string_view text, std::string_view owner,
                         std::string_view owner_variable) {
  std::string pattern;
  bool has_owner = false;
  while (!text.empty()) {
    if (text.front() != '{') {
      pattern.push_back(text.front());
      text.remove_prefix(1);
      continue;
    }
    const bool is_owner = !has_owner && FirstField(text) == owner;
    pattern += is_owner ? owner_variable : "*";
    has_owner = has_owner || is_owner;
    text.remove_prefix(std::min(text.find('}'), text.size() - 1) + 1);
  }
  return has_owner ? pattern : "";
}

// REQUIRES: a key that TableReader accepts.
KeyDescription KeyOf(const Map& key) {
  const auto type = std::ranges::find(kTypes, TextAt(key, "type"));
  return {.attribute = TextAt(key, "attribute"),
          .type = static_cast<ScalarAttributeType>(std::distance(kTypes.begin(), type)),
          .text = TextAt(key, "template")};
}

std::optional<KeyDescription> SortKeyOf(const Map& keys) {
  return keys.contains("sort") ? std::optional(KeyOf(MapAt(keys, "sort"))) : std::nullopt;
}

void AddIndexes(const Map& snapshot, EntityDescription& entity) {
  const AttributeValue* const indexes = snapshot.Find("x-indexes");
  const List* const list = indexes == nullptr ? nullptr : indexes->If<List>();
  for (const AttributeValue& index : list == nullptr ? List() : *list) {
    if (const Map* const declaration = index.If<Map>(); declaration != nullptr) {
      entity.indexes.push_back({.name = TextAt(*declaration, "name"),
                                .local = IsTrueAt(*declaration, "local"),
                                .partition_key = KeyOf(MapAt(*declaration, "partition")),
                                .sort_key = SortKeyOf(*declaration)});
    }
  }
}

}  // namespace

Map MakeSnapshot(const EntityDescription& entity) {
  Map snapshot = entity.schema;
  snapshot.Set("x-entity", entity.name);
  snapshot.Set("x-data-version", AttributeValue(entity.data_version));
  if (entity.oldest_version != 1) {
    snapshot.Set("x-oldest-version", AttributeValue(entity.oldest_version));
  }
  if (!entity.up_steps.empty()) {
    snapshot.Set("x-steps", StepsOf(entity));
  }
  if (!entity.retired.empty()) {
    snapshot.Set("x-retired", ToList(entity.retired));
  }
  Map keys{{"partition", ToMap(entity.partition_key)}};
  if (entity.sort_key) {
    keys.Set("sort", ToMap(*entity.sort_key));
  }
  snapshot.Set("x-keys", std::move(keys));
  std::map<std::string, AttributeValue> indexes;
  for (const IndexDescription& index : entity.indexes) {
    indexes.emplace(index.name, ToMap(index));
  }
  if (!indexes.empty()) {
    List list;
    for (auto& [name, index] : indexes) {
      list.push_back(std::move(index));
    }
    snapshot.Set("x-indexes", std::move(list));
  }
  if (entity.expiry_attribute) {
    snapshot.Set("x-ttl", *entity.expiry_attribute);
  }
  snapshot.Set("x-storage", StorageOf(entity));
  if (entity.layout == entities::Layout::kNested) {
    snapshot.Set("x-layout", "nested");
  }
  if (entity.owner_partitioned) {
    snapshot.Set("x-owner-partitioned", true);
  }
  snapshot.Set("x-shape-hash", ShapeHash(snapshot));
  return snapshot;
}

Result<Map> ParseSnapshot(std::string_view text) {
  AttributeValue value = TRY(value::ValueFromPlainJson(text));
  Map* snapshot = value.If<Map>();
  if (snapshot == nullptr || TextAt(*snapshot, "x-entity").empty()) {
    return Invalid("a snapshot is a JSON object with x-entity");
  }
  const std::optional<Number> version = NumberAt(*snapshot, "x-data-version");
  if (!version || *version < Number(1) || *version > Number(65535) || !version->ToInt64()) {
    return Invalid("x-data-version is not a number from 1 to 65535");
  }
  if (TextAt(*snapshot, "x-shape-hash") != ShapeHash(*snapshot)) {
    return Invalid("x-shape-hash is not that of the shape; somebody has edited the file");
  }
  return std::move(*snapshot);
}

std::string EntityNameOf(const Map& snapshot) {
  return TextAt(snapshot, "x-entity");
}

std::uint16_t DataVersionOf(const Map& snapshot) {
  const std::optional<Number> version = NumberAt(snapshot, "x-data-version");
  return static_cast<std::uint16_t>(version ? version->ToInt64().value_or(0) : 0);
}

Result<provision::TableSpec> TableSpecOf(const Map& snapshot) {
  provision::TableSpec spec{.name = EntityNameOf(snapshot), .keys = {}, .attributes = {}};
  TableReader reader(spec);
  spec.keys = TRY(reader.ReadKeys(MapAt(snapshot, "x-keys")));
  if (const AttributeValue* const indexes = snapshot.Find("x-indexes")) {
    const List* const list = indexes->If<List>();
    for (const AttributeValue& index : list == nullptr ? List() : *list) {
      const Map* const declaration = index.If<Map>();
      TRY_VOID(reader.ReadIndex(declaration == nullptr ? Map() : *declaration));
    }
  }
  if (const std::string attribute = TextAt(snapshot, "x-ttl"); !attribute.empty()) {
    spec.ttl_attribute = attribute;
  }
  TRY_VOID(provision::CheckSpec(spec));
  return spec;
}

provision::TableSpec TableSpecOf(const EntityDescription& entity) {
  Result<provision::TableSpec> spec = TableSpecOf(MakeSnapshot(entity));
  CHECK_THAT(spec.has_value(), spec.error().message);  // The entity's traits were checked.
  return *std::move(spec);
}

Result<EntityDescription> DescriptionOf(const Map& snapshot) {
  TRY_VOID(TableSpecOf(snapshot));  // checks the declarations
  const Map& storage = MapAt(snapshot, "x-storage");
  EntityDescription entity{
      .name = EntityNameOf(snapshot),
      .data_version = DataVersionOf(snapshot),
      .naming = TextAt(storage, "naming") == "prefixed" ? entities::Naming::kPrefixed
                                                        : entities::Naming::kPlain,
      .lock = TextAt(storage, "lock") == "last-write" ? entities::Lock::kLastWrite
                                                      : entities::Lock::kRevision,
      .partition_key = KeyOf(MapAt(MapAt(snapshot, "x-keys"), "partition")),
      .sort_key = SortKeyOf(MapAt(snapshot, "x-keys")),
      .owner_partitioned = IsTrueAt(snapshot, "x-owner-partitioned")};
  AddIndexes(snapshot, entity);
  for (const auto& [name, property] : MapAt(snapshot, "properties")) {
    entity.fields.push_back(name);
  }
  const std::set<std::string> unique = NamesAt(storage, "unique");
  entity.unique.assign(unique.begin(), unique.end());
  return entity;
}

provision::TableAccess AccessOf(const entities::RepositoryDescription& repository,
                                const std::string& table_arn, std::string_view owner_variable) {
  const entities::RequiredActions required = entities::ActionsOf(repository);
  provision::TableAccess access{.table_arn = table_arn,
                                .actions = {required.on_table.begin(), required.on_table.end()}};
  if (!required.on_indexes.empty()) {
    access.queried_indexes.insert(repository.indexes.begin(), repository.indexes.end());
  }
  const EntityDescription& entity = repository.entity;
  if (!entity.owner_partitioned) {
    return access;
  }
  const std::string_view owner = FirstField(entity.partition_key.text);
  access.leading_key = LeadingKeyOf(entity.partition_key.text, owner, owner_variable);
  for (const IndexDescription& index : entity.indexes) {
    if (access.queried_indexes.contains(index.name)) {
      std::string key = LeadingKeyOf(index.partition_key.text, owner, owner_variable);
      if (key.empty()) {
        access.queried_indexes.erase(index.name);
      } else {
        access.leading_keys_of_indexes.emplace(index.name, std::move(key));
      }
    }
  }
  return access;
}

}  // namespace stator::schema

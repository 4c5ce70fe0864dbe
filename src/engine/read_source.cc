#include "engine/read_source.h"

#include <algorithm>

#include "base/check.h"
#include "base/try.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"

namespace stator::engine {

std::span<const KeyAttribute> ReadSource::Partition() const {
  return index != nullptr ? std::span(index->partition) : std::span(&table->partition, 1);
}

std::span<const KeyAttribute> ReadSource::Sort() const {
  if (index != nullptr) {
    return index->sort;
  }
  return table->sort ? std::span(&*table->sort, 1) : std::span<const KeyAttribute>();
}

std::vector<KeyAttribute> ReadSource::StartKeyAttributes() const {
  std::vector<KeyAttribute> attributes = {table->partition};
  if (table->sort) {
    attributes.push_back(*table->sort);
  }
  if (index != nullptr) {
    for (const KeyAttribute& attribute : index->KeyAttributes()) {
      if (std::find(attributes.begin(), attributes.end(), attribute) == attributes.end()) {
        attributes.push_back(attribute);
      }
    }
  }
  return attributes;
}

std::string ReadSource::RowKeyOf(const Item& item) const {
  CHECK(table != nullptr);
  return index != nullptr ? IndexKeyOf(*table, *index, item) : ItemKeyOf(*table, item);
}

Result<Item> ReadSource::StartKeyOf(const Item& item) const {
  CHECK(table != nullptr);
  Item key;
  for (const KeyAttribute& attribute : StartKeyAttributes()) {
    const AttributeValue* value = item.Find(attribute.name);
    if (value == nullptr) {
      return Fail(ErrorCode::kCorruption, "table " + table->name +
                                              ": a stored item does not have the key attribute " +
                                              attribute.name);
    }
    key.Set(attribute.name, *value);
  }
  return key;
}

bool ReadSource::Projects(std::string_view attribute) const {
  if (index == nullptr || index->projection == ProjectionType::kAll ||
      table->IsKeyAttribute(attribute)) {
    return true;
  }
  const std::vector<KeyAttribute> keys = index->KeyAttributes();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const KeyAttribute& key) { return key.name == attribute; }) ||
         std::find(index->non_key_attributes.begin(), index->non_key_attributes.end(), attribute) !=
             index->non_key_attributes.end();
}

Result<ReadSource> FindSource(TablePtr table, const std::optional<std::string>& index_name,
                              bool consistent_read) {
  ReadSource source{.table = std::move(table)};
  if (!index_name) {
    return source;
  }
  source.index = source.table->FindIndex(*index_name);
  if (source.index == nullptr || source.index->status == IndexStatus::kDeleting) {
    return Fail(ErrorCode::kIndexNotFound,
                "The table does not have the specified index: " + *index_name);
  }
  if (source.index->global && consistent_read) {
    return Invalid("Consistent reads are not supported on global secondary indexes");
  }
  if (source.index->status == IndexStatus::kCreating) {
    return Invalid("Cannot read from backfilling global secondary index: " + *index_name);
  }
  return source;
}

Result<std::optional<HistoryKeeper::Lease>> LeaseFor(EngineCore& core, const ReadSource& source,
                                                     const std::optional<TimePoint>& as_of) {
  if (!as_of) {
    return std::nullopt;
  }
  if (source.index != nullptr) {
    return Invalid("An index has no history: read the table as of a moment, not the index " +
                   source.index->name);
  }
  return TRY(LeaseMoment(core, *source.table, *as_of));
}

Result<Selection> SelectFrom(const ReadSource& source, const std::optional<Select>& select,
                             const std::optional<expression::Projection>& projection) {
  Selection selection{.count_only = select == Select::kCount};
  if (source.index == nullptr) {
    return selection;
  }
  if (select == Select::kAllAttributes && source.index->projection != ProjectionType::kAll) {
    if (source.index->global) {
      return Invalid(
          "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported "
          "for global secondary index " +
          source.index->name + " because its projection type is not ALL");
    }
    selection.whole_items = true;
  }
  if (!projection) {
    return selection;
  }
  std::string missing;
  for (const std::string_view attribute : projection->TopLevelAttributes()) {
    if (!source.Projects(attribute)) {
      missing.append(missing.empty() ? "" : ", ").append(attribute);
    }
  }
  if (!missing.empty()) {
    if (source.index->global) {
      return Invalid("One or more parameter values were invalid: Global secondary index " +
                     source.index->name + " does not project [" + missing + "]");
    }
    selection.whole_items = true;
  }
  return selection;
}

Result<void> CheckFilterIsProjected(const ReadSource& source,
                                    const std::optional<expression::Condition>& filter) {
  if (!filter) {
    return {};
  }
  std::string missing;
  for (const std::string_view attribute : filter->TopLevelAttributes()) {
    if (!source.Projects(attribute)) {
      missing.append(missing.empty() ? "" : ", ").append(attribute);
    }
  }
  if (!missing.empty()) {
    return Invalid("One or more parameter values were invalid: Secondary index " +
                   source.index->name + " does not project one or more filter attributes: [" +
                   missing + "]");
  }
  return {};
}

Result<void> CheckStartKey(const ReadSource& source, const Item& start_key, api::Layer layer) {
  constexpr std::string_view kInvalidKey = "The provided starting key is invalid";
  const std::vector<KeyAttribute> attributes = source.StartKeyAttributes();
  const bool has_all = std::all_of(attributes.begin(), attributes.end(),
                                   [&](const auto& each) { return start_key.contains(each.name); });
  const auto refuse = [&](std::string_view why) {
    return Invalid(std::string(kInvalidKey) +
                   (layer == api::Layer::kOlder ? ": " + std::string(why) : ""));
  };
  if (start_key.size() != attributes.size() || !has_all) {
    return refuse("The provided key element does not match the schema");
  }
  const std::vector<KeyAttribute> index_sort =
      source.index != nullptr ? source.index->sort : std::vector<KeyAttribute>();
  for (const KeyAttribute& attribute : attributes) {
    const bool is_sort =
        attribute == source.table->sort ||
        std::find(index_sort.begin(), index_sort.end(), attribute) != index_sort.end();
    if (Result<void> fits = CheckKeyPart(attribute, start_key, is_sort); !fits) {
      return refuse(fits.error().message);
    }
  }
  return {};
}

}  // namespace stator::engine

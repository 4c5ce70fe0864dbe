#include "stores/entities/item_layout.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/try.h"
#include "stores/entities/failures.h"

namespace stator::entities::detail {

namespace {

using patterns::Attribute;
using patterns::Expiry;

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void AddOnce(const std::string& name, std::vector<std::string>& names) {
  if (!Contains(names, name)) {
    names.push_back(name);
  }
}

std::int64_t Milliseconds(TimePoint time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

void Copy(const Item& from, std::string_view name, Item& to) {
  if (const AttributeValue* value = from.Find(name); value != nullptr) {
    to.Set(std::string(name), *value);
  }
}

Result<std::uint16_t> ToVersion(std::string_view name, const AttributeValue& value) {
  const Number* number = value.If<Number>();
  const Result<std::int64_t> version = number == nullptr ? Invalid("") : number->ToInt64();
  if (!version || *version < 1 || *version > 65535) {
    return std::unexpected(MakeError(ErrorCode::kCorruption,
                                     std::string(name) + " is no version from 1 to 65535",
                                     {.path = std::string(name)}));
  }
  return static_cast<std::uint16_t>(*version);
}

// The attribute whose place a change writes to.
const std::string& TargetOf(const patterns::ExpressionPieces& change) {
  return std::get<patterns::ExpressionPiece::Name>(change.front().piece).name;
}

}  // namespace

patterns::VersioningNames RevisionNamesOf(const EntityDescription& entity) {
  const BookkeepingNames names = entity.names();
  const bool by_time = entity.lock == Lock::kLastWrite;
  return {.revision = std::string(by_time ? names.last_write : names.revision),
          .write_id = std::string(names.write_id),
          .recent_writes = std::string(names.write_ids),
          .tokens = std::string(names.write_tokens),
          .last_write = by_time ? std::nullopt : std::optional<std::string>(names.last_write)};
}

ItemLayout::ItemLayout(EntityDescription entity, Migrations migrations, const EntityCodec& codec)
    : entity_(std::move(entity)),
      migrations_(std::move(migrations)),
      codec_(codec),
      names_(entity_.names()),
      keys_(entity_.partition_key, entity_.sort_key),
      promoted_(entity_.promoted) {
  const patterns::VersioningNames revision = RevisionNamesOf(entity_);
  revision_ = {revision.revision, revision.write_id, revision.recent_writes, revision.tokens};
  if (revision.last_write) {
    revision_.push_back(*revision.last_write);
  }
  const auto reserve = [&](std::string_view name) {
    if (!Contains(entity_.fields, name)) {
      AddOnce(std::string(name), reserved_);
    }
  };
  const auto add_key = [&](const KeyDescription& key) {
    key_attributes_.push_back(key.attribute);
    reserve(key.attribute);
    for (const std::string& field : key.fields) {
      AddOnce(field, key_fields_);
      AddOnce(field, unpatchable_);
    }
  };
  const auto add_index_key = [&](const KeyDescription& key) {
    if (Contains(key_attributes_, key.attribute)) {
      return;
    }
    reserve(key.attribute);
    if (key.is_field) {
      AddOnce(key.attribute, promoted_);
      return;
    }
    index_attributes_.emplace_back(key);
    for (const std::string& field : key.fields) {
      AddOnce(field, unpatchable_);
    }
  };
  add_key(entity_.partition_key);
  if (entity_.sort_key) {
    add_key(*entity_.sort_key);
  }
  for (const IndexDescription& index : entity_.indexes) {
    add_index_key(index.partition_key);
    if (index.sort_key) {
      add_index_key(*index.sort_key);
    }
  }
  reserve(names_.data_version);
  reserve(names_.min_reader);
  if (entity_.created_at) {
    reserve(names_.created_at);
  }
  if (entity_.expiry_attribute) {
    reserve(*entity_.expiry_attribute);
    expiry_is_field_ = Contains(entity_.fields, *entity_.expiry_attribute);
    if (expiry_is_field_) {
      AddOnce(*entity_.expiry_attribute, promoted_);
    }
  }
  for (const std::string& field : entity_.unique) {
    AddOnce(field, unpatchable_);
  }
  if (entity_.layout == Layout::kNested) {
    for (const std::string& field : promoted_) {
      AddOnce(field, unpatchable_);
    }
  }
}

bool ItemLayout::IsNested(const AttributeValue* data) const {
  const Map* fields = data == nullptr ? nullptr : data->If<Map>();
  if (fields == nullptr || Contains(entity_.fields, names_.data)) {
    return false;
  }
  // An attribute of that name may be something else that a newer program has added to a flat item.
  return entity_.layout == Layout::kNested || key_fields_.empty() ||
         fields->contains(key_fields_.front());
}

void ItemLayout::Strip(Item& fields) const {
  for (const auto* names : {&reserved_, &revision_}) {
    for (const std::string& name : *names) {
      fields.Erase(name);
    }
  }
}

Result<Item> ItemLayout::Migrate(Item fields, std::uint16_t from) const {
  if (from < entity_.oldest_version) {
    return IsMissingMigration(from);
  }
  Strip(fields);
  for (std::uint16_t version = from; version < entity_.data_version; ++version) {
    const MigrationStep* step = migrations_.FindUp(version);
    if (step == nullptr) {
      return IsMissingMigration(version);
    }
    if (const Result<void> done = (*step)(fields); !done) {
      return std::unexpected(MakeError(ErrorCode::kCorruption, done.error().message,
                                       {.version = from, .cause = done.error()}));
    }
  }
  return fields;
}

Result<EntityState> ItemLayout::Read(patterns::VersionedItem stored) const {
  Result<EntityState> state(std::in_place);
  state->stored = std::move(stored);
  TRY_VOID(ReadFields(*state));
  return state;
}

Result<void> ItemLayout::ReadFields(EntityState& state) const {
  const Item& item = state.stored.item;
  const AttributeValue* data = nullptr;
  const AttributeValue* version = nullptr;
  // One walk, in which lengths tell most names apart, costs less than two searches.
  for (const auto& [name, value] : item) {
    if (name.size() == names_.data_version.size() && name == names_.data_version) {
      version = &value;
    } else if (name.size() == names_.data.size() && name == names_.data) {
      data = &value;
    }
  }
  state.nested = IsNested(data);
  state.stored_version =
      version == nullptr ? entity_.implicit_version : TRY(ToVersion(names_.data_version, *version));
  state.data_version = std::max(state.stored_version, entity_.data_version);
  if (state.stored_version > entity_.data_version) {
    const AttributeValue* min_reader = item.Find(names_.min_reader);
    const std::uint16_t needed = min_reader == nullptr
                                     ? state.stored_version
                                     : TRY(ToVersion(names_.min_reader, *min_reader));
    if (needed > entity_.data_version) {
      return IsFuture(state.stored_version, entity_.data_version);
    }
    state.read_only = true;
  }
  if (state.stored_version < entity_.data_version) {
    state.migrated = TRY(Migrate(state.Fields(), state.stored_version));
  }
  if (state.nested && expiry_is_field_) {
    // A renewal changes the copy at the top alone.
    if (!state.migrated) {
      state.migrated = state.Fields();
    }
    Copy(item, *entity_.expiry_attribute, *state.migrated);
  }
  return {};
}

Result<void> ItemLayout::CheckKey(const Item& fields, const EntityState& before) const {
  for (const std::string& field : key_fields_) {
    const AttributeValue* old = before.Fields().Find(field);
    const AttributeValue* now = fields.Find(field);
    if (old == nullptr || now == nullptr || *old != *now) {
      return Invalid("field " + field + " is a part of the key and cannot be changed");
    }
  }
  return {};
}

// Beside the fields of an item whose fields are elsewhere.
void ItemLayout::CopyBeside(const EntityState& before, Item& item) const {
  const Item& stored = before.stored.item;
  for (const std::string& name : key_attributes_) {
    Copy(stored, name, item);
  }
  if (entity_.created_at) {
    Copy(stored, names_.created_at, item);
  }
  if (entity_.expiry_attribute && !expiry_is_field_) {
    Copy(stored, *entity_.expiry_attribute, item);
  }
  if (!before.nested) {
    return;
  }
  for (const auto& [name, value] : stored) {
    if (name != names_.data && !Contains(reserved_, name) && !Contains(revision_, name) &&
        !Contains(entity_.fields, name)) {
      item.Set(name, value);
    }
  }
}

Result<Item> ItemLayout::ToLayout(Item fields) const {
  std::vector<std::pair<std::string, AttributeValue>> copies;
  if (entity_.layout == Layout::kNested) {
    for (const std::string& name : promoted_) {
      if (const AttributeValue* value = fields.Find(name); value != nullptr) {
        copies.emplace_back(name, *value);
      }
    }
  }
  for (const AttributeMaker& maker : index_attributes_) {
    if (std::optional<AttributeValue> value = TRY(maker.Make(fields)); value) {
      copies.emplace_back(maker.attribute(), *std::move(value));
    }
  }
  for (std::uint16_t version = entity_.data_version; version > entity_.write_as; --version) {
    const MigrationStep* step = migrations_.FindDown(version);
    if (Result<void> done = step == nullptr ? Invalid("no step") : (*step)(fields); !done) {
      return Invalid("version " + std::to_string(version) +
                     " cannot be written as an older one: " + done.error().message);
    }
  }
  Item item = entity_.layout == Layout::kFlat
                  ? std::move(fields)
                  : Item{{std::string(names_.data), AttributeValue(std::move(fields))}};
  for (const AttributeMaker& maker : index_attributes_) {
    item.Erase(maker.attribute());
  }
  for (auto& [name, value] : copies) {
    item.Set(std::move(name), std::move(value));
  }
  return item;
}

void ItemLayout::SetBookkeeping(const EntityState* before, TimePoint now, Item& item) const {
  item.Set(std::string(names_.data_version), entity_.write_as);
  if (entity_.min_reader) {
    item.Set(std::string(names_.min_reader), *entity_.min_reader);
  } else {
    item.Erase(names_.min_reader);
  }
  if (entity_.created_at && before == nullptr) {
    item.Set(std::string(names_.created_at), Milliseconds(now));
  }
}

Result<Item> ItemLayout::Write(Item fields, const EntityState* before, const ExpiryChange& expiry,
                               TimePoint now) const {
  Item key;
  if (before == nullptr) {
    key = TRY(keys_.Make(fields));
  } else {
    TRY_VOID(CheckKey(fields, *before));
    codec_.carry_unknown(before->Fields(), fields);
  }
  // An item that stays as it is carries everything that belongs to it.
  const bool same_place = before != nullptr && !before->nested && !before->migrated &&
                          entity_.layout == Layout::kFlat &&
                          entity_.write_as == entity_.data_version;
  if (before != nullptr && !same_place) {
    Strip(fields);
  }
  Item item = TRY(ToLayout(std::move(fields)));
  if (before != nullptr && !same_place) {
    CopyBeside(*before, item);
  }
  for (auto& [name, value] : key) {
    item.Set(name, std::move(value));
  }
  SetBookkeeping(before, now, item);
  if (expiry.expiry) {
    if (!entity_.expiry_attribute || expiry_is_field_) {
      return Invalid("the entity has no expiry beside its fields");
    }
    item.Set(*entity_.expiry_attribute, expiry.expiry->ToValue());
  } else if (!expiry.keeps && entity_.expiry_attribute && !expiry_is_field_) {
    item.Erase(*entity_.expiry_attribute);
  }
  return item;
}

Result<ExpiryChange> ItemLayout::ExpiryOfNew(const WriteOptions& options, TimePoint now) const {
  if (options.forever && (options.expiry || !entity_.expiry_attribute || expiry_is_field_)) {
    return Invalid(options.expiry ? "an entity that lives for ever has no expiry"
                                  : "the entity has no expiry beside its fields");
  }
  if (options.expiry || options.forever || !entity_.life) {
    return ExpiryChange{.keeps = false, .expiry = options.expiry};
  }
  return ExpiryChange{
      .keeps = false,
      .expiry = TRY(Expiry::At(std::chrono::ceil<std::chrono::seconds>(now + *entity_.life)))};
}

patterns::Update ItemLayout::WriteOver(const Item& item) const {
  patterns::Update update;
  for (const auto& [name, value] : item) {
    if (Contains(key_attributes_, name)) {
      continue;
    }
    if (entity_.created_at && name == names_.created_at) {
      update.SetIfMissing(name, value);
    } else {
      update.Set(name, value);
    }
  }
  const auto remove = [&](const std::string& name) {
    if (!item.contains(name) && !Contains(key_attributes_, name)) {
      update.Remove(name);
    }
  };
  for (const std::string& name : entity_.fields) {
    remove(name);
  }
  for (const std::string& name : reserved_) {
    remove(name);
  }
  if (!Contains(entity_.fields, names_.data)) {
    remove(std::string(names_.data));
  }
  return update;
}

Result<patterns::Update> ItemLayout::PatchOf(const patterns::Update& update) const {
  if (entity_.write_as != entity_.data_version) {
    return Invalid("a program that writes an older version cannot patch");
  }
  for (const auto* changes :
       {&update.sets(), &update.removes(), &update.adds(), &update.deletes()}) {
    for (const patterns::ExpressionPieces& change : *changes) {
      const std::string& name = TargetOf(change);
      if (Contains(reserved_, name) || Contains(unpatchable_, name) || name == names_.revision ||
          name == names_.write_id || name == names_.write_ids || name == names_.write_tokens ||
          name == names_.last_write ||
          (entity_.layout == Layout::kFlat && name == names_.data &&
           !Contains(entity_.fields, name))) {
        return Invalid("a patch cannot change " + name +
                       ": keys, indexes, unique values or bookkeeping depend on it");
      }
    }
  }
  return entity_.layout == Layout::kNested ? update.Inside(names_.data) : update;
}

patterns::Condition ItemLayout::ConditionOf(const patterns::Condition& condition) const {
  return entity_.layout == Layout::kNested && !condition.always() ? condition.Inside(names_.data)
                                                                  : condition;
}

patterns::Condition ItemLayout::IsCurrent() const {
  patterns::Condition current = Attribute(names_.data_version) == entity_.data_version;
  if (entity_.implicit_version == entity_.data_version) {
    current = current || Attribute(names_.data_version).NotExists();
  }
  if (entity_.layout == Layout::kNested) {
    return current && Attribute(names_.data).Exists();
  }
  return key_fields_.empty() ? current : current && Attribute(key_fields_.front()).Exists();
}

bool ItemLayout::IsCurrent(const EntityState& state) const {
  return state.stored_version == entity_.data_version &&
         state.nested == (entity_.layout == Layout::kNested);
}

}  // namespace stator::entities::detail

namespace stator::entities {

const Item& EntityState::Fields() const {
  if (migrated) {
    return *migrated;
  }
  if (nested) {
    if (const AttributeValue* data = stored.item.Find(NamesOf(Naming::kPlain).data)) {
      return *data->If<Map>();
    }
  }
  return stored.item;
}

std::optional<TimePoint> EntityState::TimeOf(std::string_view attribute) const {
  const AttributeValue* value = stored.item.Find(attribute);
  const Number* number = value == nullptr ? nullptr : value->If<Number>();
  const Result<std::int64_t> count = number == nullptr ? Invalid("") : number->ToInt64();
  return count ? std::optional(TimePoint(std::chrono::milliseconds(*count))) : std::nullopt;
}

}  // namespace stator::entities

// Entities while the program is compiled: their settings with everything filled in, their key
// templates taken apart, and the refusal of what cannot work, in words for whoever wrote it.
//
// Included by entity_traits.h, which declares what is used here.

#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/stores/entities/entity_traits.h"

namespace stator::entities::detail {

// NOLINTBEGIN(cppcoreguidelines-macro-usage): a member that may be missing has no other default.
#define STATOR_ENTITY_SETTING(type, name, otherwise)     \
  static constexpr type name = [] {                      \
    if constexpr (requires { EntityTraits<T>::name; }) { \
      return static_cast<type>(EntityTraits<T>::name);   \
    } else {                                             \
      return static_cast<type>(otherwise);               \
    }                                                    \
  }()
#define STATOR_ENTITY_LIST(element, name)                \
  static constexpr auto name = [] {                      \
    if constexpr (requires { EntityTraits<T>::name; }) { \
      return EntityTraits<T>::name;                      \
    } else {                                             \
      return std::array<element, 0>();                   \
    }                                                    \
  }()
// NOLINTEND(cppcoreguidelines-macro-usage)

template <class T>
struct SettingsOf {
  STATOR_ENTITY_SETTING(std::uint16_t, kDataVersion, 1);
  STATOR_ENTITY_SETTING(std::uint16_t, kOldestVersion, 1);
  STATOR_ENTITY_SETTING(std::uint16_t, kImplicitVersion, 1);
  STATOR_ENTITY_SETTING(std::uint16_t, kWriteAs, kDataVersion);
  STATOR_ENTITY_SETTING(std::optional<std::uint16_t>, kMinReader, std::nullopt);
  STATOR_ENTITY_SETTING(Layout, kLayout, Layout::kFlat);
  STATOR_ENTITY_SETTING(Naming, kNaming, Naming::kPlain);
  STATOR_ENTITY_SETTING(Lock, kLock, Lock::kRevision);
  STATOR_ENTITY_SETTING(bool, kCreatedAt, false);
  STATOR_ENTITY_SETTING(bool, kOwnerPartitioned, false);
  STATOR_ENTITY_SETTING(std::string_view, kExpiry, "");
  STATOR_ENTITY_SETTING(std::chrono::seconds, kLife, std::chrono::seconds::zero());
  STATOR_ENTITY_LIST(Index, kIndexes);
  STATOR_ENTITY_LIST(std::string_view, kUnique);
  STATOR_ENTITY_LIST(std::string_view, kPromoted);
};

#undef STATOR_ENTITY_SETTING
#undef STATOR_ENTITY_LIST

// One part of a template: text, or a field and how many digits it has at least.
struct TemplatePart {
  std::string_view text = {};
  std::string_view field = {};
  std::size_t digits = 0;
};

enum class TemplateFault : std::uint8_t {
  kNone,
  kEmpty,
  kBraces,
  kUnknownField,  // or one that is neither text nor number
  kOptionalField,
  kAdjacentFields,
  kDigits,
};

// Takes one part off the front of `text`. False when braces or digits are wrong.
constexpr bool TakePart(std::string_view& text, TemplatePart& part) {
  part = {};
  if (text.front() != '{') {
    part.text = text.substr(0, text.find_first_of("{}"));
    text.remove_prefix(part.text.size());
    return text.empty() || text.front() == '{';
  }
  const std::size_t end = text.find('}');
  if (end == std::string_view::npos || end == 1) {
    return false;
  }
  part.field = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  const std::size_t colon = part.field.find(':');
  if (colon == std::string_view::npos) {
    return true;
  }
  for (const char digit : part.field.substr(colon + 1)) {
    if (digit < '0' || digit > '9') {
      return false;
    }
    part.digits = (part.digits * 10) + static_cast<std::size_t>(digit - '0');
  }
  part.field = part.field.substr(0, colon);
  return part.digits >= 1 && part.digits <= 38;
}

// The type of the field with that stored name; nothing if there is none, or no certain type.
template <class T>
constexpr std::optional<AttributeValue::Type> TypeOfField(std::string_view name) {
  std::optional<AttributeValue::Type> type;
  [&]<std::size_t... kPlace>(std::index_sequence<kPlace...>) {
    ((mapping::kFieldNames<T>[kPlace] == name
          ? void(type = mapping::Codec<typename mapping::FieldAt<T, kPlace>::Type>::TypeOf(
                     mapping::FieldAt<T, kPlace>::kOptions))
          : void()),
     ...);
  }(std::make_index_sequence<mapping::TableOf<T>::kFields>());
  return type;
}

template <class T>
constexpr bool MayBeAbsent(std::string_view name) {
  bool absent = false;
  [&]<std::size_t... kPlace>(std::index_sequence<kPlace...>) {
    ((mapping::kFieldNames<T>[kPlace] == name
          ? void(absent = mapping::Codec<typename mapping::FieldAt<T, kPlace>::Type>::kTraits
                              .may_be_absent)
          : void()),
     ...);
  }(std::make_index_sequence<mapping::TableOf<T>::kFields>());
  return absent;
}

constexpr bool IsText(std::optional<AttributeValue::Type> type) {
  return type == AttributeValue::Type::kString;
}
constexpr bool IsNumber(std::optional<AttributeValue::Type> type) {
  return type == AttributeValue::Type::kNumber;
}
constexpr bool IsBinary(std::optional<AttributeValue::Type> type) {
  return type == AttributeValue::Type::kBinary;
}

// The field that the template is, or nothing.
constexpr std::string_view FieldAlone(std::string_view text) {
  TemplatePart part;
  return !text.empty() && TakePart(text, part) && text.empty() && part.digits == 0 ? part.field
                                                                                   : "";
}

template <class T>
constexpr TemplateFault FaultOfField(const TemplatePart& part, bool alone, bool may_be_absent) {
  const auto type = TypeOfField<T>(part.field);
  if (!IsText(type) && !IsNumber(type) && !(alone && IsBinary(type))) {
    return TemplateFault::kUnknownField;
  }
  if (!may_be_absent && MayBeAbsent<T>(part.field)) {
    return TemplateFault::kOptionalField;
  }
  return part.digits != 0 && !IsNumber(type) ? TemplateFault::kDigits : TemplateFault::kNone;
}

template <class T>
constexpr TemplateFault FaultOf(std::string_view text, bool may_be_absent) {
  if (text.empty()) {
    return TemplateFault::kEmpty;
  }
  const bool alone = !FieldAlone(text).empty();
  bool field_before = false;
  while (!text.empty()) {
    TemplatePart part;
    if (!TakePart(text, part)) {
      return TemplateFault::kBraces;
    }
    if (part.field.empty()) {
      field_before = false;
      continue;
    }
    if (field_before) {
      return TemplateFault::kAdjacentFields;
    }
    field_before = true;
    if (const TemplateFault fault = FaultOfField<T>(part, alone, may_be_absent);
        fault != TemplateFault::kNone) {
      return fault;
    }
  }
  return TemplateFault::kNone;
}

template <class T, TemplateFault kFault>
struct CheckTemplate {
  static_assert(kFault != TemplateFault::kEmpty, "stator: a key template is empty");
  static_assert(kFault != TemplateFault::kBraces,
                "stator: a key template has braces that are not of the form {field} or {field:08}");
  static_assert(kFault != TemplateFault::kUnknownField,
                "stator: a key template names a field that does not exist, or that is neither text "
                "nor number");
  static_assert(kFault != TemplateFault::kOptionalField,
                "stator: a key cannot be made of a field that may be absent");
  static_assert(kFault != TemplateFault::kAdjacentFields,
                "stator: two fields of a key template need text between them, or different "
                "entities would share a key");
  static_assert(kFault != TemplateFault::kDigits,
                "stator: {field:08} is for fields that are numbers");
};

constexpr std::string_view AttributeOf(const KeyTemplate& key, std::string_view otherwise) {
  return key.attribute.empty() ? otherwise : key.attribute;
}

// Whether the key attribute may have the name of a field: it is that field.
template <class T>
constexpr bool KeyCollides(const KeyTemplate& key, std::string_view otherwise) {
  const std::string_view attribute = AttributeOf(key, otherwise);
  return HasAttribute<T>(attribute) && FieldAlone(key.text) != attribute;
}

template <class T>
constexpr bool HasSortKey() {
  return requires { EntityTraits<T>::kSortKey; };
}

// The first field whose name is needed for something else.
template <class T>
constexpr std::string_view FirstCollision() {
  using Settings = SettingsOf<T>;
  constexpr BookkeepingNames kNames = NamesOf(Settings::kNaming);
  for (const std::string_view name :
       {kNames.data_version, kNames.min_reader, kNames.revision, kNames.write_id, kNames.write_ids,
        kNames.write_tokens, kNames.last_write}) {
    if (HasAttribute<T>(name)) {
      return name;
    }
  }
  if (Settings::kCreatedAt && HasAttribute<T>(kNames.created_at)) {
    return kNames.created_at;
  }
  if (Settings::kLayout == Layout::kNested && HasAttribute<T>(kNames.data)) {
    return kNames.data;
  }
  if (KeyCollides<T>(EntityTraits<T>::kPartitionKey, "pk")) {
    return AttributeOf(EntityTraits<T>::kPartitionKey, "pk");
  }
  if constexpr (HasSortKey<T>()) {
    if (KeyCollides<T>(EntityTraits<T>::kSortKey, "sk")) {
      return AttributeOf(EntityTraits<T>::kSortKey, "sk");
    }
  }
  return {};
}

template <class T, mapping::ShownName kField>
struct CheckFieldNames {
  static_assert(kField.text[0] == '\0',
                "stator: a field has a name that the key or the bookkeeping of the entity needs "
                "(shown as kField); rename it, or store it as another name");
};

template <class T>
constexpr bool AreFields(const auto& names) {
  return std::all_of(names.begin(), names.end(),
                     [](std::string_view name) { return TypeOfField<T>(name).has_value(); });
}

template <class T>
constexpr TemplateFault FaultOfIndexes() {
  for (const Index& index : SettingsOf<T>::kIndexes) {
    TemplateFault fault = FaultOf<T>(index.partition_key.text, true);
    if (fault == TemplateFault::kNone && index.sort_key) {
      fault = FaultOf<T>(index.sort_key->text, true);
    }
    if (fault != TemplateFault::kNone) {
      return fault;
    }
  }
  return TemplateFault::kNone;
}

template <class T>
constexpr bool IndexKeyIsNamed(const KeyTemplate& key) {
  const std::string_view attribute = AttributeOf(key, FieldAlone(key.text));
  return !attribute.empty() && !KeyCollides<T>(key, FieldAlone(key.text));
}

template <class T>
constexpr bool IndexesAreNamed() {
  const auto& indexes = SettingsOf<T>::kIndexes;
  return std::all_of(indexes.begin(), indexes.end(), [](const Index& index) {
    return !index.name.empty() && IndexKeyIsNamed<T>(index.partition_key) &&
           (!index.sort_key || IndexKeyIsNamed<T>(*index.sort_key));
  });
}

template <class T>
constexpr bool VersionsAreOrdered() {
  using Settings = SettingsOf<T>;
  return Settings::kOldestVersion >= 1 && Settings::kOldestVersion <= Settings::kWriteAs &&
         Settings::kWriteAs <= Settings::kDataVersion &&
         Settings::kImplicitVersion >= Settings::kOldestVersion &&
         Settings::kImplicitVersion <= Settings::kDataVersion &&
         (!Settings::kMinReader ||
          (*Settings::kMinReader >= 1 && *Settings::kMinReader <= Settings::kWriteAs));
}

template <class T>
constexpr bool ExpiryIsSound() {
  constexpr std::string_view kExpiry = SettingsOf<T>::kExpiry;
  return kExpiry.empty() || !HasAttribute<T>(kExpiry) || IsNumber(TypeOfField<T>(kExpiry));
}

// What expires beside its fields says how long it lives, everything else does not.
template <class T>
constexpr bool LifeIsSaid() {
  using Settings = SettingsOf<T>;
  const bool expires_beside = !Settings::kExpiry.empty() && !HasAttribute<T>(Settings::kExpiry);
  return expires_beside ? Settings::kLife > std::chrono::seconds::zero()
                        : Settings::kLife == std::chrono::seconds::zero();
}

template <class T>
constexpr bool CheckKeys() {
  static_cast<void>(CheckTemplate<T, FaultOf<T>(EntityTraits<T>::kPartitionKey.text, false)>());
  if constexpr (HasSortKey<T>()) {
    static_cast<void>(CheckTemplate<T, FaultOf<T>(EntityTraits<T>::kSortKey.text, false)>());
  }
  static_cast<void>(CheckTemplate<T, FaultOfIndexes<T>()>());
  static_cast<void>(CheckFieldNames<T, mapping::Show(FirstCollision<T>())>());
  static_assert(IndexesAreNamed<T>(),
                "stator: an index needs a name, and its keys need an attribute that is no other "
                "field: name it, unless the template is one field alone");
  return true;
}

template <class T>
constexpr bool CheckEntity() {
  using Settings = SettingsOf<T>;
  static_assert(!EntityTraits<T>::kName.empty(), "stator: an entity has no name");
  static_assert(VersionsAreOrdered<T>(),
                "stator: versions have to be 1 <= kOldestVersion <= kWriteAs <= kDataVersion, "
                "kImplicitVersion one that is read, and kMinReader at most kWriteAs");
  static_assert(
      Settings::kOldestVersion == Settings::kDataVersion || requires {
        EntityTraits<T>::MakeMigrations();
      }, "stator: an entity with older versions needs MakeMigrations");
  static_assert(AreFields<T>(Settings::kUnique) && AreFields<T>(Settings::kPromoted),
                "stator: kUnique or kPromoted names a field that does not exist");
  static_assert(ExpiryIsSound<T>(), "stator: the expiry of an entity is a number of seconds");
  static_assert(
      LifeIsSaid<T>(),
      "stator: an entity with a kExpiry that is no field needs a kLife (how long one lives "
      "unless its write says otherwise, or kForever), and no other entity has one");
  static_assert(Settings::kUnique.size() == 0 || Settings::kExpiry.empty(),
                "stator: an entity that expires cannot have unique fields, because nobody would "
                "free their values");
  return CheckKeys<T>();
}

// Attributes of the item that are not the entity's own, other than fields: keys, bookkeeping, what
// indexes and expiry need.
template <class T>
constexpr auto MakeReservedNames() {
  using Settings = SettingsOf<T>;
  constexpr BookkeepingNames kNames = NamesOf(Settings::kNaming);
  std::array<std::string_view, 12 + (2 * Settings::kIndexes.size())> names = {
      kNames.data_version, kNames.min_reader,
      kNames.revision,     kNames.write_id,
      kNames.write_ids,    kNames.write_tokens,
      kNames.last_write,   AttributeOf(EntityTraits<T>::kPartitionKey, "pk"),
      Settings::kExpiry,
  };
  std::size_t count = 9;
  if constexpr (HasSortKey<T>()) {
    names[count++] = AttributeOf(EntityTraits<T>::kSortKey, "sk");
  }
  if (Settings::kCreatedAt) {
    names[count++] = kNames.created_at;
  }
  for (const Index& index : Settings::kIndexes) {
    names[count++] = AttributeOf(index.partition_key, FieldAlone(index.partition_key.text));
    if (index.sort_key) {
      names[count++] = AttributeOf(*index.sort_key, FieldAlone(index.sort_key->text));
    }
  }
  return names;  // the rest is empty, which is no attribute's name
}
template <class T>
inline constexpr auto kReservedNames = MakeReservedNames<T>();

// What a changed entity does not take over from the item it was read from: its own fields, and the
// revision, which every write makes anew. Sorted.
template <class T>
constexpr auto MakeNamesNotCarried() {
  constexpr BookkeepingNames kNames = NamesOf(SettingsOf<T>::kNaming);
  constexpr auto& kKnown = mapping::kKnownNames<T>;
  std::array<std::string_view, kKnown.size() + 5> names = {};
  auto end = std::copy(kKnown.begin(), kKnown.end(), names.begin());
  *end++ = kNames.write_id;
  *end++ = kNames.write_ids;
  *end++ = kNames.write_tokens;
  *end++ = kNames.last_write;
  // Where the time is the lock, an attribute of that name is somebody else's.
  *end++ = SettingsOf<T>::kLock == Lock::kRevision ? kNames.revision : kNames.write_id;
  std::sort(names.begin(), names.end());
  return names;
}
template <class T>
inline constexpr auto kNamesNotCarried = MakeNamesNotCarried<T>();

// From here on, while the program runs.

template <class T>
Migrations MigrationsOf() {
  if constexpr (requires { EntityTraits<T>::MakeMigrations(); }) {
    return EntityTraits<T>::MakeMigrations();
  } else {
    return {};
  }
}

template <class T>
KeyDescription DescribeKey(const KeyTemplate& key, std::string_view otherwise) {
  KeyDescription described{.attribute = std::string(AttributeOf(key, otherwise)),
                           .text = std::string(key.text)};
  const std::string_view alone = FieldAlone(key.text);
  described.is_field = alone == described.attribute;
  if (!alone.empty()) {
    const auto type = TypeOfField<T>(alone);
    described.type = IsNumber(type)   ? ScalarAttributeType::kNumber
                     : IsBinary(type) ? ScalarAttributeType::kBinary
                                      : ScalarAttributeType::kString;
  }
  for (std::string_view text = key.text; !text.empty();) {
    TemplatePart part;
    if (!TakePart(text, part)) {
      break;
    }
    if (!part.field.empty()) {
      described.fields.emplace_back(part.field);
    }
  }
  return described;
}

template <class T>
IndexDescription DescribeIndex(const Index& index) {
  IndexDescription described{
      .name = std::string(index.name),
      .local = index.local,
      .partition_key = DescribeKey<T>(index.partition_key, FieldAlone(index.partition_key.text)),
      .projection = index.projection};
  if (index.sort_key) {
    described.sort_key = DescribeKey<T>(*index.sort_key, FieldAlone(index.sort_key->text));
  }
  for (const std::string_view name : index.projected) {
    if (!name.empty()) {
      described.projected.emplace_back(name);
    }
  }
  return described;
}

void AddNames(const auto& names, std::vector<std::string>& out) {
  out.insert(out.end(), names.begin(), names.end());
}

}  // namespace stator::entities::detail

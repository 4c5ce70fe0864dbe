// An entity as it was read or written: its value, and what is known about the item beside it.
//
//   const auto account = accounts.Read({"a1"});
//   Versioned<Account> changed = **account;
//   changed.data.balance += 5;
//   accounts.Update(changed);             // only if nobody else has written since
//
// Copies are as large as the item and the value together.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/versioning.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/entity_traits.h"
#include "stator/value/attribute_value.h"

namespace stator::entities {

// Everything about a stored entity except its C++ value. Made by repositories.
struct EntityState {
  // The item as the database has it.
  patterns::VersionedItem stored = {};
  // The fields in the shape of today, when the item has them in another one.
  std::optional<Item> migrated = std::nullopt;
  bool nested = false;  // the item has its fields in a map
  std::uint16_t stored_version = 0;
  std::uint16_t data_version = 0;  // of Fields()
  // Written by a newer program: it can be read, but writing it would lose what it means.
  bool read_only = false;

  // The fields in the shape of today, perhaps among other attributes of the item.
  [[nodiscard]] const Item& Fields() const;
  // What an attribute that counts milliseconds says.
  [[nodiscard]] std::optional<TimePoint> TimeOf(std::string_view attribute) const;
};

template <Entity T>
struct Versioned {
  T data = {};
  EntityState state = {};

  [[nodiscard]] std::uint64_t rev() const { return state.stored.revision.number; }
  [[nodiscard]] const std::string& write_id() const { return state.stored.revision.write_id; }
  [[nodiscard]] std::uint16_t data_version() const { return state.data_version; }
  // In which version it is stored, if not in the current one.
  [[nodiscard]] std::optional<std::uint16_t> migrated_from() const {
    return state.stored_version < state.data_version ? std::optional(state.stored_version)
                                                     : std::nullopt;
  }
  [[nodiscard]] bool read_only() const { return state.read_only; }
  [[nodiscard]] std::optional<TimePoint> last_write() const {
    return state.TimeOf(kNames.last_write);
  }
  // Nothing, unless the entity says that it keeps it.
  [[nodiscard]] std::optional<TimePoint> created_at() const {
    return Settings::kCreatedAt ? state.TimeOf(kNames.created_at) : std::nullopt;
  }
  [[nodiscard]] std::optional<patterns::Expiry> expiry() const {
    return patterns::Expiry::Of(state.stored.item, Settings::kExpiry);
  }

  // Attributes that T does not know, left by newer or older programs. Writing keeps them.
  [[nodiscard]] Item extra() const {
    Item unknown = UnknownAttributesOf<T>(state.Fields());
    for (const std::string_view name : detail::kReservedNames<T>) {
      unknown.Erase(name);
    }
    return unknown;
  }

 private:
  using Settings = detail::SettingsOf<T>;
  static constexpr BookkeepingNames kNames = NamesOf(Settings::kNaming);
};

}  // namespace stator::entities

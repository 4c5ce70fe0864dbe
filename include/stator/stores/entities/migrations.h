// From the shapes in which an entity was stored to the one in which it is stored now, one version
// at a time, when an item is read.
//
//   Migrations()
//       .Up(1, [](Item& account) { Rename(account, "memo", "note"); })        // 1 to 2
//       .Up(2, [](Item& account) { account["currency"] = "EUR"; })            // 2 to 3
//       .Down(3, [](Item& account) { account.Erase("currency"); })            // 3 to 2
//
// A step works on attributes, not on the C++ struct, so no struct of the past has to be kept. It
// sees the fields and whatever else a newer program may have added, without keys and bookkeeping,
// and depends on nothing but them: it may run at every read until somebody writes the item.
//
// What no step can change is the key, because then it is another item: nor the attributes of
// indexes and of expiry. That takes a copy of the table.

#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/value/attribute_value.h"

namespace stator::entities {

// Returns nothing, or Result<void>.
class MigrationStep {
 public:
  template <class Function>
    requires std::invocable<const Function&, Item&>
  // NOLINTNEXTLINE(google-explicit-constructor): lambdas are passed as they are.
  MigrationStep(Function function)
      : function_([step = std::move(function)](Item& item) -> Result<void> {
          if constexpr (std::is_void_v<std::invoke_result_t<const Function&, Item&>>) {
            step(item);
            return {};
          } else {
            return step(item);
          }
        }) {}

  Result<void> operator()(Item& item) const { return function_(item); }

 private:
  std::function<Result<void>(Item&)> function_;
};

class Migrations {
 public:
  // From version `from` to the one after it.
  Migrations& Up(std::uint16_t from, MigrationStep step);
  // From version `from` to the one before it: for a program that still writes what older ones read.
  Migrations& Down(std::uint16_t from, MigrationStep step);

  [[nodiscard]] std::vector<std::uint16_t> ups() const;
  [[nodiscard]] std::vector<std::uint16_t> downs() const;

  // Null when there is no such step.
  [[nodiscard]] const MigrationStep* FindUp(std::uint16_t from) const;
  [[nodiscard]] const MigrationStep* FindDown(std::uint16_t from) const;

 private:
  std::map<std::uint16_t, MigrationStep> ups_;
  std::map<std::uint16_t, MigrationStep> downs_;
};

// Whether every version from the oldest to the current one can be read, and write_as be written.
// The message names the step that is missing or too many.
Result<void> CheckVersions(const EntityDescription& entity);

// The attribute under another name; nothing when there is none.
void Rename(Item& item, std::string_view from, std::string to);

}  // namespace stator::entities

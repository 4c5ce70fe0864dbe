// The arguments of a call of a table tool, one by one. Their JSON types were checked against the
// tool's schema; what they mean was not.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/common.h"
#include "stator/base/result.h"
#include "stator/stores/tasks/json.h"
#include "stator/value/attribute_value.h"

namespace stator::hosting {

inline constexpr std::int32_t kPageItems = 25;
inline constexpr std::int32_t kPageItemsMax = 200;

// Values are plain JSON, or DynamoDB JSON when the call says that they are typed.
class TableArguments {
 public:
  // `hidden`: tables that are not there for this call. Both outlive the object.
  TableArguments(const tasks::Json& arguments, const std::vector<std::string>& hidden)
      : arguments_(arguments), hidden_(hidden) {}

  [[nodiscard]] bool is_typed() const { return Flag("typed"); }
  [[nodiscard]] bool Flag(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> Text(std::string_view name) const {
    return arguments_.TextOf(name);
  }

  // Fails with kTableNotFound for a hidden one, as if there were none.
  [[nodiscard]] Result<std::string> Table() const;
  [[nodiscard]] Result<void> CheckTable(std::string_view name) const;

  [[nodiscard]] Result<Item> ItemOf(std::string_view name) const;
  [[nodiscard]] Result<std::optional<Map>> Values() const;
  [[nodiscard]] Result<std::optional<AttributeNames>> Names() const;
  // Of a statement.
  [[nodiscard]] Result<std::optional<std::vector<AttributeValue>>> Parameters() const;
  // Of the page before; it is DynamoDB JSON and came from us.
  [[nodiscard]] Result<std::optional<Item>> StartKey() const;
  [[nodiscard]] std::int32_t Limit() const;

 private:
  [[nodiscard]] Result<AttributeValue> ToValue(const tasks::Json& json) const;
  [[nodiscard]] Result<Map> ToMap(const tasks::Json& json) const;

  const tasks::Json& arguments_;
  const std::vector<std::string>& hidden_;
};

// An item as the call wants to see it.
Result<tasks::Json> ToJson(const Item& item, bool is_typed);

}  // namespace stator::hosting

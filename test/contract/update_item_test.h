// For tests: the fixture of the UpdateItem cases.

#pragma once

#include <optional>
#include <string>
#include <utility>

#include "contract/contract_test.h"

namespace stator::contract {

// A table "things" with the key pk; every update is of the item "a".
class UpdateItemTest : public ContractTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S"}); }

  [[nodiscard]] Result<UpdateItemOutput> Update(const std::string& expression,
                                                std::optional<Map> values = std::nullopt,
                                                ReturnValues wanted = ReturnValues::kNone) {
    return db().UpdateItem({.table_name = "things",
                            .key = {{"pk", "a"}},
                            .update_expression = expression,
                            .expression_attribute_values = std::move(values),
                            .return_values = wanted});
  }

  // The item "a" without its key; nothing when there is none.
  [[nodiscard]] std::optional<Item> Rest() {
    std::optional<Item> item = Get("things", {{"pk", "a"}});
    if (item) {
      item->Erase("pk");
    }
    return item;
  }

  void Set(Item rest) {
    rest.Set("pk", "a");
    Put("things", rest);
  }
};

}  // namespace stator::contract

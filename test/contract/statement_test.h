// For tests: what the cases about statements are written with.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/contract_test.h"

namespace stator::contract {

using Parameters = std::optional<std::vector<AttributeValue>>;

class StatementTest : public ContractTest {
 protected:
  [[nodiscard]] Result<ExecuteStatementOutput> Run(std::string statement,
                                                   Parameters parameters = std::nullopt) {
    return db().ExecuteStatement(
        {.statement = std::move(statement), .parameters = std::move(parameters)});
  }

  // What is selected, page by page.
  [[nodiscard]] std::vector<Item> Selected(ExecuteStatementInput input) {
    std::vector<Item> items;
    int pages_left = 1000;
    do {
      ExecuteStatementOutput page = Must(db().ExecuteStatement(input));
      for (Item& item : page.items) {
        items.push_back(std::move(item));
      }
      input.next_token = std::move(page.next_token);
    } while (input.next_token && --pages_left > 0);
    EXPECT_GT(pages_left, 0) << "it never ends";
    return items;
  }
  [[nodiscard]] std::vector<Item> Selected(std::string statement,
                                           Parameters parameters = std::nullopt) {
    return Selected(ExecuteStatementInput{.statement = std::move(statement),
                                          .parameters = std::move(parameters)});
  }

  // One attribute of each, in the order in which they came.
  [[nodiscard]] static std::vector<AttributeValue> Column(const std::vector<Item>& items,
                                                          const std::string& name) {
    std::vector<AttributeValue> values;
    for (const Item& item : items) {
      const AttributeValue* value = item.Find(name);
      values.push_back(value != nullptr ? *value : AttributeValue(Null{}));
    }
    return values;
  }

  using Values = std::vector<AttributeValue>;
};

}  // namespace stator::contract

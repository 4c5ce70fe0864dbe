// From conditions and updates to the inputs of Database.
//
//   database.PutItem(MakePut("users", user, Attribute("pk").NotExists()));
//   database.UpdateItem(MakeUpdate("users", key, Update().Add("logins", 1),
//   Attribute("pk").Exists()));
//
// The writes made here ask for the item when the condition fails, so whoever lost a race sees at
// once against what (FindItem below), without another read.
//
// For anything else there is Placeholders, one object per request:
//
//   Placeholders placeholders;
//   QueryInput input{.table_name = "orders"};
//   input.key_condition_expression = placeholders.Compile(Attribute("pk") == customer);
//   input.filter_expression = placeholders.Compile(Attribute("total") > 100);
//   placeholders.Fill(input);

#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/common.h"
#include "stator/api/delete_item.h"
#include "stator/api/put_item.h"
#include "stator/api/update_item.h"
#include "stator/base/result.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/update.h"

namespace stator::patterns {

// The placeholders of one request. A name that occurs twice has one placeholder; every value has
// its own, so that the text of an expression depends on its shape alone and servers can cache what
// it compiles to.
class Placeholders {
 public:
  // Nothing for a condition that always holds, an empty update, an empty projection: the member of
  // the input stays absent.
  [[nodiscard]] std::optional<std::string> Compile(const Condition& condition);
  [[nodiscard]] std::optional<std::string> Compile(const Update& update);
  [[nodiscard]] std::optional<std::string> Compile(const std::vector<Attribute>& projection);

  [[nodiscard]] const AttributeNames& names() const { return names_; }
  [[nodiscard]] const Map& values() const { return values_; }

  // Hands names and values to the input; absent when there are none, as DynamoDB insists.
  template <class Input>
  void Fill(Input& input) const {
    if (!names_.empty()) {
      input.expression_attribute_names = names_;
    }
    if constexpr (requires { input.expression_attribute_values; }) {
      if (!values_.empty()) {
        input.expression_attribute_values = values_;
      }
    }
  }

 private:
  void AppendPieces(const ExpressionPieces& pieces, std::string& out);
  void AppendClause(const char* keyword, const std::vector<ExpressionPieces>& changes,
                    std::string& out);
  std::string NameOf(const std::string& name);
  std::string AddValue(const AttributeValue& value);

  AttributeNames names_;
  std::vector<std::pair<std::string, std::string>> order_;  // name, placeholder; few of them
  Map values_;
};

PutItemInput MakePut(std::string table_name, Item item, const Condition& condition = {});
UpdateItemInput MakeUpdate(std::string table_name, Item key, const Update& update,
                           const Condition& condition = {});
DeleteItemInput MakeDelete(std::string table_name, Item key, const Condition& condition = {});

// The item that a failed condition was about; null when there was none, or for another error.
const Item* FindItem(const Error& error);

}  // namespace stator::patterns

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
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
  Placeholders() = default;
  Placeholders(Placeholders&&) = default;
  Placeholders& operator=(Placeholders&&) = default;
  Placeholders(const Placeholders&) = delete;
  Placeholders& operator=(const Placeholders&) = delete;
  ~Placeholders() = default;

  // Nothing for a condition that always holds, an empty update, an empty projection: the member of
  // the input stays absent.
  [[nodiscard]] std::optional<std::string> Compile(const Condition& condition);
  [[nodiscard]] std::optional<std::string> Compile(const Update& update);
  [[nodiscard]] std::optional<std::string> Compile(const std::vector<Attribute>& projection);

  // For those who write an expression as they go: the placeholder of a name, or of a value, behind
  // `text`.
  void AppendName(std::string_view name, std::string& text);
  void AppendValue(AttributeValue value, std::string& text);

  [[nodiscard]] const AttributeNames& names() const { return names_; }
  [[nodiscard]] const Map& values() const { return values_; }

  // Hands names and values to the input; absent when there are none, as DynamoDB insists.
  template <class Input>
  void Fill(Input& input) const& {
    if (!names_.empty()) {
      input.expression_attribute_names = names_;
    }
    if constexpr (requires { input.expression_attribute_values; }) {
      if (!values_.empty()) {
        input.expression_attribute_values = values_;
      }
    }
  }
  // The same by moving them.
  template <class Input>
  void Fill(Input& input) && {
    if (!names_.empty()) {
      input.expression_attribute_names = std::move(names_);
    }
    if constexpr (requires { input.expression_attribute_values; }) {
      if (!values_.empty()) {
        input.expression_attribute_values = std::move(values_);
      }
    }
  }

 private:
  void AppendPieces(const ExpressionPieces& pieces, std::string& out);
  void AppendClause(const char* keyword, const std::vector<ExpressionPieces>& changes,
                    std::string& out);

  AttributeNames names_;
  std::vector<AttributeNames::const_iterator> order_;  // in which they came; few of them
  Map values_;
};

// An update of whole attributes, written as it goes: what Update compiles to, without its pieces.
class UpdateText {
 public:
  // `placeholders` must outlive it.
  explicit UpdateText(Placeholders& placeholders) : placeholders_(&placeholders) {}

  void Set(std::string_view name, AttributeValue value);
  // `name` must outlive it.
  void Remove(std::string_view name) { removed_.push_back(name); }

  [[nodiscard]] std::size_t size() const { return sets_ + removed_.size(); }

  // REQUIRES: size() > 0.
  [[nodiscard]] std::string Take() &&;

 private:
  Placeholders* placeholders_;
  std::string text_;
  std::size_t sets_ = 0;
  std::vector<std::string_view> removed_;
};

PutItemInput MakePut(std::string table_name, Item item, const Condition& condition = {});
UpdateItemInput MakeUpdate(std::string table_name, Item key, const Update& update,
                           const Condition& condition = {});
DeleteItemInput MakeDelete(std::string table_name, Item key, const Condition& condition = {});

// The item that a failed condition was about; null when there was none, or for another error.
const Item* FindItem(const Error& error);

}  // namespace stator::patterns

#include "stator/patterns/requests.h"

#include <utility>
#include <variant>

#include "stator/api/error_details.h"

namespace stator::patterns {

namespace {

template <class Input>
Input Conditional(Input input, Placeholders& placeholders, const Condition& condition) {
  input.condition_expression = placeholders.Compile(condition);
  if (!condition.always()) {
    input.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  }
  placeholders.Fill(input);
  return input;
}

}  // namespace

std::string Placeholders::NameOf(const std::string& name) {
  for (const auto& [known, placeholder] : order_) {
    if (known == name) {
      return placeholder;
    }
  }
  std::string placeholder = "#n" + std::to_string(order_.size());
  names_.emplace(placeholder, name);
  order_.emplace_back(name, placeholder);
  return placeholder;
}

std::string Placeholders::AddValue(const AttributeValue& value) {
  std::string placeholder = ":v" + std::to_string(values_.size());
  values_.Set(placeholder, value);
  return placeholder;
}

void Placeholders::AppendPieces(const ExpressionPieces& pieces, std::string& out) {
  for (const ExpressionPiece& piece : pieces) {
    if (const auto* text = std::get_if<ExpressionPiece::Text>(&piece.piece)) {
      out += text->text;
    } else if (const auto* name = std::get_if<ExpressionPiece::Name>(&piece.piece)) {
      out += NameOf(name->name);
    } else {
      out += AddValue(std::get<ExpressionPiece::Value>(piece.piece).value);
    }
  }
}

void Placeholders::AppendClause(const char* keyword, const std::vector<ExpressionPieces>& changes,
                                std::string& out) {
  if (changes.empty()) {
    return;
  }
  if (!out.empty()) {
    out += ' ';
  }
  const char* before = " ";
  out += keyword;
  for (const ExpressionPieces& change : changes) {
    out += before;
    AppendPieces(change, out);
    before = ", ";
  }
}

std::optional<std::string> Placeholders::Compile(const Condition& condition) {
  if (condition.always()) {
    return std::nullopt;
  }
  std::string text;
  AppendPieces(condition.pieces(), text);
  return text;
}

std::optional<std::string> Placeholders::Compile(const Update& update) {
  if (update.empty()) {
    return std::nullopt;
  }
  std::string text;
  AppendClause("SET", update.sets(), text);
  AppendClause("REMOVE", update.removes(), text);
  AppendClause("ADD", update.adds(), text);
  AppendClause("DELETE", update.deletes(), text);
  return text;
}

std::optional<std::string> Placeholders::Compile(const std::vector<Attribute>& projection) {
  if (projection.empty()) {
    return std::nullopt;
  }
  std::string text;
  for (const Attribute& attribute : projection) {
    if (!text.empty()) {
      text += ", ";
    }
    AppendPieces(attribute.pieces(), text);
  }
  return text;
}

PutItemInput MakePut(std::string table_name, Item item, const Condition& condition) {
  Placeholders placeholders;
  return Conditional<PutItemInput>({.table_name = std::move(table_name), .item = std::move(item)},
                                   placeholders, condition);
}

UpdateItemInput MakeUpdate(std::string table_name, Item key, const Update& update,
                           const Condition& condition) {
  Placeholders placeholders;
  UpdateItemInput input{.table_name = std::move(table_name), .key = std::move(key)};
  input.update_expression = placeholders.Compile(update);
  return Conditional(std::move(input), placeholders, condition);
}

DeleteItemInput MakeDelete(std::string table_name, Item key, const Condition& condition) {
  Placeholders placeholders;
  return Conditional<DeleteItemInput>({.table_name = std::move(table_name), .key = std::move(key)},
                                      placeholders, condition);
}

const Item* FindItem(const Error& error) {
  const auto* detail = dynamic_cast<const ConditionFailedDetail*>(error.detail.get());
  return detail == nullptr || !detail->item ? nullptr : &*detail->item;
}

}  // namespace stator::patterns

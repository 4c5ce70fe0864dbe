#include "stator/patterns/requests.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <variant>

#include "stator/api/error_details.h"

namespace stator::patterns {

namespace {

// As many names, values and bytes of text as most requests have.
constexpr std::size_t kUsualPlaceholders = 8;
constexpr std::size_t kUsualBytes = 128;

// "#n7"
std::string Numbered(std::string_view prefix, std::size_t number) {
  std::array<char, 24> text = {};
  char* const digits = std::copy(prefix.begin(), prefix.end(), text.data());
  const auto written = std::to_chars(digits, text.data() + text.size(), number);
  return {text.data(), written.ptr};
}

template <class Input>
Input Conditional(Input input, Placeholders placeholders, const Condition& condition) {
  input.condition_expression = placeholders.Compile(condition);
  if (!condition.always()) {
    input.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  }
  std::move(placeholders).Fill(input);
  return input;
}

}  // namespace

void Placeholders::AppendName(std::string_view name, std::string& text) {
  for (const AttributeNames::const_iterator known : order_) {
    if (known->second == name) {
      text += known->first;
      return;
    }
  }
  if (order_.empty()) {
    order_.reserve(kUsualPlaceholders);
  }
  // Up to the tenth they come in the order of the map.
  order_.push_back(names_.emplace_hint(names_.end(), Numbered("#n", order_.size()), name));
  text += order_.back()->first;
}

void Placeholders::AppendValue(AttributeValue value, std::string& text) {
  const std::size_t number = values_.size();
  if (number == 0) {
    values_.reserve(kUsualPlaceholders);
  }
  std::string placeholder = Numbered(":v", number);
  text += placeholder;
  if (number < 10) {
    values_.Append(std::move(placeholder), std::move(value));
  } else {
    values_.Set(std::move(placeholder), std::move(value));  // ":v10" comes before ":v2"
  }
}

void Placeholders::AppendPieces(const ExpressionPieces& pieces, std::string& out) {
  for (const ExpressionPiece& piece : pieces) {
    if (const auto* text = std::get_if<ExpressionPiece::Text>(&piece.piece)) {
      out += text->text;
    } else if (const auto* name = std::get_if<ExpressionPiece::Name>(&piece.piece)) {
      AppendName(name->name, out);
    } else {
      AppendValue(std::get<ExpressionPiece::Value>(piece.piece).value, out);
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

void UpdateText::Set(std::string_view name, AttributeValue value) {
  if (sets_ == 0) {
    text_.reserve(kUsualBytes);
  }
  text_ += sets_ == 0 ? "SET " : ", ";
  placeholders_->AppendName(name, text_);
  text_ += " = ";
  placeholders_->AppendValue(std::move(value), text_);
  ++sets_;
}

std::string UpdateText::Take() && {
  const char* before = sets_ == 0 ? "REMOVE " : " REMOVE ";
  for (const std::string_view name : removed_) {
    text_ += before;
    placeholders_->AppendName(name, text_);
    before = ", ";
  }
  return std::move(text_);
}

PutItemInput MakePut(std::string table_name, Item item, const Condition& condition) {
  return Conditional<PutItemInput>({.table_name = std::move(table_name), .item = std::move(item)},
                                   Placeholders(), condition);
}

UpdateItemInput MakeUpdate(std::string table_name, Item key, const Update& update,
                           const Condition& condition) {
  Placeholders placeholders;
  UpdateItemInput input{.table_name = std::move(table_name), .key = std::move(key)};
  input.update_expression = placeholders.Compile(update);
  return Conditional(std::move(input), std::move(placeholders), condition);
}

DeleteItemInput MakeDelete(std::string table_name, Item key, const Condition& condition) {
  return Conditional<DeleteItemInput>({.table_name = std::move(table_name), .key = std::move(key)},
                                      Placeholders(), condition);
}

const Item* FindItem(const Error& error) {
  const auto* detail = dynamic_cast<const ConditionFailedDetail*>(error.detail.get());
  return detail == nullptr || !detail->item ? nullptr : &*detail->item;
}

}  // namespace stator::patterns

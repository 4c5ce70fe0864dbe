#include "patterns/transaction_content.h"

#include <optional>
#include <string_view>

#include "stator/api/database.h"
#include "value/dynamodb_json.h"

namespace stator::patterns {

namespace {

// The length in front keeps the border between two texts.
void AppendText(std::string_view text, std::string& out) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

void AppendOptional(const std::optional<std::string>& text, std::string& out) {
  AppendText(text.value_or(""), out);
}

template <class Action>
void AppendExpressions(const Action& action, std::string& out) {
  if (action.expression_attribute_names) {
    for (const auto& [placeholder, name] : *action.expression_attribute_names) {
      AppendText(placeholder, out);
      AppendText(name, out);
    }
  }
  AppendText(action.expression_attribute_values
                 ? value::ToDynamoDbJson(*action.expression_attribute_values)
                 : "",
             out);
}

struct Appender {
  std::string& out;

  void operator()(const TransactConditionCheck& check) const {
    AppendText("check", out);
    AppendText(check.table_name, out);
    AppendText(value::ToDynamoDbJson(check.key), out);
    AppendText(check.condition_expression, out);
    AppendExpressions(check, out);
  }
  void operator()(const TransactPut& put) const {
    AppendText("put", out);
    AppendText(put.table_name, out);
    AppendText(value::ToDynamoDbJson(put.item), out);
    AppendOptional(put.condition_expression, out);
    AppendExpressions(put, out);
  }
  void operator()(const TransactDelete& remove) const {
    AppendText("delete", out);
    AppendText(remove.table_name, out);
    AppendText(value::ToDynamoDbJson(remove.key), out);
    AppendOptional(remove.condition_expression, out);
    AppendExpressions(remove, out);
  }
  void operator()(const TransactUpdate& update) const {
    AppendText("update", out);
    AppendText(update.table_name, out);
    AppendText(value::ToDynamoDbJson(update.key), out);
    AppendText(update.update_expression, out);
    AppendOptional(update.condition_expression, out);
    AppendExpressions(update, out);
  }
};

}  // namespace

void AppendContent(const TransactWriteItem& action, std::string& out) {
  std::visit(Appender{out}, action);
}

}  // namespace stator::patterns

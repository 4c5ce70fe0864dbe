// TransactWriteItems against the model.

#include <ostream>

#include "model/item_commands.h"

namespace stator::model {
namespace {

template <class Each>
void SetExpressions(const Condition& condition, Map values, Each& each) {
  if (!condition.empty()) {
    each.condition_expression = TextOf(condition, "c", values);
  }
  if (!values.empty()) {
    each.expression_attribute_values = std::move(values);
  }
}

TransactWriteItem ToAction(const Table& table, const Write& write) {
  switch (write.kind) {
    case Write::Kind::kPut: {
      TransactPut put{.table_name = table.name, .item = ToItem(write.item)};
      SetExpressions(write.condition, {}, put);
      return put;
    }
    case Write::Kind::kDelete: {
      TransactDelete deletion{.table_name = table.name, .key = KeyItem(table, write.key)};
      SetExpressions(write.condition, {}, deletion);
      return deletion;
    }
    case Write::Kind::kUpdate: {
      Map values;
      TransactUpdate update{.table_name = table.name,
                            .key = KeyItem(table, write.key),
                            .update_expression = TextOf(write.update, "u", values)};
      SetExpressions(write.condition, std::move(values), update);
      return update;
    }
    case Write::Kind::kCheck:
      break;
  }
  TransactConditionCheck check{
      .table_name = table.name, .key = KeyItem(table, write.key), .condition_expression = ""};
  SetExpressions(write.condition, {}, check);
  return check;
}

}  // namespace

TransactWriteCommand::TransactWriteCommand(const Model& model)
    : writes_(AnyWrites(model, 5, true)) {}

void TransactWriteCommand::apply(Model& model) const {
  if (!model.Cancellation(writes_)) {
    // The items are different ones, so doing them in turn is doing them together.
    for (const Write& write : writes_) {
      model.Apply(write);
    }
  }
}

void TransactWriteCommand::run(const Model& model, Sut& sut) const {
  ++sut.commands;
  // The token is of this very transaction, so a second attempt must change nothing.
  TransactWriteItemsInput input{.transact_items = {},
                                .client_request_token = std::to_string(sut.commands)};
  for (const Write& write : writes_) {
    input.transact_items.push_back(ToAction(model.tables[write.table], write));
  }
  const auto canceled = model.Cancellation(writes_);
  const auto result = sut.database->TransactWriteItems(input);
  RC_ASSERT(result.has_value() == !canceled.has_value());
  if (!canceled) {
    Must(sut.database->TransactWriteItems(input));
    return;
  }
  RC_ASSERT(result.error().code == ErrorCode::kTransactionCanceled);
  const auto* detail = dynamic_cast<const TransactionCanceledDetail*>(result.error().detail.get());
  RC_ASSERT(detail != nullptr);
  std::vector<std::string> codes;
  for (const CancellationReason& reason : detail->cancellation_reasons) {
    codes.push_back(reason.code);
  }
  RC_ASSERT(codes == *canceled);
}

void TransactWriteCommand::show(std::ostream& out) const {
  out << "transaction";
  for (const Write& write : writes_) {
    out << "; " << Show(write);
  }
}

}  // namespace stator::model

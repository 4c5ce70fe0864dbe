#include "model/item_commands.h"

#include <algorithm>
#include <map>
#include <ostream>

namespace stator::model {
namespace {

std::optional<Item> ToOptionalItem(const Attributes* item) {
  return item == nullptr ? std::nullopt : std::optional(ToItem(*item));
}

// The condition and the placeholders of a request.
template <class Input>
void SetCondition(const Condition& condition, Map values, Input& input) {
  if (!condition.empty()) {
    input.condition_expression = TextOf(condition, "c", values);
  }
  if (!values.empty()) {
    input.expression_attribute_values = std::move(values);
  }
}

std::optional<Item> UnlessEmpty(const Attributes& attributes) {
  return attributes.empty() ? std::nullopt : std::optional(ToItem(attributes));
}

// What UpdateItem shows.
std::optional<Item> Shown(ReturnValues wanted, const Update& update, const Attributes* before,
                          const Attributes* after) {
  switch (wanted) {
    case ReturnValues::kAllOld:
      return ToOptionalItem(before);
    case ReturnValues::kAllNew:
      return ToOptionalItem(after);
    case ReturnValues::kUpdatedOld:
      return before == nullptr ? std::nullopt : UnlessEmpty(NamedBy(update, *before));
    case ReturnValues::kUpdatedNew:
      return after == nullptr ? std::nullopt : UnlessEmpty(NamedBy(update, *after));
    case ReturnValues::kNone:
      break;
  }
  return std::nullopt;
}

}  // namespace

WriteCommand::WriteCommand(const Model& model)
    : write_(AnyWrite(model, false)),
      wanted_(*rc::gen::element(ReturnValues::kNone, ReturnValues::kAllOld, ReturnValues::kAllNew,
                                ReturnValues::kUpdatedOld, ReturnValues::kUpdatedNew)) {}

void WriteCommand::apply(Model& model) const {
  model.Apply(write_);
}

void WriteCommand::run(const Model& model, Sut& sut) const {
  ++sut.commands;
  switch (write_.kind) {
    case Write::Kind::kPut:
      return RunPut(model, *sut.database);
    case Write::Kind::kDelete:
      return RunDelete(model, *sut.database);
    default:
      return RunUpdate(model, *sut.database);
  }
}

void WriteCommand::RunPut(const Model& model, Database& database) const {
  const Table& table = model.tables[write_.table];
  PutItemInput input{.table_name = table.name,
                     .item = ToItem(write_.item),
                     .return_values = ReturnValues::kAllOld};
  SetCondition(write_.condition, {}, input);
  const auto result = database.PutItem(input);
  RC_ASSERT(OutcomeOf(result) == model.Decide(write_).outcome);
  if (result) {
    RC_ASSERT(result->attributes == ToOptionalItem(table.Find(write_.key)));
  }
}

void WriteCommand::RunDelete(const Model& model, Database& database) const {
  const Table& table = model.tables[write_.table];
  DeleteItemInput input{.table_name = table.name,
                        .key = KeyItem(table, write_.key),
                        .return_values = ReturnValues::kAllOld};
  SetCondition(write_.condition, {}, input);
  const auto result = database.DeleteItem(input);
  RC_ASSERT(OutcomeOf(result) == model.Decide(write_).outcome);
  if (result) {
    RC_ASSERT(result->attributes == ToOptionalItem(table.Find(write_.key)));
  }
}

void WriteCommand::RunUpdate(const Model& model, Database& database) const {
  const Table& table = model.tables[write_.table];
  const Decision decision = model.Decide(write_);
  UpdateItemInput input{
      .table_name = table.name,
      .key = KeyItem(table, write_.key),
      .return_values = wanted_,
      .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld};
  Map values;
  if (!write_.update.empty()) {
    input.update_expression = TextOf(write_.update, "u", values);
  }
  SetCondition(write_.condition, std::move(values), input);
  const auto result = database.UpdateItem(input);
  RC_ASSERT(OutcomeOf(result) == decision.outcome);
  const Attributes* before = table.Find(write_.key);
  if (result) {
    RC_ASSERT(result->attributes ==
              Shown(wanted_, write_.update, before, decision.after ? &*decision.after : nullptr));
  } else if (decision.outcome == Outcome::kConditionFailed) {
    const auto* detail = dynamic_cast<const ConditionFailedDetail*>(result.error().detail.get());
    RC_ASSERT((detail == nullptr ? std::nullopt : detail->item) == ToOptionalItem(before));
  }
}

void WriteCommand::show(std::ostream& out) const {
  out << Show(write_) << " returning " << static_cast<int>(wanted_);
}

ReadCommand::ReadCommand(const Model& /*model*/) : keys_(AnyKeys(8)) {}

void ReadCommand::run(const Model& model, Sut& sut) const {
  ++sut.commands;
  BatchGetItemInput batch;
  TransactGetItemsInput transaction;
  std::vector<std::optional<Item>> expected;
  std::map<std::string, std::size_t> found;
  for (const auto& [table_number, key] : keys_) {
    const Table& table = model.tables[table_number];
    const Item key_item = KeyItem(table, key);
    expected.push_back(ToOptionalItem(table.Find(key)));
    found[table.name] += expected.back() ? 1 : 0;
    RC_ASSERT(Must(sut.database->GetItem({.table_name = table.name, .key = key_item})).item ==
              expected.back());
    batch.request_items[table.name].keys.push_back(key_item);
    transaction.transact_items.push_back({.table_name = table.name, .key = key_item});
  }
  RC_ASSERT(Must(sut.database->TransactGetItems(transaction)).responses == expected);
  const BatchGetItemOutput output = Must(sut.database->BatchGetItem(batch));
  RC_ASSERT(output.unprocessed_keys.empty());
  for (const auto& [name, items] : output.responses) {
    RC_ASSERT(items.size() == found[name]);
    for (const Item& item : items) {
      RC_ASSERT(std::find(expected.begin(), expected.end(), std::optional(item)) != expected.end());
    }
  }
}

void ReadCommand::show(std::ostream& out) const {
  out << "read";
  for (const auto& [table, key] : keys_) {
    out << " " << table << Show(key);
  }
}

BatchWriteCommand::BatchWriteCommand(const Model& model) : writes_(AnyWrites(model, 6, false)) {
  for (Write& write : writes_) {
    write.condition = {};
    if (write.kind == Write::Kind::kUpdate) {
      write.kind = Write::Kind::kDelete;
    }
  }
}

bool BatchWriteCommand::IsValid(const Model& model) const {
  return std::all_of(writes_.begin(), writes_.end(), [&](const Write& write) {
    return model.Decide(write).outcome == Outcome::kDone;
  });
}

void BatchWriteCommand::apply(Model& model) const {
  if (IsValid(model)) {
    for (const Write& write : writes_) {
      model.Apply(write);
    }
  }
}

void BatchWriteCommand::run(const Model& model, Sut& sut) const {
  ++sut.commands;
  BatchWriteItemInput input;
  for (const Write& write : writes_) {
    const Table& table = model.tables[write.table];
    if (write.kind == Write::Kind::kPut) {
      input.request_items[table.name].push_back(PutRequest{ToItem(write.item)});
    } else {
      input.request_items[table.name].push_back(DeleteRequest{KeyItem(table, write.key)});
    }
  }
  const auto result = sut.database->BatchWriteItem(input);
  RC_ASSERT(OutcomeOf(result) == (IsValid(model) ? Outcome::kDone : Outcome::kInvalid));
}

void BatchWriteCommand::show(std::ostream& out) const {
  out << "batch";
  for (const Write& write : writes_) {
    out << "; " << Show(write);
  }
}

}  // namespace stator::model

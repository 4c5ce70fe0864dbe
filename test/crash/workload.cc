#include "workload.h"

#include <set>
#include <type_traits>

#include "base/try.h"
#include "value/plain_json.h"

namespace stator::crash {
namespace {

constexpr std::int64_t kPast = 1'794'700'000;
constexpr std::int64_t kFuture = 2'000'000'000;
constexpr std::uint64_t kCustomers = 3;
constexpr std::uint64_t kNumbers = 4;
constexpr std::uint64_t kAccountsPerWriter = 6;

bool Is(const Operation& operation, ErrorCode code) {
  const bool transaction = std::holds_alternative<TransactWriteItemsInput>(operation.input);
  return operation.is_refused &&
         code == (transaction ? ErrorCode::kTransactionCanceled : ErrorCode::kConditionFailed);
}

}  // namespace

CreateTableInput OrdersTable() {
  return {
      .table_name = kOrders,
      .attribute_definitions = {{"customer", ScalarAttributeType::kString},
                                {"number", ScalarAttributeType::kNumber},
                                {"total", ScalarAttributeType::kNumber},
                                {"city", ScalarAttributeType::kString}},
      .key_schema = {{"customer", KeyType::kHash}, {"number", KeyType::kRange}},
      .billing_mode = BillingMode::kPayPerRequest,
      .local_secondary_indexes = {{{
          .index_name = "by_total",
          .key_schema = {{"customer", KeyType::kHash}, {"total", KeyType::kRange}},
          .projection = {.projection_type = ProjectionType::kAll},
      }}},
      .global_secondary_indexes = {{
          {.index_name = "by_city",
           .key_schema = {{"city", KeyType::kHash}},
           .projection = {.projection_type = ProjectionType::kInclude,
                          .non_key_attributes = {{"note"}}}},
          {.index_name = "by_city_and_total",
           .key_schema = {{"city", KeyType::kHash},
                          {"total", KeyType::kRange},
                          {"number", KeyType::kRange}},
           .projection = {.projection_type = ProjectionType::kKeysOnly}},
      }},
      .stream_specification = {{.stream_enabled = true,
                                .stream_view_type = StreamViewType::kNewAndOldImages}},
  };
}

CreateTableInput AccountsTable() {
  return {
      .table_name = kAccounts,
      .attribute_definitions = {{"customer", ScalarAttributeType::kString},
                                {"city", ScalarAttributeType::kString}},
      .key_schema = {{"customer", KeyType::kHash}},
      .billing_mode = BillingMode::kPayPerRequest,
      .global_secondary_indexes = {{
          {.index_name = "by_city",
           .key_schema = {{"city", KeyType::kHash}},
           .projection = {.projection_type = ProjectionType::kKeysOnly}},
      }},
  };
}

Result<void> CreateTables(Database& database) {
  TRY(database.CreateTable(OrdersTable()));
  TRY(database.CreateTable(AccountsTable()));
  TRY(database.UpdateTimeToLive(
      {.table_name = kOrders,
       .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}));
  // Undo rows are in the batch of each change; what the checker finds of them is part of every test.
  TRY(database.UpdateContinuousBackups(
      {.table_name = kOrders, .point_in_time_recovery_specification = {.enabled = true}}));
  return {};
}

ItemName NameOf(const std::string& table, const Item& item) {
  std::string key = value::ToPlainJson(item.at("customer"));
  if (table == kOrders) {
    key += " " + value::ToPlainJson(item.at("number"));
  }
  return {table, std::move(key)};
}

std::string WriterOf(const Item& item) {
  const std::string& customer = *item.at("customer").If<std::string>();
  return customer.substr(0, customer.find('#'));
}

bool IsDue(const Item& item) {
  const AttributeValue* expires = item.Find("expires");
  return expires != nullptr && *expires == AttributeValue(kPast);
}

std::map<std::string, Items> ByWriter(const Items& items) {
  std::map<std::string, Items> parts;
  for (const auto& [name, item] : items) {
    parts[WriterOf(item)].emplace(name, item);
  }
  return parts;
}

bool Matches(const Items& expected, const Items& found) {
  std::size_t matched = 0;
  for (const auto& [name, item] : expected) {
    const auto same = found.find(name);
    if (same == found.end() ? !IsDue(item) : !(same->second == item)) {
      return false;
    }
    matched += same == found.end() ? 0 : 1;
  }
  return matched == found.size();
}

void Apply(const Operation& operation, Items& items) {
  for (const auto& [name, item] : operation.effect) {
    if (item) {
      items.insert_or_assign(name, *item);
    } else {
      items.erase(name);
    }
  }
}

Result<void> Execute(Database& database, const Operation& operation) {
  const auto run = [&](const auto& input) -> Result<void> {
    using Input = std::decay_t<decltype(input)>;
    if constexpr (std::is_same_v<Input, PutItemInput>) {
      TRY(database.PutItem(input));
    } else if constexpr (std::is_same_v<Input, UpdateItemInput>) {
      TRY(database.UpdateItem(input));
    } else if constexpr (std::is_same_v<Input, DeleteItemInput>) {
      TRY(database.DeleteItem(input));
    } else if constexpr (std::is_same_v<Input, BatchWriteItemInput>) {
      TRY(database.BatchWriteItem(input));
    } else {
      TRY(database.TransactWriteItems(input));
    }
    return {};
  };
  Result<void> done = std::visit(run, operation.input);
  if (!done && Is(operation, done.error().code)) {
    return {};
  }
  if (done && operation.is_refused) {
    return Invalid("an operation was done whose condition does not hold");
  }
  return done;
}

Operation Writer::Next() {
  ++operations_;
  Operation operation;
  const std::uint64_t choice = random_.Below(20);
  if (choice < 5) {
    operation = Put();
  } else if (choice < 6) {
    operation = PutExpired();
  } else if (choice < 8) {
    operation = ConditionalPut();
  } else if (choice < 12) {
    operation = Update();
  } else if (choice < 14) {
    operation = Delete();
  } else if (choice < 16) {
    operation = Batch();
  } else {
    operation = Transaction();
  }
  Apply(operation, items_);
  return operation;
}

std::string Writer::AnyTable() {
  return random_.Below(3) == 0 ? kAccounts : kOrders;
}

Item Writer::Key(const std::string& table) {
  if (table == kAccounts) {
    return {{"customer", name_ + "#" + std::to_string(random_.Below(kAccountsPerWriter))}};
  }
  return {{"customer", name_ + "#" + std::to_string(random_.Below(kCustomers))},
          {"number", random_.Below(kNumbers)}};
}

Item Writer::Filled(Item key) {
  Item item = std::move(key);
  item.Set("op", operations_);
  if (random_.Below(3) != 0) {
    item.Set("total", random_.Below(10));
  }
  if (random_.Below(3) != 0) {
    item.Set("city", "city" + std::to_string(random_.Below(3)));
  }
  if (random_.Below(2) == 0) {
    item.Set("expires", kFuture + static_cast<std::int64_t>(random_.Below(100)));
  }
  // Now and then a large one, so that the log goes on to new files and tables are written.
  const std::uint64_t length = random_.Below(random_.Below(12) == 0 ? 8000 : 100);
  item.Set("note", std::string(length, static_cast<char>('a' + random_.Below(26))));
  return item;
}

const Item* Writer::Find(const std::string& table, const Item& key) const {
  const auto found = items_.find(NameOf(table, key));
  return found == items_.end() ? nullptr : &found->second;
}

Operation Writer::Put() {
  const std::string table = AnyTable();
  const Item item = Filled(Key(table));
  return {.input = PutItemInput{.table_name = table, .item = item},
          .effect = {{NameOf(table, item), item}}};
}

// Under a key that is never used again, because the item may vanish.
Operation Writer::PutExpired() {
  const Item item = {{"customer", name_ + "#due"}, {"number", operations_}, {"expires", kPast}};
  return {.input = PutItemInput{.table_name = kOrders, .item = item},
          .effect = {{NameOf(kOrders, item), item}}};
}

Operation Writer::ConditionalPut() {
  const std::string table = AnyTable();
  const Item item = Filled(Key(table));
  Operation operation{.input =
                          PutItemInput{.table_name = table,
                                       .item = item,
                                       .condition_expression = "attribute_not_exists(customer)"}};
  if (Find(table, item) != nullptr) {
    operation.is_refused = true;
  } else {
    operation.effect.emplace(NameOf(table, item), item);
  }
  return operation;
}

// Counts in "total", moves to another city and forgets the note; says in `operation` what it does.
TransactUpdate Writer::UpdateOf(const std::string& table, Item key, Operation& operation) {
  const Item* before = Find(table, key);
  Item after = before != nullptr ? *before : key;
  const AttributeValue* total = after.Find("total");
  const Number old = total != nullptr ? *total->If<Number>() : Number(100);
  const std::string city = "city" + std::to_string(random_.Below(3));
  after.Set("total", Number::Add(old, 1).value());
  after.Set("city", city);
  after.Set("op", operations_);
  after.Erase("note");
  operation.effect.emplace(NameOf(table, key), after);
  return {.table_name = table,
          .key = std::move(key),
          .update_expression =
              "SET #t = if_not_exists(#t, :hundred) + :one, city = :city, op = :op "
              "REMOVE note",
          .expression_attribute_names = {{{"#t", "total"}}},
          .expression_attribute_values = {
              {{":hundred", 100}, {":one", 1}, {":city", city}, {":op", operations_}}}};
}

Operation Writer::Update() {
  const std::string table = AnyTable();
  Operation operation;
  TransactUpdate update = UpdateOf(table, Key(table), operation);
  operation.input =
      UpdateItemInput{.table_name = table,
                      .key = update.key,
                      .update_expression = update.update_expression,
                      .expression_attribute_names = update.expression_attribute_names,
                      .expression_attribute_values = update.expression_attribute_values};
  return operation;
}

Operation Writer::Delete() {
  const std::string table = AnyTable();
  const Item key = Key(table);
  return {.input = DeleteItemInput{.table_name = table, .key = key},
          .effect = {{NameOf(table, key), std::nullopt}}};
}

Operation Writer::Batch() {
  Operation operation;
  BatchWriteItemInput batch;
  const std::uint64_t requests = 2 + random_.Below(6);
  for (std::uint64_t at = 0; at < requests; ++at) {
    const std::string table = AnyTable();
    const Item key = Key(table);
    if (operation.effect.contains(NameOf(table, key))) {
      continue;
    }
    if (random_.Below(4) == 0) {
      batch.request_items[table].emplace_back(DeleteRequest{.key = key});
      operation.effect.emplace(NameOf(table, key), std::nullopt);
    } else {
      const Item item = Filled(key);
      batch.request_items[table].emplace_back(PutRequest{.item = item});
      operation.effect.emplace(NameOf(table, key), item);
    }
  }
  operation.input = std::move(batch);
  return operation;
}

Operation Writer::Transaction() {
  Operation operation;
  TransactWriteItemsInput transaction;
  const std::uint64_t actions = 2 + random_.Below(5);
  for (std::uint64_t at = 0; at < actions; ++at) {
    const std::string table = AnyTable();
    const Item key = Key(table);
    const ItemName name = NameOf(table, key);
    if (operation.effect.contains(name)) {
      continue;
    }
    switch (random_.Below(3)) {
      case 0:
        transaction.transact_items.emplace_back(TransactDelete{.table_name = table, .key = key});
        operation.effect.emplace(name, std::nullopt);
        break;
      case 1:
        transaction.transact_items.emplace_back(UpdateOf(table, key, operation));
        break;
      default: {
        const Item item = Filled(key);
        transaction.transact_items.emplace_back(TransactPut{.table_name = table, .item = item});
        operation.effect.emplace(name, item);
      }
    }
  }
  if (random_.Below(5) == 0) {
    // No item of this name is ever made.
    transaction.transact_items.emplace_back(
        TransactConditionCheck{.table_name = kAccounts,
                               .key = {{"customer", name_ + "#none"}},
                               .condition_expression = "attribute_exists(customer)"});
    operation.is_refused = true;
    operation.effect.clear();
  }
  if (random_.Below(2) == 0) {
    transaction.client_request_token = name_ + "-" + std::to_string(operations_);
  }
  operation.input = std::move(transaction);
  return operation;
}

}  // namespace stator::crash

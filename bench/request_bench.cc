// What a request costs without sockets and disks, on an engine in memory: each operation as a program
// calls it (`embedded`), and from the bytes of its body to the bytes of its answer (`handler`); what
// the store itself takes for the same rows (`store`), and what the client takes on the other side
// (`client`).
//
// counted.h says how to run it; bench/count.py counts all cases and compares them with counts.txt.

#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "client_calls.h"
#include "counted.h"
#include "engine/engine.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "storage/store.h"
#include "value/dynamodb_json.h"
#include "value/item_codec.h"
#include "wire/handler.h"

namespace {

using stator::Item;
using stator::Result;

constexpr char kTable[] = "bench";
constexpr char kRememberingTable[] = "remembering";  // with point-in-time recovery
constexpr char kIndexedTable[] = "indexed";          // with two indexes and expiry
constexpr int kRows = 20;
constexpr int kBatchRows = 25;
constexpr int kTransactionRows = 4;

Item KeyOf(std::string partition, int row) {
  return {{"pk", std::move(partition)}, {"sk", "row#" + std::to_string(100 + row)}};
}

// About so many bytes, in ten attributes as an application has them.
Item ItemOf(std::string partition, int row, std::size_t bytes) {
  Item item = KeyOf(std::move(partition), row);
  item.Set("status", "active");
  item.Set("counter", 41);
  item.Set("total", stator::Number::Parse("1299.95").value());
  item.Set("paid", true);
  item.Set("owner", "customer#7f4c2c2e");
  item.Set("created_at", 1786702530);
  item.Set("tags", stator::StringSet{"express", "fragile"});
  item.Set("body", std::string(bytes - 130, 'b'));
  return item;
}

std::string JsonOf(const Item& item) {
  std::string json;
  stator::value::AppendDynamoDbJson(item, json);
  return json;
}

// INSERT INTO bench VALUE {'pk': ?, ...}, with the values as parameters.
std::string InsertOf(const Item& item) {
  std::string names;
  std::string values;
  for (const auto& [name, value] : item) {
    names += (names.empty() ? "'" : ", '") + name + "': ?";
    values += values.empty() ? "" : ",";
    stator::value::AppendDynamoDbJson(value, values);
  }
  return R"({"Statement":"INSERT INTO bench VALUE {)" + names + R"(}","Parameters":[)" + values +
         "]}";
}

template <class T>
T Demand(Result<T> result) {
  CHECK_THAT(result.has_value(), result.error().message);
  return *std::move(result);
}

// A body, with what a parser may read behind it.
class Body {
 public:
  explicit Body(std::string text) : bytes_(text.size()), text_(std::move(text)) {
    text_.append(stator::wire::kBodyPaddingBytes, '\0');
  }
  [[nodiscard]] std::string_view view() const { return std::string_view(text_).substr(0, bytes_); }

 private:
  std::size_t bytes_;
  std::string text_;
};

// The same item, now with one content, now with another, so that each put changes something.
class ChangingPuts {
 public:
  explicit ChangingPuts(const char* table) {
    for (int version = 0; version < 2; ++version) {
      puts_.push_back({.table_name = table, .item = ItemOf("changing", 0, 1024)});
      puts_.back().item.Set("counter", version);
      bodies_.emplace_back(R"({"TableName":")" + std::string(table) + R"(","Item":)" +
                           JsonOf(puts_.back().item) + "}");
    }
  }
  const stator::PutItemInput& Next() { return puts_[next_++ % puts_.size()]; }
  const Body& NextBody() { return bodies_[next_++ % bodies_.size()]; }

 private:
  std::vector<stator::PutItemInput> puts_;
  std::vector<Body> bodies_;
  std::size_t next_ = 0;
};

struct Fixture {
  Fixture() {
    stator::engine::EngineOptions options;
    options.store.in_memory = true;
    engine = Demand(stator::engine::Engine::Open(options));
    MakeTable(kTable);
    Demand(engine->PutItem({.table_name = kTable, .item = ItemOf("one", 0, 1024)}));
    for (int row = 0; row < kRows; ++row) {
      Demand(engine->PutItem({.table_name = kTable, .item = ItemOf("many", row, 200)}));
    }
    handler = std::make_unique<stator::wire::DatabaseHandler>(*engine);
    FillBatches();
    FillStore();
  }

  // An engine that keeps nothing at hand: every read goes to RocksDB. Not before it is used.
  stator::engine::Engine& Uncached() {
    if (uncached == nullptr) {
      stator::engine::EngineOptions options;
      options.store.in_memory = true;
      options.store.block_cache_bytes = 0;
      uncached = Demand(stator::engine::Engine::Open(options));
      MakeTable(kTable, *uncached);
      for (int row = 0; row < kRows; ++row) {
        Demand(uncached->PutItem({.table_name = kTable, .item = ItemOf("many", row, 200)}));
      }
    }
    return *uncached;
  }

  void MakeTable(const char* name) const { MakeTable(name, *engine); }
  static void MakeTable(const char* name, stator::engine::Engine& in) {
    Demand(in.CreateTable(
        {.table_name = name,
         .attribute_definitions = {{"pk", stator::ScalarAttributeType::kString},
                                   {"sk", stator::ScalarAttributeType::kString}},
         .key_schema = {{"pk", stator::KeyType::kHash}, {"sk", stator::KeyType::kRange}},
         .billing_mode = stator::BillingMode::kPayPerRequest}));
  }

  // Not before it is used, so that the other cases are those of an engine that has no history.
  void MakeRememberingTable() {
    MakeTable(kRememberingTable);
    Demand(engine->UpdateContinuousBackups(
        {.table_name = kRememberingTable,
         .point_in_time_recovery_specification = {.enabled = true}}));
    remembers = true;
  }

  // Of other attributes than those that change, and of the one that does.
  void MakeIndexedTable() {
    const auto index = [](const char* name, const char* partition, const char* sort,
                          stator::ProjectionType projection) {
      return stator::GlobalSecondaryIndex{
          .index_name = name,
          .key_schema = {{partition, stator::KeyType::kHash}, {sort, stator::KeyType::kRange}},
          .projection = {.projection_type = projection}};
    };
    Demand(engine->CreateTable(
        {.table_name = kIndexedTable,
         .attribute_definitions = {{"pk", stator::ScalarAttributeType::kString},
                                   {"sk", stator::ScalarAttributeType::kString},
                                   {"owner", stator::ScalarAttributeType::kString},
                                   {"status", stator::ScalarAttributeType::kString},
                                   {"counter", stator::ScalarAttributeType::kNumber},
                                   {"created_at", stator::ScalarAttributeType::kNumber}},
         .key_schema = {{"pk", stator::KeyType::kHash}, {"sk", stator::KeyType::kRange}},
         .billing_mode = stator::BillingMode::kPayPerRequest,
         .global_secondary_indexes = {
             {index("by_owner", "owner", "created_at", stator::ProjectionType::kAll),
              index("by_status", "status", "counter", stator::ProjectionType::kKeysOnly)}}}));
    Demand(engine->UpdateTimeToLive(
        {.table_name = kIndexedTable,
         .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}));
    engine->AwaitBackgroundJobs();
    is_indexed = true;
  }

  void FillBatches() {
    std::string puts;
    for (int row = 0; row < kBatchRows; ++row) {
      const std::string json = JsonOf(ItemOf("batch", row, 1024));
      puts += std::string(row == 0 ? "" : ",") + R"({"PutRequest":{"Item":)" + json + "}}";
      batch.request_items[kTable].emplace_back(stator::PutRequest{ItemOf("batch", row, 1024)});
      for (stator::BatchWriteItemInput& changing : changing_batches) {
        stator::PutRequest changed{ItemOf("changing batch", row, 1024)};
        changed.item.Set("counter", &changing == changing_batches.data() ? 1 : 2);
        changing.request_items[kTable].emplace_back(std::move(changed));
      }
    }
    batch_body = Body(R"({"RequestItems":{"bench":[)" + puts + "]}}");
    std::string writes;
    for (int row = 0; row < kTransactionRows; ++row) {
      const std::string json = JsonOf(ItemOf("transaction", row, 1024));
      writes +=
          std::string(row == 0 ? "" : ",") + R"({"Put":{"TableName":"bench","Item":)" + json + "}}";
      transaction.transact_items.emplace_back(
          stator::TransactPut{.table_name = kTable, .item = ItemOf("transaction", row, 1024)});
    }
    transaction_body = Body(R"({"TransactItems":[)" + writes + "]}");
  }

  // The same rows in a store without an engine.
  void FillStore() {
    store = Demand(stator::storage::Store::Open({.path = {}, .in_memory = true}));
    stator::storage::WriteBatch rows;
    const auto add = [&](const Item& item) {
      std::string key;
      std::string row;
      stator::keyspace::AppendItemKey(1, item.at("pk"), &item.at("sk"), key);
      stator::value::AppendItem(item, row);
      rows.Put(key, row);
      return key;
    };
    row_key = add(ItemOf("one", 0, 1024));
    for (int row = 0; row < kRows; ++row) {
      add(ItemOf("many", row, 200));
    }
    const Result<void> written = store->Write(std::move(rows));
    CHECK(written.has_value());
    std::string prefix;
    stator::keyspace::AppendItemKey(1, "many", nullptr, prefix);
    range = stator::keyspace::RangeOfPrefix(prefix);
    snapshot.emplace(store->TakeSnapshot());
  }

  void Ask(std::string_view target, const Body& body) const {
    int status = 0;
    handler->Handle({.target = target, .body = body.view(), .caller = {}},
                    [&](const stator::wire::Answer& answer) { status = answer.status; });
    CHECK(status == 200);
  }

  std::unique_ptr<stator::engine::Engine> engine;
  std::unique_ptr<stator::engine::Engine> uncached;
  std::unique_ptr<stator::wire::DatabaseHandler> handler;
  bool remembers = false;
  bool is_indexed = false;
  std::unique_ptr<stator::storage::Store> store;
  std::optional<stator::storage::Snapshot> snapshot;
  std::string row_key;
  stator::keyspace::KeyRange range;

  std::unique_ptr<stator::Database> reader =
      stator::bench::MakeAnsweredClient(R"({"Item":)" + JsonOf(ItemOf("one", 0, 1024)) + "}");
  std::unique_ptr<stator::Database> writer = stator::bench::MakeAnsweredClient("{}");

  stator::GetItemInput get{.table_name = kTable, .key = KeyOf("one", 0)};
  Body get_body{R"({"TableName":"bench","Key":)" + JsonOf(KeyOf("one", 0)) + "}"};
  stator::PutItemInput put{.table_name = kTable, .item = ItemOf("one", 1, 1024)};
  ChangingPuts changing_puts{kTable};
  ChangingPuts remembered_puts{kRememberingTable};
  ChangingPuts indexed_puts{kIndexedTable};
  Body put_body{R"({"TableName":"bench","Item":)" + JsonOf(ItemOf("one", 1, 1024)) + "}"};
  stator::UpdateItemInput update{.table_name = kTable,
                                 .key = KeyOf("count", 0),
                                 .update_expression = "ADD #c :one",
                                 .expression_attribute_names = {{{"#c", "counter"}}},
                                 .expression_attribute_values = {{{":one", 1}}}};
  Body update_body{R"({"TableName":"bench","UpdateExpression":"ADD #c :one","Key":)" +
                   JsonOf(KeyOf("count", 0)) +
                   R"(,"ExpressionAttributeNames":{"#c":"counter"},)"
                   R"("ExpressionAttributeValues":{":one":{"N":"1"}}})"};
  stator::QueryInput query{.table_name = kTable,
                           .key_condition_expression = "pk = :pk",
                           .expression_attribute_values = {{{":pk", "many"}}}};
  Body query_body{R"({"TableName":"bench","KeyConditionExpression":"pk = :pk",)"
                  R"("ExpressionAttributeValues":{":pk":{"S":"many"}}})"};
  Body statement_body{R"({"Statement":"SELECT * FROM bench WHERE pk = 'one' AND sk = 'row#100'"})"};
  Body select_many_body{R"({"Statement":"SELECT * FROM bench WHERE pk = 'many'"})"};
  // An item that is made and removed, so that the next one can be made.
  Body make_body{
      R"--({"TableName":"bench","ConditionExpression":"attribute_not_exists(pk)","Item":)--" +
      JsonOf(ItemOf("made", 0, 1024)) + "}"};
  Body remove_body{R"({"TableName":"bench","Key":)" + JsonOf(KeyOf("made", 0)) + "}"};
  Body insert_body{InsertOf(ItemOf("made", 0, 1024))};
  Body delete_body{R"({"Statement":"DELETE FROM bench WHERE pk = ? AND sk = ?","Parameters":)"
                   R"([{"S":"made"},{"S":"row#100"}]})"};
  stator::TransactWriteItemsInput transaction;
  Body transaction_body{""};
  stator::BatchWriteItemInput batch;
  std::array<stator::BatchWriteItemInput, 2>
      changing_batches;  // in turns, so each changes all items
  std::size_t next_changing_batch = 0;
  Body batch_body{""};
};

void StoreGet(Fixture& fixture) {
  stator::storage::PinnedValue value;
  CHECK(Demand(fixture.store->Get(fixture.row_key, value)));
  benchmark::DoNotOptimize(value);
}
void Scan(Fixture& fixture, const stator::storage::Snapshot* snapshot) {
  stator::storage::Cursor cursor =
      fixture.store->NewCursor(snapshot, fixture.range.begin, fixture.range.end);
  std::size_t bytes = 0;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    bytes += cursor.value().size();
  }
  benchmark::DoNotOptimize(bytes);
}
void StoreScan(Fixture& fixture) {
  Scan(fixture, nullptr);
}
// Of a snapshot nothing is kept at hand.
void StoreIterate(Fixture& fixture) {
  Scan(fixture, &fixture.snapshot.value());
}
void GetEmbedded(Fixture& fixture) {
  const auto output = Demand(fixture.engine->GetItem(fixture.get));
  CHECK(output.item.has_value());
}
void QueryEmbedded(Fixture& fixture) {
  CHECK(Demand(fixture.engine->Query(fixture.query)).count == kRows);
}
void QueryUncached(Fixture& fixture) {
  CHECK(Demand(fixture.Uncached().Query(fixture.query)).count == kRows);
}
void PutEmbedded(Fixture& fixture) {
  Demand(fixture.engine->PutItem(fixture.put));
}
void PutChangedEmbedded(Fixture& fixture) {
  Demand(fixture.engine->PutItem(fixture.changing_puts.Next()));
}
void PutRememberedEmbedded(Fixture& fixture) {
  if (!fixture.remembers) {
    fixture.MakeRememberingTable();
  }
  Demand(fixture.engine->PutItem(fixture.remembered_puts.Next()));
}
void PutBesideHistoryEmbedded(Fixture& fixture) {
  if (!fixture.remembers) {
    fixture.MakeRememberingTable();
  }
  Demand(fixture.engine->PutItem(fixture.changing_puts.Next()));
}
void UpdateEmbedded(Fixture& fixture) {
  Demand(fixture.engine->UpdateItem(fixture.update));
}
void TransactionEmbedded(Fixture& fixture) {
  Demand(fixture.engine->TransactWriteItems(fixture.transaction));
}
void BatchEmbedded(Fixture& fixture) {
  Demand(fixture.engine->BatchWriteItem(fixture.batch));
}
void BatchChangedEmbedded(Fixture& fixture) {
  Demand(fixture.engine->BatchWriteItem(
      fixture.changing_batches[fixture.next_changing_batch++ % fixture.changing_batches.size()]));
}
void GetHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.GetItem", fixture.get_body);
}
void QueryHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.Query", fixture.query_body);
}
void PutHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.PutItem", fixture.put_body);
}
void PutChangedHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.PutItem", fixture.changing_puts.NextBody());
}
void PutRememberedHandled(Fixture& fixture) {
  if (!fixture.remembers) {
    fixture.MakeRememberingTable();
  }
  fixture.Ask("DynamoDB_20120810.PutItem", fixture.remembered_puts.NextBody());
}
void PutIndexedHandled(Fixture& fixture) {
  if (!fixture.is_indexed) {
    fixture.MakeIndexedTable();
  }
  fixture.Ask("DynamoDB_20120810.PutItem", fixture.indexed_puts.NextBody());
}
void UpdateHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.UpdateItem", fixture.update_body);
}
void StatementHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.ExecuteStatement", fixture.statement_body);
}
void SelectManyHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.ExecuteStatement", fixture.select_many_body);
}
void MakeAndRemoveHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.PutItem", fixture.make_body);
  fixture.Ask("DynamoDB_20120810.DeleteItem", fixture.remove_body);
}
void InsertAndDeleteHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.ExecuteStatement", fixture.insert_body);
  fixture.Ask("DynamoDB_20120810.ExecuteStatement", fixture.delete_body);
}
void TransactionHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.TransactWriteItems", fixture.transaction_body);
}
void BatchHandled(Fixture& fixture) {
  fixture.Ask("DynamoDB_20120810.BatchWriteItem", fixture.batch_body);
}
void GetByClient(Fixture& fixture) {
  Demand(fixture.reader->GetItem(fixture.get));
}
void PutByClient(Fixture& fixture) {
  Demand(fixture.writer->PutItem(fixture.put));
}

constexpr std::array kCases = {
    stator::bench::Case<Fixture>{"store/get_1kb", &StoreGet},
    stator::bench::Case<Fixture>{"store/scan_20x200b", &StoreScan},
    stator::bench::Case<Fixture>{"store/iterate_20x200b", &StoreIterate},
    stator::bench::Case<Fixture>{"embedded/get_item_1kb", &GetEmbedded},
    stator::bench::Case<Fixture>{"embedded/query_20x200b", &QueryEmbedded},
    stator::bench::Case<Fixture>{"embedded/query_20x200b_uncached", &QueryUncached},
    stator::bench::Case<Fixture>{"embedded/put_item_1kb", &PutEmbedded},
    stator::bench::Case<Fixture>{"embedded/put_changed_item_1kb", &PutChangedEmbedded},
    stator::bench::Case<Fixture>{"embedded/put_changed_item_1kb_with_history",
                                 &PutRememberedEmbedded},
    stator::bench::Case<Fixture>{"embedded/put_changed_item_1kb_beside_history",
                                 &PutBesideHistoryEmbedded},
    stator::bench::Case<Fixture>{"embedded/update_item_counter", &UpdateEmbedded},
    stator::bench::Case<Fixture>{"embedded/transact_write_4x1kb", &TransactionEmbedded},
    stator::bench::Case<Fixture>{"embedded/batch_write_25x1kb", &BatchEmbedded},
    stator::bench::Case<Fixture>{"embedded/batch_write_changed_25x1kb", &BatchChangedEmbedded},
    stator::bench::Case<Fixture>{"handler/get_item_1kb", &GetHandled},
    stator::bench::Case<Fixture>{"handler/query_20x200b", &QueryHandled},
    stator::bench::Case<Fixture>{"handler/put_item_1kb", &PutHandled},
    stator::bench::Case<Fixture>{"handler/put_changed_item_1kb", &PutChangedHandled},
    stator::bench::Case<Fixture>{"handler/put_changed_item_1kb_with_history",
                                 &PutRememberedHandled},
    stator::bench::Case<Fixture>{"handler/put_changed_item_1kb_with_indexes", &PutIndexedHandled},
    stator::bench::Case<Fixture>{"handler/update_item_counter", &UpdateHandled},
    stator::bench::Case<Fixture>{"handler/execute_statement_select_1kb", &StatementHandled},
    stator::bench::Case<Fixture>{"handler/execute_statement_select_20x200b", &SelectManyHandled},
    stator::bench::Case<Fixture>{"handler/put_and_delete_item_1kb", &MakeAndRemoveHandled},
    stator::bench::Case<Fixture>{"handler/execute_statement_insert_and_delete_1kb",
                                 &InsertAndDeleteHandled},
    stator::bench::Case<Fixture>{"handler/transact_write_4x1kb", &TransactionHandled},
    stator::bench::Case<Fixture>{"handler/batch_write_25x1kb", &BatchHandled},
    stator::bench::Case<Fixture>{"client/get_item_1kb", &GetByClient},
    stator::bench::Case<Fixture>{"client/put_item_1kb", &PutByClient},
};

}  // namespace

int main(int argc, char** argv) {
  Fixture fixture;
  return stator::bench::CountOrTime(argc, argv, kCases, fixture);
}

#include "engine_subjects.h"

#include <rocksdb/listener.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "storage/rocksdb_options.h"
#include "value/item_codec.h"

namespace stator::bench {
namespace {

constexpr char kTable[] = "bench";
constexpr keyspace::TableId kTableId = 1;  // the first that the engine gives out
constexpr std::size_t kCacheBytes = 256 << 20;
// Requests of each kind that are made beforehand; far more than fit into the processor's caches.
constexpr std::uint64_t kPool = 20'000;

// Spreads consecutive numbers over all items.
std::uint64_t Spread(std::uint64_t number, std::uint64_t items) {
  return number * 2'654'435'761U % items;
}

std::string PartitionOf(std::uint64_t item) {
  return "partition#" + std::to_string(item / kItemsPerPartition);
}

Item KeyOf(std::uint64_t item) {
  return {{"pk", PartitionOf(item)}, {"sk", "item#" + std::to_string(item % kItemsPerPartition)}};
}

// A content for each version; attributes as an application has them.
Item ItemOf(std::uint64_t item, std::uint64_t version, std::size_t bytes) {
  Item content = KeyOf(item);
  content.Set("counter", version);
  content.Set("status", "active");
  const std::size_t text_bytes = bytes > 70 ? bytes - 70 : 1;
  content.Set("body", std::string(text_bytes, static_cast<char>('a' + item % 26)));
  return content;
}

storage::StoreOptions OptionsOf(const Setting& setting) {
  return {.path = setting.path, .durability = setting.durability, .block_cache_bytes = kCacheBytes};
}

CreateTableInput TableInput() {
  return {.table_name = kTable,
          .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                    {"sk", ScalarAttributeType::kString}},
          .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
          .billing_mode = BillingMode::kPayPerRequest};
}

template <class T>
void Demand(const Result<T>& result) {
  bench::Demand(result.has_value(), result ? "" : result.error().message);
}

void Load(Database& database, const Setting& setting) {
  Demand(database.CreateTable(TableInput()));
  for (std::uint64_t first = 0; first < setting.items; first += kBatchItems) {
    BatchWriteItemInput batch;
    for (std::uint64_t item = first; item < std::min(first + kBatchItems, setting.items); ++item) {
      batch.request_items[kTable].emplace_back(PutRequest{ItemOf(item, 0, setting.item_bytes)});
    }
    Demand(database.BatchWriteItem(batch));
  }
}

UpdateItemInput CountIn(std::uint64_t item) {
  return {.table_name = kTable,
          .key = KeyOf(item),
          .update_expression = "SET #c = #c + :one",
          .expression_attribute_names = {{{"#c", "counter"}}},
          .expression_attribute_values = {{{":one", 1}}}};
}

QueryInput QueryOf(std::uint64_t item) {
  return {.table_name = kTable,
          .key_condition_expression = "pk = :pk",
          .expression_attribute_values = {{{":pk", PartitionOf(item)}}}};
}

template <class Input>
const Input& Pick(const std::vector<Input>& pool, std::uint64_t number) {
  return pool[number % pool.size()];
}

}  // namespace

void Demand(bool condition, const std::string& what) {
  if (!condition) {
    std::fprintf(stderr, "a wrong answer: %s\n", what.c_str());
    std::exit(1);
  }
}

EngineSubject::EngineSubject(const Setting& setting) {
  Setting loading = setting;
  loading.durability = storage::Durability::kRelaxed;
  for (const Setting* each : {&std::as_const(loading), &setting}) {
    engine::EngineOptions options;
    options.store = OptionsOf(*each);
    engine_.reset();
    auto engine = engine::Engine::Open(options);
    Demand(engine);
    engine_ = *std::move(engine);
    if (each == &loading) {
      Load(*engine_, setting);
      Demand(engine_->Close());
    }
  }
  for (std::uint64_t number = 0; number < kPool; ++number) {
    const std::uint64_t item = Spread(number, setting.items);
    gets_.push_back({.table_name = kTable, .key = KeyOf(item)});
    updates_.push_back(CountIn(item));
    queries_.push_back(QueryOf(item));
  }
  for (std::uint64_t number = 0; number < 2 * kPool; ++number) {
    const std::uint64_t item = Spread(number % kPool, setting.items);
    puts_.push_back(
        {.table_name = kTable, .item = ItemOf(item, 1 + number / kPool, setting.item_bytes)});
  }
  for (std::uint64_t first = 0; first + kBatchItems <= puts_.size(); first += kBatchItems) {
    TransactWriteItemsInput& transaction = transactions_.emplace_back();
    BatchWriteItemInput& batch = batches_.emplace_back();
    for (std::uint64_t at = first; at < first + kBatchItems; ++at) {
      batch.request_items[kTable].emplace_back(PutRequest{puts_[at].item});
      if (at < first + kTransactionItems) {
        transaction.transact_items.emplace_back(
            TransactPut{.table_name = kTable, .item = puts_[at].item});
      }
    }
  }
}

void EngineSubject::GetItem(std::uint64_t number) {
  const Result<GetItemOutput> output = engine_->GetItem(Pick(gets_, number));
  bench::Demand(output && output->item, "GetItem");
}

void EngineSubject::PutItem(std::uint64_t number) {
  Demand(engine_->PutItem(Pick(puts_, number)));
}

void EngineSubject::UpdateItem(std::uint64_t number) {
  Demand(engine_->UpdateItem(Pick(updates_, number)));
}

void EngineSubject::Query(std::uint64_t number) {
  const Result<QueryOutput> output = engine_->Query(Pick(queries_, number));
  bench::Demand(output && output->count == kItemsPerPartition, "Query");
}

void EngineSubject::TransactWriteItems(std::uint64_t number) {
  Demand(engine_->TransactWriteItems(Pick(transactions_, number)));
}

void EngineSubject::BatchWriteItem(std::uint64_t number) {
  Demand(engine_->BatchWriteItem(Pick(batches_, number)));
}

RawSubject::RawSubject(const Setting& setting) {
  const rocksdb::Options options = storage::MakeRocksDbOptions(
      OptionsOf(setting), rocksdb::Env::Default(), std::make_shared<rocksdb::EventListener>());
  rocksdb::DB* database = nullptr;
  bench::Demand(rocksdb::DB::Open(options, setting.path, &database).ok(), "opening RocksDB");
  database_.reset(database);
  const auto row_of = [&](std::uint64_t item, std::uint64_t version) {
    const Item content = ItemOf(item, version, setting.item_bytes);
    Row row;
    keyspace::AppendItemKey(kTableId, content.at("pk"), &content.at("sk"), row.key);
    value::AppendItem(content, row.value);
    return row;
  };
  for (std::uint64_t first = 0; first < setting.items; first += kBatchItems) {
    rocksdb::WriteBatch batch;
    for (std::uint64_t item = first; item < std::min(first + kBatchItems, setting.items); ++item) {
      const Row row = row_of(item, 0);
      batch.Put(row.key, row.value);
    }
    bench::Demand(database_->Write(how_, &batch).ok(), "loading RocksDB");
  }
  how_.sync = setting.durability == storage::Durability::kDurable;
  for (std::uint64_t number = 0; number < 2 * kPool; ++number) {
    rows_.push_back(row_of(Spread(number % kPool, setting.items), 1 + number / kPool));
  }
  for (std::uint64_t number = 0; number < kPool; ++number) {
    std::string partition;
    keyspace::AppendItemKey(kTableId, PartitionOf(Spread(number, setting.items)), nullptr,
                            partition);
    partitions_.push_back(std::move(partition));
  }
}

void RawSubject::Get(std::uint64_t number) {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status =
      database_->Get({}, database_->DefaultColumnFamily(), Pick(rows_, number % kPool).key, &value);
  bench::Demand(status.ok(), "Get");
}

void RawSubject::Iterate(std::uint64_t number) {
  const std::string& begin = Pick(partitions_, number);
  const std::string end = keyspace::PrefixEnd(begin);
  const rocksdb::Slice lower(begin);
  const rocksdb::Slice upper(end);
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> iterator(database_->NewIterator(options));
  std::uint64_t rows = 0;
  std::size_t bytes = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    ++rows;
    bytes += iterator->value().size();
  }
  bench::Demand(rows == kItemsPerPartition && bytes > 0, "Iterate");
}

void RawSubject::GetAndPut(std::uint64_t number, std::uint64_t rows) {
  // As the engine's pools: batches begin where its batches begin.
  const std::uint64_t first = rows == 1 ? number : number * kBatchItems;
  rocksdb::WriteBatch batch;
  for (std::uint64_t at = first; at < first + rows; ++at) {
    const Row& row = Pick(rows_, at);
    rocksdb::PinnableSlice before;
    bench::Demand(database_->Get({}, database_->DefaultColumnFamily(), row.key, &before).ok(),
                  "Get");
    batch.Put(row.key, row.value);
  }
  bench::Demand(database_->Write(how_, &batch).ok(), "Write");
}

}  // namespace stator::bench

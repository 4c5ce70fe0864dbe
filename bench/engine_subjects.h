// What engine_bench measures: a table of the engine, and a RocksDB of the same settings that holds
// the same rows and is given the calls that the operations of the engine amount to.
//
// Requests are made beforehand, so that only answering them is measured.

#pragma once

#include <rocksdb/db.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "storage/store_options.h"

namespace stator::bench {

struct Setting {
  std::string path;  // a directory that does not exist yet
  storage::Durability durability = storage::Durability::kRelaxed;
  std::uint64_t items = 0;
  std::size_t item_bytes = 0;  // about
};

// Items are in partitions of so many.
inline constexpr std::uint64_t kItemsPerPartition = 20;
inline constexpr std::uint64_t kTransactionItems = 4;
inline constexpr std::uint64_t kBatchItems = 25;

// Stops the program: a benchmark of failures would be fast.
void Demand(bool condition, const std::string& what);

class EngineSubject {
 public:
  explicit EngineSubject(const Setting& setting);

  // Operation number `number` of a run; different numbers meet different items, and each time that
  // the numbers come around the items are written with another content.
  void GetItem(std::uint64_t number);
  void PutItem(std::uint64_t number);
  void UpdateItem(std::uint64_t number);  // counts
  void Query(std::uint64_t number);       // one partition
  void TransactWriteItems(std::uint64_t number);
  void BatchWriteItem(std::uint64_t number);

 private:
  std::vector<GetItemInput> gets_;
  std::vector<PutItemInput> puts_;
  std::vector<UpdateItemInput> updates_;
  std::vector<QueryInput> queries_;
  std::vector<TransactWriteItemsInput> transactions_;
  std::vector<BatchWriteItemInput> batches_;
  std::unique_ptr<engine::Engine> engine_;
};

class RawSubject {
 public:
  explicit RawSubject(const Setting& setting);

  void Get(std::uint64_t number);
  // One partition by an iterator.
  void Iterate(std::uint64_t number);
  // Gets of so many rows, then one batch that puts them: whoever writes an item has to know the one
  // that was there, for indexes and streams.
  void GetAndPut(std::uint64_t number, std::uint64_t rows);

 private:
  struct Row {
    std::string key;
    std::string value;
  };

  std::vector<Row> rows_;
  std::vector<std::string> partitions_;  // what the keys of a partition begin with
  rocksdb::WriteOptions how_;
  std::unique_ptr<rocksdb::DB> database_;
};

}  // namespace stator::bench

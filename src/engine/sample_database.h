// For tests: a small database that has every kind of row and every kind of value, the same bytes
// each time. Golden files are made of it, and the checker is tried on it.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "engine/engine.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/key_part.h"
#include "keyspace/keys.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "storage/store.h"
#include "value/item_codec.h"

namespace stator::engine {

// 2026-11-15T00:00:00Z
inline constexpr TimePoint kSampleTime{std::chrono::seconds(1'794'700'800)};
inline constexpr std::int64_t kSampleExpiry = 2'000'000'000;
inline constexpr char kSampleToken[] = "sample-token";

// What an engine on a sample database is opened with; lives as long as the engine.
struct SampleEnvironment {
  ManualClock clock{kSampleTime};
  SeededRandom random{1};

  EngineOptions Options(storage::StoreOptions store) {
    return {.store = std::move(store),
            .clock = &clock,
            .random = &random,
            .housekeeping_interval = std::chrono::milliseconds(0)};
  }
};

template <class T>
T Must(Result<T> result) {
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
  return std::move(result).value();
}

inline CreateTableInput SampleOrders() {
  return {
      .table_name = "orders",
      .attribute_definitions = {{"customer", ScalarAttributeType::kString},
                                {"number", ScalarAttributeType::kNumber},
                                {"total", ScalarAttributeType::kNumber},
                                {"city", ScalarAttributeType::kString},
                                {"code", ScalarAttributeType::kBinary}},
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
          {.index_name = "by_city_and_code",
           .key_schema = {{"city", KeyType::kHash},
                          {"code", KeyType::kHash},
                          {"total", KeyType::kRange},
                          {"number", KeyType::kRange}},
           .projection = {.projection_type = ProjectionType::kKeysOnly}},
      }},
      .stream_specification = {{.stream_enabled = true,
                                .stream_view_type = StreamViewType::kNewAndOldImages}},
      .tags = {{{.key = "team", .value = "blue"}}},
  };
}

inline CreateTableInput SampleFiles() {
  return {
      .table_name = "files",
      .attribute_definitions = {{"digest", ScalarAttributeType::kBinary}},
      .key_schema = {{"digest", KeyType::kHash}},
      .provisioned_throughput = {{.read_capacity_units = 3, .write_capacity_units = 5}},
      .stream_specification = {{.stream_enabled = true,
                                .stream_view_type = StreamViewType::kKeysOnly}},
      .table_class = TableClass::kStandardInfrequentAccess,
      .deletion_protection_enabled = true,
  };
}

inline Item ItemOfAllTypes() {
  return {
      {"customer", "ann"},
      {"number", 7},
      {"total", Number::Parse("-12.5").value()},
      {"city", "Köln"},
      {"code", Binary{std::string("\x00\x01\xFF", 3)}},
      {"note", ""},
      {"expires", kSampleExpiry},
      {"paid", true},
      {"nothing", Null{}},
      {"words", StringSet{"b", "a"}},
      {"figures", NumberSet{3, -1, Number::Parse("0.5").value()}},
      {"blobs", BinarySet{Binary{"y"}, Binary{"x"}}},
      {"lines", List{1, "two", Map{{"three", List{Null{}, false}}}}},
      {"address", Map{{"zip", "50667"}, {"street", Map{}}}},
      {"largest", Number::Parse("9.9999999999999999999999999999999999999E+125").value()},
      {"smallest", Number::Parse("1E-130").value()},
  };
}

// Tables, items, index entries, expiry rows, two streams of which one has ended, and a token.
inline void FillSample(Engine& engine) {
  Must(engine.CreateTable(SampleOrders()));
  Must(engine.CreateTable(SampleFiles()));
  Must(engine.UpdateTimeToLive(
      {.table_name = "orders",
       .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}));
  engine.AwaitBackgroundJobs();
  Must(engine.PutItem({.table_name = "orders", .item = ItemOfAllTypes()}));
  // In no global index, and not expiring.
  Must(engine.PutItem({.table_name = "orders",
                       .item = {{"customer", "ann"}, {"number", 8}, {"expires", "never"}}}));
  Must(engine.PutItem(
      {.table_name = "orders", .item = {{"customer", "bob"}, {"number", 1}, {"city", "Bonn"}}}));
  Must(engine.UpdateItem(
      {.table_name = "orders",
       .key = {{"customer", "bob"}, {"number", 1}},
       .update_expression = "SET city = :c, expires = :e",
       .expression_attribute_values = {{{":c", "Köln"}, {":e", kSampleExpiry + 1}}}}));
  Must(engine.PutItem({.table_name = "orders", .item = {{"customer", "cat"}, {"number", 1}}}));
  Must(engine.DeleteItem({.table_name = "orders", .key = {{"customer", "cat"}, {"number", 1}}}));
  Must(engine.PutItem({.table_name = "files", .item = {{"digest", Binary{"\xFF"}}}}));
  Must(engine.UpdateTable(
      {.table_name = "files", .stream_specification = {{.stream_enabled = false}}}));
  Must(engine.TransactWriteItems(
      {.transact_items =
           {TransactPut{.table_name = "files", .item = {{"digest", Binary{"a"}}, {"bytes", 12}}},
            TransactPut{.table_name = "orders", .item = {{"customer", "dan"}, {"number", 2}}}},
       .client_request_token = kSampleToken}));
}

// The rows of a table that was dropped just before the program ended.
inline void AddDroppedTable(storage::Store& store) {
  constexpr keyspace::TableId kId = 3;
  storage::WriteBatch batch;
  batch.Put(keyspace::CounterKey(keyspace::Counter::kNextTableId),
            keyspace::EncodeCounter(kId + 1));
  std::string row;
  keyspace::AppendDroppedTableRow({.name = "dropped", .ttl_attribute = "at"}, row);
  batch.Put(keyspace::DroppedTableKey(kId), row);
  const Item item = {{"id", "x"}, {"at", kSampleExpiry}};
  std::string item_key;
  keyspace::AppendItemKey(kId, item.at("id"), nullptr, item_key);
  row.clear();
  value::AppendItem(item, row);
  batch.Put(item_key, row);
  std::string expiry_key;
  keyspace::AppendExpiryKey(kSampleExpiry, item_key, expiry_key);
  batch.Put(expiry_key, "");
  std::string index_key;
  const AttributeValue* const partition[] = {&item.at("at")};
  keyspace::AppendIndexPartition(kId, 1, partition, index_key);
  keyspace::AppendKeyPart(item.at("id"), index_key);
  batch.Put(index_key, row);
  EXPECT_TRUE(store.Write(std::move(batch)).has_value());
}

}  // namespace stator::engine

// Items that are read stay in their stored bytes (value/stored_map.h), whoever reads them; items that
// come as such bytes are written as trees of values are; and hot rows and pages, which come from caches
// of the store, are the ones that were written last.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/check_database.h"
#include "engine/engine.h"
#include "engine/sample_database.h"
#include "storage/faulty_disk.h"
#include "value/dynamodb_json.h"
#include "value/stored_map.h"

namespace stator::engine {
namespace {

class StoredItemsTest : public testing::Test {
 protected:
  StoredItemsTest() {
    engine_ = Must(Engine::Open(environment_.Options({.path = {}, .in_memory = true})));
    Must(engine_->CreateTable(SampleOrders()));
    for (int number = 1; number <= 3; ++number) {
      Put(number, "Bonn");
    }
  }

  static Item KeyOf(int number) { return {{"customer", "ann"}, {"number", number}}; }
  static Item ItemOf(int number, const std::string& city) {
    Item item = KeyOf(number);
    item.Set("city", city);
    item.Set("wares", List{Map{{"sku", "a-1"}, {"pieces", number}}});
    item.Set("note", "as \"ordered\"");
    return item;
  }
  void Put(int number, const std::string& city) {
    Must(engine_->PutItem({.table_name = "orders", .item = ItemOf(number, city)}));
  }
  Item Get(int number) {
    return Must(engine_->GetItem({.table_name = "orders", .key = KeyOf(number)})).item.value();
  }

  SampleEnvironment environment_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(StoredItemsTest, ReadsDecodeNothing) {
  EXPECT_NE(Get(1).stored(), nullptr);
  EXPECT_EQ(Get(1), ItemOf(1, "Bonn"));
  const QueryOutput page = Must(engine_->Query(
      {.table_name = "orders",
       .key_condition_expression = "customer = :c",
       .filter_expression = "city = :city AND wares[0].pieces > :pieces",
       .expression_attribute_values = {{{":c", "ann"}, {":city", "Bonn"}, {":pieces", 1}}}}));
  ASSERT_EQ(page.items->size(), 2U);
  for (const Item& item : *page.items) {
    EXPECT_NE(item.stored(), nullptr);
  }
  EXPECT_EQ(page.items->at(0), ItemOf(2, "Bonn"));
  EXPECT_EQ(page.items->at(1), ItemOf(3, "Bonn"));
}

TEST_F(StoredItemsTest, ProjectionsTakeWhatTheyName) {
  const GetItemOutput output =
      Must(engine_->GetItem({.table_name = "orders",
                             .key = KeyOf(2),
                             .projection_expression = "city, wares[0].sku, nothing"}));
  EXPECT_EQ(output.item, (Item{{"city", "Bonn"}, {"wares", List{Map{{"sku", "a-1"}}}}}));
}

TEST_F(StoredItemsTest, HotRowsAreThoseThatWereWrittenLast) {
  for (const std::string city : {"Bonn", "Ulm", "Trier", "Ulm"}) {
    Put(1, city);
    for (int attempt = 0; attempt < 4; ++attempt) {
      EXPECT_EQ(Get(1), ItemOf(1, city));
    }
  }
  Must(engine_->DeleteItem({.table_name = "orders", .key = KeyOf(1)}));
  EXPECT_FALSE(Must(engine_->GetItem({.table_name = "orders", .key = KeyOf(1)})).item.has_value());
}

TEST_F(StoredItemsTest, HotPagesAreThoseThatWereWrittenLast) {
  const auto page = [&](bool forward, std::optional<std::int32_t> limit) {
    return Must(engine_->Query({.table_name = "orders",
                                .key_condition_expression = "customer = :c",
                                .expression_attribute_values = {{{":c", "ann"}}},
                                .limit = limit,
                                .scan_index_forward = forward}))
        .items.value();
  };
  const auto expect_pages = [&](std::vector<Item> items) {
    for (int attempt = 0; attempt < 4; ++attempt) {
      EXPECT_EQ(page(true, std::nullopt), items);
      EXPECT_EQ(page(true, 1).front(), items.front());
      EXPECT_EQ(page(false, 1).front(), items.back());
    }
    std::reverse(items.begin(), items.end());
    EXPECT_EQ(page(false, std::nullopt), items);
  };
  expect_pages({ItemOf(1, "Bonn"), ItemOf(2, "Bonn"), ItemOf(3, "Bonn")});
  Put(2, "Ulm");
  expect_pages({ItemOf(1, "Bonn"), ItemOf(2, "Ulm"), ItemOf(3, "Bonn")});
  Must(engine_->DeleteItem({.table_name = "orders", .key = KeyOf(1)}));
  expect_pages({ItemOf(2, "Ulm"), ItemOf(3, "Bonn")});
  Put(9, "Trier");
  expect_pages({ItemOf(2, "Ulm"), ItemOf(3, "Bonn"), ItemOf(9, "Trier")});
  Must(engine_->TransactWriteItems(
      {.transact_items = {{TransactPut{.table_name = "orders", .item = ItemOf(2, "Kiel")}},
                          {TransactPut{.table_name = "orders", .item = ItemOf(9, "Kiel")}}}}));
  expect_pages({ItemOf(2, "Kiel"), ItemOf(3, "Bonn"), ItemOf(9, "Kiel")});
}

TEST_F(StoredItemsTest, AnUnchangedItemIsNotWritten) {
  const std::uint64_t before = engine_->StoreStatistics().batches;
  Put(1, "Bonn");
  EXPECT_EQ(engine_->StoreStatistics().batches, before);
  Put(1, "Köln");
  EXPECT_EQ(engine_->StoreStatistics().batches, before + 1);
}

// An item as the server makes it of a request's JSON.
Item AsItsRow(const Item& item) {
  const std::string text = value::ToDynamoDbJson(item);
  simdjson::dom::parser parser;
  Item stored = Must(value::StoredItemFromJson(parser.parse(text).value()));
  EXPECT_NE(stored.stored(), nullptr);
  return stored;
}

using FormOf = Item (*)(const Item&);

// Puts of all kinds, into a table with indexes, expiry and a stream; what they answer.
std::vector<std::optional<Item>> PutAll(Database& engine, FormOf form) {
  std::vector<std::optional<Item>> answers;
  const auto put = [&](const Item& item) {
    answers.push_back(Must(engine.PutItem({.table_name = "orders",
                                           .item = form(item),
                                           .return_values = ReturnValues::kAllOld}))
                          .attributes);
  };
  put(ItemOfAllTypes());
  put(ItemOfAllTypes());
  Item changed = ItemOfAllTypes();
  changed.Set("city", "Ulm");
  changed.Set("expires", kSampleExpiry + 7);
  changed.Erase("code");
  put(changed);
  put({{"customer", "ann"}, {"number", 8}, {"expires", "never"}});
  Must(engine.BatchWriteItem(
      {.request_items = {{"orders",
                          {PutRequest{form({{"customer", "bob"}, {"number", 1}, {"city", "Bonn"}})},
                           PutRequest{form({{"customer", "bob"}, {"number", 2}, {"total", 9}})},
                           DeleteRequest{{{"customer", "ann"}, {"number", 8}}}}}}}));
  Must(engine.TransactWriteItems(
      {.transact_items = {TransactPut{.table_name = "orders",
                                      .item = form({{"customer", "cat"}, {"number", 3}}),
                                      .condition_expression = "attribute_not_exists(customer)"},
                          TransactPut{.table_name = "files",
                                      .item = form({{"digest", Binary{"a"}}, {"bytes", 12}})}},
       .client_request_token = kSampleToken}));
  const auto refused = engine.PutItem(
      {.table_name = "orders",
       .item = form({{"customer", "cat"}, {"number", 3}, {"city", "Bonn"}}),
       .condition_expression = "attribute_exists(city)",
       .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld});
  EXPECT_EQ(refused.error().code, ErrorCode::kConditionFailed);
  return answers;
}

struct Rows {
  std::map<std::string, std::string> all;
  std::vector<std::optional<Item>> answers;
};

Rows RowsOfPuts(FormOf form) {
  SampleEnvironment environment;
  const auto disk = storage::FaultyDisk::InMemory();
  const auto options = [&] { return storage::StoreOptions{.path = "/db", .disk = disk}; };
  Rows rows;
  {
    const auto engine = Must(Engine::Open(environment.Options(options())));
    Must(engine->CreateTable(SampleOrders()));
    Must(engine->CreateTable(SampleFiles()));
    Must(engine->UpdateTimeToLive(
        {.table_name = "orders",
         .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}));
    engine->AwaitBackgroundJobs();
    rows.answers = PutAll(*engine, form);
    EXPECT_TRUE(engine->Close().has_value());
  }
  const auto store = Must(storage::Store::Open(options()));
  storage::Cursor cursor = store->NewCursor(nullptr, "", "\xFF");
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    rows.all.emplace(cursor.key(), cursor.value());
  }
  EXPECT_TRUE(CheckDatabase(*store).clean());
  return rows;
}

TEST(ItemsOfRequests, AreWrittenLikeTreesOfValues) {
  const Rows expected = RowsOfPuts([](const Item& item) { return item; });
  const Rows rows = RowsOfPuts(AsItsRow);
  EXPECT_EQ(rows.answers, expected.answers);
  ASSERT_EQ(rows.all.size(), expected.all.size());
  for (const auto& [key, row] : expected.all) {
    ASSERT_TRUE(rows.all.contains(key)) << testing::PrintToString(key);
    EXPECT_EQ(rows.all.at(key), row) << testing::PrintToString(key);
  }
}

// What was read is put again as it is, here and elsewhere.
TEST_F(StoredItemsTest, WhatWasReadMayBePut) {
  const Item read = Get(1);
  ASSERT_NE(read.stored(), nullptr);
  Must(engine_->DeleteItem({.table_name = "orders", .key = KeyOf(1)}));
  Must(engine_->PutItem({.table_name = "orders", .item = read}));
  EXPECT_EQ(Get(1), ItemOf(1, "Bonn"));
  Item changed = read;
  changed.Set("city", "Ulm");
  Must(engine_->PutItem({.table_name = "orders", .item = changed}));
  EXPECT_EQ(Get(1), ItemOf(1, "Ulm"));
  // Inside another one it is as deep as it says.
  Item deep = KeyOf(4);
  deep.Set("inner", read);
  Must(engine_->PutItem({.table_name = "orders", .item = deep}));
  AttributeValue nested = "leaf";
  for (int level = 0; level < 30; ++level) {
    nested = List{std::move(nested)};
  }
  deep.Set("inner", nested);
  Must(engine_->PutItem({.table_name = "orders", .item = deep}));
  Item deeper = KeyOf(5);
  deeper.Set("inner", Map{{"item", Get(4)}});
  const auto refused = engine_->PutItem({.table_name = "orders", .item = deeper});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kValidation);
}

}  // namespace
}  // namespace stator::engine

// Items that are read stay in their stored bytes (value/stored_map.h), whoever reads them; and hot rows
// that come from the row cache are the ones that were written last.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/sample_database.h"

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

TEST_F(StoredItemsTest, AnUnchangedItemIsNotWritten) {
  const std::uint64_t before = engine_->StoreStatistics().batches;
  Put(1, "Bonn");
  EXPECT_EQ(engine_->StoreStatistics().batches, before);
  Put(1, "Köln");
  EXPECT_EQ(engine_->StoreStatistics().batches, before + 1);
}

}  // namespace
}  // namespace stator::engine

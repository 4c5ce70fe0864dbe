// An item whose row was damaged so that it lacks its key, or has another's, is told as corruption
// by whoever needs the key; nothing stops the process, and other items go on being served.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "engine/engine.h"
#include "engine/sample_database.h"
#include "keyspace/keys.h"
#include "storage/faulty_disk.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

class DamagedItemTest : public testing::Test {
 protected:
  DamagedItemTest() {
    engine_ = Must(Engine::Open(environment_.Options(Options())));
    Must(engine_->CreateTable(SampleOrders()));
    for (const int number : {1, 2}) {
      Must(engine_->PutItem(
          {.table_name = "orders",
           .item = {
               {"customer", "ann"}, {"number", number}, {"city", "Bonn"}, {"total", number}}}));
    }
  }

  storage::StoreOptions Options() const { return {.path = "/db", .disk = disk_}; }

  // The row of ann's first order holds `item` from now on.
  void Damage(const Item& item) {
    EXPECT_TRUE(engine_->Close().has_value());
    engine_.reset();
    {
      const auto store = Must(storage::Store::Open(Options()));
      std::string key;
      const AttributeValue number = 1;
      keyspace::AppendItemKey(1, "ann", &number, key);
      std::string row;
      value::AppendItem(item, row);
      storage::WriteBatch batch;
      batch.Put(key, row);
      EXPECT_TRUE(store->Write(std::move(batch)).has_value());
    }
    engine_ = Must(Engine::Open(environment_.Options(Options())));
  }

  void ExpectTold() {
    const Item key = {{"customer", "ann"}, {"number", 1}};
    const auto is_told = [](const auto& result) {
      return !result && result.error().code == ErrorCode::kCorruption;
    };
    Item item = key;
    item.Set("city", "Ulm");
    EXPECT_TRUE(is_told(engine_->PutItem({.table_name = "orders", .item = item})));
    EXPECT_TRUE(is_told(engine_->DeleteItem({.table_name = "orders", .key = key})));
    EXPECT_TRUE(is_told(engine_->UpdateItem({.table_name = "orders",
                                             .key = key,
                                             .update_expression = "SET city = :c",
                                             .expression_attribute_values = {{{":c", "Ulm"}}}})));
    EXPECT_TRUE(is_told(engine_->TransactWriteItems(
        {.transact_items = {TransactPut{.table_name = "orders", .item = item}}})));
    // The other one is as it was.
    EXPECT_TRUE(
        engine_->DeleteItem({.table_name = "orders", .key = {{"customer", "ann"}, {"number", 2}}}));
  }

  SampleEnvironment environment_;
  std::shared_ptr<storage::FaultyDisk> disk_ = storage::FaultyDisk::InMemory();
  std::unique_ptr<Engine> engine_;
};

TEST_F(DamagedItemTest, WithoutItsKey) {
  Damage({{"city", "Bonn"}, {"total", 1}});
  const auto page = engine_->Scan({.table_name = "orders", .limit = 1});
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, ErrorCode::kCorruption);
  ExpectTold();
}

TEST_F(DamagedItemTest, WithAKeyOfAnotherType) {
  Damage({{"customer", "ann"}, {"number", "one"}, {"city", "Bonn"}});
  ExpectTold();
}

TEST_F(DamagedItemTest, WithTheKeyOfAnother) {
  Damage({{"customer", "ann"}, {"number", 3}, {"city", "Bonn"}});
  ExpectTold();
}

}  // namespace
}  // namespace stator::engine

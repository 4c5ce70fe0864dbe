// What check_database.h promises: a database that the engine wrote is clean, also in the middle of
// its jobs, and every kind of damage is found. Damage is done to the rows behind the engine's back.

#include "engine/check_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/sample_database.h"
#include "engine/stream_row.h"
#include "engine/table_row.h"
#include "keyspace/format_version.h"
#include "keyspace/key_range.h"
#include "storage/faulty_disk.h"

namespace stator::engine {
namespace {

using keyspace::KeyKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Row = std::pair<std::string, std::string>;

class CheckDatabaseTest : public testing::Test {
 protected:
  CheckDatabaseTest() {
    {
      const std::unique_ptr<Engine> engine = Must(Engine::Open(environment_.Options(Options())));
      FillSample(*engine);
      EXPECT_TRUE(engine->Close().has_value());
    }
    store_ = Must(storage::Store::Open(Options()));
  }

  storage::StoreOptions Options() const { return {.path = "/db", .disk = disk_}; }

  std::vector<Row> Rows(KeyKind kind) const {
    const keyspace::KeyRange range = keyspace::RangeOfPrefix(keyspace::KindPrefix(kind));
    std::vector<Row> rows;
    storage::Cursor cursor = store_->NewCursor(nullptr, range.begin, range.end);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      rows.emplace_back(cursor.key(), cursor.value());
    }
    return rows;
  }

  void Put(const std::string& key, const std::string& row) const {
    storage::WriteBatch batch;
    batch.Put(key, row);
    ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
  }

  void Delete(const std::string& key) const {
    storage::WriteBatch batch;
    batch.Delete(key);
    ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
  }

  // The row of a kind whose value holds `text`.
  Row Find(KeyKind kind, const std::string& text) const {
    for (Row& row : Rows(kind)) {
      if (row.second.find(text) != std::string::npos) {
        return std::move(row);
      }
    }
    ADD_FAILURE() << "no row holds " << text;
    return {};
  }

  template <class Change>
  void ChangeTable(const std::string& name, const Change& change) const {
    const Row row = Find(KeyKind::kTable, name);
    Table table = Must(DecodeTable(row.second));
    change(table);
    std::string bytes;
    AppendTable(table, bytes);
    Put(row.first, bytes);
  }

  static std::string Encoded(const Item& item) {
    std::string row;
    value::AppendItem(item, row);
    return row;
  }

  std::vector<std::string> Problems() const { return CheckDatabase(*store_).problems.texts; }

  SampleEnvironment environment_;
  std::shared_ptr<storage::FaultyDisk> disk_ = storage::FaultyDisk::InMemory();
  std::unique_ptr<storage::Store> store_;
};

TEST_F(CheckDatabaseTest, WhatTheEngineWroteIsClean) {
  const CheckReport report = CheckDatabase(*store_);
  EXPECT_THAT(report.problems.texts, IsEmpty());
  EXPECT_THAT(report.warnings.texts, IsEmpty());
  EXPECT_THAT(report.notes.texts, IsEmpty());
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(report.tables, 2U);
  EXPECT_EQ(report.items, 6U);
  EXPECT_EQ(report.index_entries, 4U);
  EXPECT_EQ(report.expiry_rows, 2U);
  EXPECT_EQ(report.streams, 2U);
  EXPECT_EQ(report.stream_records, 8U);
  EXPECT_EQ(report.tokens, 1U);
}

TEST_F(CheckDatabaseTest, OpensADirectoryForReading) {
  store_.reset();
  const CheckReport report = Must(CheckDatabase(Options()));
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(report.items, 6U);
  EXPECT_FALSE(CheckDatabase({.path = "/missing", .disk = disk_}).has_value());
}

TEST_F(CheckDatabaseTest, RowsOfADroppedTableAreANote) {
  AddDroppedTable(*store_);
  const CheckReport report = CheckDatabase(*store_);
  EXPECT_THAT(report.problems.texts, IsEmpty());
  EXPECT_THAT(report.notes.texts,
              ElementsAre("table dropped was dropped; 3 of its rows are still to be removed"));
}

TEST_F(CheckDatabaseTest, FindsAMissingOrUnknownFormat) {
  Put(keyspace::FormatVersionKey(), keyspace::EncodeFormatVersion(999));
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("a newer version")));
  Delete(keyspace::FormatVersionKey());
  EXPECT_THAT(Problems(), ElementsAre("there is no format version"));
}

TEST_F(CheckDatabaseTest, FindsRowsOfNoKind) {
  Put("\x7F"
      "x",
      "");
  EXPECT_THAT(Problems(), ElementsAre("a row is of no known kind: 7f78"));
}

TEST_F(CheckDatabaseTest, FindsDamagedKeys) {
  for (const KeyKind kind :
       {KeyKind::kItem, KeyKind::kIndex, KeyKind::kExpiry, KeyKind::kStream, KeyKind::kStreamRecord,
        KeyKind::kDroppedTable, KeyKind::kTokenExpiry, KeyKind::kCounter, KeyKind::kFormat}) {
    const std::string key = keyspace::KindPrefix(kind) + "?";
    Put(key, "");
    EXPECT_EQ(Problems().size(), 1U) << static_cast<int>(kind);
    Delete(key);
  }
}

TEST_F(CheckDatabaseTest, FindsATableThatCannotBeRead) {
  Put(keyspace::TableKey("broken"), "?");
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("the table broken cannot be read")));
}

TEST_F(CheckDatabaseTest, FindsATableUnderAnotherName) {
  const Row row = Find(KeyKind::kTable, "files");
  Delete(row.first);
  Put(keyspace::TableKey("filez"), row.second);
  EXPECT_THAT(Problems(), ElementsAre("table files: its row is under another name"));
}

TEST_F(CheckDatabaseTest, FindsIdsThatWereNotGivenOut) {
  Put(keyspace::CounterKey(keyspace::Counter::kNextTableId), keyspace::EncodeCounter(2));
  Put(keyspace::CounterKey(keyspace::Counter::kNextStreamId), keyspace::EncodeCounter(2));
  ChangeTable("orders", [](Table& table) { table.next_index_id = 3; });
  EXPECT_THAT(Problems(),
              ElementsAre("table files: its id 2 was not given out yet",
                          "table orders, index by_city_and_code: its id 3 was not given out yet",
                          HasSubstr("its id 2 was not given out yet")));
}

TEST_F(CheckDatabaseTest, FindsItemsOfNoTable) {
  std::string key;
  keyspace::AppendItemKey(77, "x", nullptr, key);
  Put(key, Encoded({{"id", "x"}}));
  EXPECT_THAT(Problems(), ElementsAre("an item is of no table, but of the id 77"));
}

TEST_F(CheckDatabaseTest, FindsAnItemThatCannotBeRead) {
  const Row row = Find(KeyKind::kItem, "dan");
  Put(row.first, "?");
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("table orders, item \"dan\" 2: ")));
}

TEST_F(CheckDatabaseTest, FindsAnItemUnderAnotherKey) {
  Put(Find(KeyKind::kItem, "dan").first, Encoded({{"customer", "dan"}, {"number", 3}}));
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("do not give the key under which it is stored")));
  Put(Find(KeyKind::kItem, "dan").first, Encoded({{"customer", "dan"}}));
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("do not give the key under which it is stored")));
}

TEST_F(CheckDatabaseTest, FindsAMissingIndexEntry) {
  // The first entry is that of the local index.
  Delete(Rows(KeyKind::kIndex).front().first);
  EXPECT_THAT(Problems(), ElementsAre("table orders, item \"ann\" 7: it has no entry in the index "
                                      "by_total"));
}

TEST_F(CheckDatabaseTest, FindsAnIndexEntryWithAnotherContent) {
  const Row row = Find(KeyKind::kIndex, "bob");
  Put(row.first, Encoded({{"customer", "bob"}, {"number", 1}, {"city", "Köln"}, {"note", "no"}}));
  EXPECT_THAT(Problems(),
              ElementsAre("table orders, item \"bob\" 1: its entry in the index by_city "
                          "is not what is projected"));
}

TEST_F(CheckDatabaseTest, FindsAnIndexEntryTooMany) {
  const AttributeValue city = "Rom";
  const AttributeValue* const partition[] = {&city};
  for (const char* customer : {"bob", "nobody"}) {
    std::string key;
    keyspace::AppendIndexPartition(1, 2, partition, key);
    keyspace::AppendKeyPart(customer, key);
    keyspace::AppendKeyPart(1, key);
    Put(key, Encoded({{"customer", customer}, {"number", 1}, {"city", "Rom"}}));
  }
  EXPECT_THAT(Problems(),
              testing::UnorderedElementsAre(HasSubstr("its item belongs elsewhere in the index"),
                                            HasSubstr("its item is not there")));
}

TEST_F(CheckDatabaseTest, FindsEntriesOfAnIndexThatIsGone) {
  ChangeTable("orders", [](Table& table) { table.indexes.erase(table.indexes.begin()); });
  EXPECT_THAT(Problems(), ElementsAre("table orders: an entry is of no index, but of the id 1"));
}

TEST_F(CheckDatabaseTest, AnIndexThatIsBeingFilledMayLackEntriesButHasNoWrongOnes) {
  ChangeTable("orders", [](Table& table) { table.indexes[0].status = IndexStatus::kCreating; });
  const Row row = Rows(KeyKind::kIndex).front();
  Delete(row.first);
  const CheckReport report = CheckDatabase(*store_);
  EXPECT_TRUE(report.clean());
  EXPECT_THAT(report.notes.texts, ElementsAre("table orders: the index by_total is being filled"));
  Put(row.first, Encoded({{"customer", "ann"}}));
  EXPECT_EQ(Problems().size(), 1U);
}

TEST_F(CheckDatabaseTest, AnIndexThatIsBeingRemovedMayHaveAnyEntries) {
  ChangeTable("orders", [](Table& table) { table.indexes[0].status = IndexStatus::kDeleting; });
  const Row row = Rows(KeyKind::kIndex).front();
  Put(row.first, Encoded({{"customer", "ann"}}));
  EXPECT_THAT(Problems(), IsEmpty());
  Delete(row.first);
  EXPECT_THAT(Problems(), IsEmpty());
}

TEST_F(CheckDatabaseTest, FindsAMissingExpiryRow) {
  Delete(Rows(KeyKind::kExpiry).front().first);
  EXPECT_THAT(Problems(),
              ElementsAre("table orders, item \"ann\" 7: it expires, but has no expiry row"));
  ChangeTable("orders", [](Table& table) { table.ttl_enabling = true; });
  EXPECT_THAT(Problems(), IsEmpty());
}

TEST_F(CheckDatabaseTest, FindsAnExpiryRowTooMany) {
  for (const char* customer : {"bob", "nobody"}) {
    const AttributeValue number = 1;
    std::string item_key;
    keyspace::AppendItemKey(1, customer, &number, item_key);
    std::string key;
    keyspace::AppendExpiryKey(5, item_key, key);
    Put(key, "");
  }
  EXPECT_THAT(Problems(), testing::UnorderedElementsAre(HasSubstr("its item does not expire then"),
                                                        HasSubstr("its item is not there")));
}

TEST_F(CheckDatabaseTest, FindsExpiryRowsOfATableWithoutExpiry) {
  ChangeTable("orders", [](Table& table) { table.ttl_attribute.reset(); });
  EXPECT_EQ(Problems().size(), 2U);
  ChangeTable("orders", [](Table& table) { table.ttl_disabling = "expires"; });
  EXPECT_THAT(Problems(), IsEmpty());
  Delete(Rows(KeyKind::kExpiry).front().first);
  EXPECT_THAT(Problems(), IsEmpty());
}

TEST_F(CheckDatabaseTest, FindsStreamsAndTablesThatDisagree) {
  const Row enabled = Rows(KeyKind::kStream).front();
  StreamRow stream = Must(keyspace::DecodeStreamRow(enabled.second));
  stream.disabled_at = kSampleTime;
  storage::WriteBatch batch;
  PutStream(stream, batch);
  ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("it is disabled and a table writes to it")));
  ChangeTable("orders", [](Table& table) { table.stream.reset(); });
  EXPECT_THAT(Problems(), IsEmpty());
  Put(enabled.first, enabled.second);
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("it is enabled, but no table writes to it")));
}

TEST_F(CheckDatabaseTest, FindsRecordsOfNoStream) {
  std::string key;
  keyspace::AppendStreamRecordKey(9, 1, key);
  Put(key, Rows(KeyKind::kStreamRecord).front().second);
  EXPECT_THAT(Problems(), ElementsAre("a stream record is of no stream, but of the id 9"));
}

TEST_F(CheckDatabaseTest, FindsRecordsThatShouldBeGone) {
  StreamRow stream = Must(keyspace::DecodeStreamRow(Rows(KeyKind::kStream).front().second));
  stream.first_sequence = 2;
  stream.trimmed_through = 1;
  storage::WriteBatch batch;
  PutStream(stream, batch);
  ASSERT_TRUE(store_->Write(std::move(batch)).has_value());
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("it is from before its stream"),
                                      HasSubstr("it was removed, and is still there")));
}

TEST_F(CheckDatabaseTest, FindsARecordWithoutItsImage) {
  const Row row = Rows(KeyKind::kStreamRecord).front();
  Item record = Must(value::DecodeItem(row.second));
  record.Erase("new");
  Put(row.first, Encoded(record));
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("it does not show what its stream shows"),
                                      HasSubstr("it is not as large as it says")));
}

TEST_F(CheckDatabaseTest, FindsARecordWithOtherKeys) {
  const Row row = Rows(KeyKind::kStreamRecord).front();
  Item record = Must(value::DecodeItem(row.second));
  record.Set("keys", Map{{"customer", "eve"}, {"number", 7}});
  Put(row.first, Encoded(record));
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("it does not have the keys of its item")));
}

TEST_F(CheckDatabaseTest, FindsATokenThatNothingForgets) {
  const Row queued = Rows(KeyKind::kTokenExpiry).front();
  Delete(queued.first);
  EXPECT_THAT(Problems(),
              ElementsAre("idempotency token sample-token: nothing will ever forget it"));
  Put(queued.first, queued.second);
  Delete(Rows(KeyKind::kToken).front().first);
  EXPECT_THAT(Problems(),
              ElementsAre("queued idempotency token sample-token: the token is not there"));
}

TEST_F(CheckDatabaseTest, FindsADamagedToken) {
  const Row token = Rows(KeyKind::kToken).front();
  Item row = Must(value::DecodeItem(token.second));
  row.Set("digest", Binary{"short"});
  Put(token.first, Encoded(row));
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("idempotency token sample-token: ")));
}

TEST_F(CheckDatabaseTest, FiguresThatAreOffAreAWarning) {
  ChangeTable("files", [](Table& table) { table.statistics->items = 5; });
  ChangeTable("orders", [](Table& table) { table.indexes[0].statistics->bytes = 0; });
  const CheckReport report = CheckDatabase(*store_);
  EXPECT_TRUE(report.clean());
  EXPECT_THAT(report.warnings.texts,
              testing::UnorderedElementsAre(HasSubstr("table files: it is said to have 5 items"),
                                            HasSubstr("table orders, index by_total")));
}

TEST_F(CheckDatabaseTest, KeepsTheFirstTextsAndCountsAll) {
  for (int row = 0; row < 150; ++row) {
    Put("\x7F" + std::to_string(row), "");
  }
  const CheckReport report = CheckDatabase(*store_);
  EXPECT_EQ(report.problems.texts.size(), 100U);
  EXPECT_EQ(report.problems.count, 150U);
}

}  // namespace
}  // namespace stator::engine

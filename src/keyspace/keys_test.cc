// What keys.h promises: each kind of key byte by byte, order, round trips, refusal of damage.

#include "keyspace/keys.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "keyspace/format_version.h"
#include "keyspace/key_part.h"
#include "value/arbitrary_values.h"
#include "value/item_codec.h"

namespace stator::keyspace {
namespace {

using std::string_literals::operator""s;
using value::ArbitraryKeyAttribute;
using value::ArbitraryMap;

std::string ItemKeyOf(TableId table, const AttributeValue& partition,
                      const AttributeValue* sort = nullptr) {
  std::string key;
  AppendItemKey(table, partition, sort, key);
  return key;
}

std::string ExpiryKeyOf(std::int64_t seconds, std::string_view item_key) {
  std::string key;
  AppendExpiryKey(seconds, item_key, key);
  return key;
}

TEST(Keys, UndoRowsAreItemKeysWithATime) {
  const std::string item = ItemKeyOf(5, AttributeValue("ab"));
  std::string key;
  AppendUndoKey(item, 1'768'387'654'353'205, key);
  EXPECT_EQ(key, "\x16\x00\x00\x00\x05\x32\x37Sab\x00\x01\x00\x06\x48\x56\xD5\xF6\x81\x35"s);
  const Result<UndoKey> undo = SplitUndoKey(key);
  ASSERT_TRUE(undo.has_value());
  EXPECT_EQ(undo->time, 1'768'387'654'353'205U);
  EXPECT_EQ(undo->item, UndoItemOf(item));
  EXPECT_EQ(ItemKeyOfUndo(*undo), item);
  EXPECT_EQ(TableOfUndoKey(key).value(), 5U);
  std::string untimed;
  const std::size_t at = AppendUntimedUndoKey(item, untimed);
  EXPECT_EQ(at, key.size() - 8);
  EXPECT_EQ(untimed.substr(0, at), key.substr(0, at));
  for (const std::string& damaged : {item, key.substr(0, 8), std::string()}) {
    EXPECT_FALSE(SplitUndoKey(damaged).has_value());
  }
}

TEST(Keys, CatalogueIsFixed) {
  EXPECT_EQ(FormatVersionKey(), "\x01"s);
  EXPECT_EQ(CounterKey(Counter::kNextTableId), "\x02\x01"s);
  EXPECT_EQ(CounterKey(Counter::kNextStreamId), "\x02\x02"s);
  EXPECT_EQ(CounterKey(Counter::kCommitTime), "\x02\x03"s);
  EXPECT_EQ(TableKey("tasks"), "\x03tasks"s);
  EXPECT_EQ(DroppedTableKey(0x01020304), "\x04\x01\x02\x03\x04"s);
  EXPECT_EQ(StreamKey(7), "\x05\x00\x00\x00\x07"s);
  EXPECT_EQ(EncodeCounter(258), "\x00\x00\x00\x00\x00\x00\x01\x02"s);
  EXPECT_EQ(EncodeFormatVersion(), "\x00\x00\x00\x02"s);
  EXPECT_EQ(EncodeFormatVersion(1), "\x00\x00\x00\x01"s);
  EXPECT_EQ(BackupKey({.created_ms = 258, .number = 0xB4E58D3A}),
            "\x06\x00\x00\x00\x00\x00\x00\x01\x02\xB4\xE5\x8D\x3A"s);
  EXPECT_EQ(RestoreKey(7), "\x0A\x00\x00\x00\x07"s);
}

TEST(Keys, BackupsAreInTheOrderInWhichTheyWereMade) {
  const BackupId early{.created_ms = 255, .number = 9};
  const BackupId late{.created_ms = 256, .number = 1};
  EXPECT_LT(BackupKey(early), BackupKey(late));
  EXPECT_EQ(BackupOfKey(BackupKey(late)), late);
  EXPECT_EQ(TableOfRestoreKey(RestoreKey(7)), 7U);
  EXPECT_FALSE(BackupOfKey(BackupKey(late) + "x").has_value());
  EXPECT_FALSE(BackupOfKey(RestoreKey(7)).has_value());
  EXPECT_FALSE(TableOfRestoreKey(BackupKey(late)).has_value());
  // Exports and imports, and the files of an export.
  EXPECT_EQ(TransferOfKey(KeyKind::kExport, TransferKey(KeyKind::kExport, late)), late);
  EXPECT_FALSE(TransferOfKey(KeyKind::kImport, TransferKey(KeyKind::kExport, late)).has_value());
  EXPECT_LT(ExportFileKey(late, 255), ExportFileKey(late, 256));
  EXPECT_TRUE(ExportFileKey(late, 1).starts_with(ExportFilesPrefix(late)));
  EXPECT_EQ(ExportOfFileKey(ExportFileKey(late, 1)), late);
  EXPECT_FALSE(ExportOfFileKey("x").has_value());
}

TEST(Keys, AnItemHasTheSameKeyInAnotherTableButForItsTable) {
  EXPECT_EQ(ItemKeyInTable(ItemKeyOf(5, "ab"), 0x01020304), ItemKeyOf(0x01020304, "ab"));
}

TEST(Keys, ItemKeyIsFixed) {
  const AttributeValue sort = 12;
  // The hash of "Sab\0\1" is 3237.
  EXPECT_EQ(ItemKeyOf(5, "ab"), "\x10\x00\x00\x00\x05\x32\x37Sab\x00\x01"s);
  EXPECT_EQ(ItemKeyOf(5, "ab", &sort), "\x10\x00\x00\x00\x05\x32\x37Sab\x00\x01N\xC0\x83\x18"s);
}

TEST(Keys, IndexKeyIsFixed) {
  const AttributeValue partition = "ab";
  const std::array<const AttributeValue*, 1> one = {&partition};
  std::string key;
  AppendIndexPartition(5, 2, one, key);
  EXPECT_EQ(key, "\x11\x00\x00\x00\x05\x00\x00\x00\x02\x32\x37Sab\x00\x01"s);
  AppendKeyPart("x", key);
  EXPECT_TRUE(key.ends_with("Sx\x00\x01"s));
}

TEST(Keys, OtherKeysAreFixed) {
  EXPECT_EQ(ExpiryKeyOf(1, ItemKeyOf(5, "ab")),
            "\x12\x80\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x05\x32\x37Sab\x00\x01"s);
  std::string record;
  AppendStreamRecordKey(3, 258, record);
  EXPECT_EQ(record, "\x13\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x01\x02"s);
  std::string token;
  AppendTokenKey("t-1", token);
  EXPECT_EQ(token, "\x14t-1"s);
  std::string token_expiry;
  AppendTokenExpiryKey(-1, "t-1", token_expiry);
  EXPECT_EQ(token_expiry, "\x15\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFFt-1"s);
}

TEST(Keys, CatalogueKeysDecode) {
  EXPECT_EQ(TableNameOfKey(TableKey("tasks")).value(), "tasks");
  EXPECT_EQ(TableOfDroppedTableKey(DroppedTableKey(77)).value(), 77U);
  EXPECT_EQ(StreamOfKey(StreamKey(78)).value(), 78U);
  EXPECT_EQ(DecodeCounter(EncodeCounter(79)).value(), 79U);
  EXPECT_EQ(TableNameOfKey(StreamKey(78)).error().code, ErrorCode::kCorruption);
  EXPECT_EQ(DecodeCounter("short").error().code, ErrorCode::kCorruption);
  EXPECT_EQ(DecodeCounter("too long: x").error().code, ErrorCode::kCorruption);
}

TEST(Keys, FormatVersionIsReadUpToOurs) {
  EXPECT_EQ(DecodeFormatVersion(EncodeFormatVersion()).value(), kFormatVersion);
  EXPECT_EQ(DecodeFormatVersion(EncodeFormatVersion(kFormatVersion + 1)).error().code,
            ErrorCode::kIo);
  EXPECT_EQ(DecodeFormatVersion(EncodeFormatVersion(0)).error().code, ErrorCode::kCorruption);
  EXPECT_EQ(DecodeFormatVersion("").error().code, ErrorCode::kCorruption);
}

// Every way to shorten a key, and every changed kind, is noticed.
TEST(Keys, RefusesDamagedKeys) {
  const AttributeValue sort = "s";
  const std::string item = ItemKeyOf(5, "ab", &sort);
  const std::size_t without_sort = ItemKeyOf(5, "ab").size();
  for (std::size_t size = 0; size < item.size(); ++size) {
    if (size != without_sort) {
      EXPECT_FALSE(DecodeItemKey(item.substr(0, size)).has_value()) << size;
    }
  }
  EXPECT_FALSE(DecodeItemKey(item + "x").has_value());
  EXPECT_FALSE(DecodeIndexKey(item).has_value());
  std::string other_hash = item;
  other_hash[5] = '\x33';
  EXPECT_EQ(DecodeItemKey(other_hash).error().code, ErrorCode::kCorruption);

  const std::string expiry = ExpiryKeyOf(1, item);
  EXPECT_FALSE(DecodeExpiryKey(expiry.substr(0, 12)).has_value());
  EXPECT_FALSE(DecodeExpiryKey(expiry + "x").has_value());
  std::string record;
  AppendStreamRecordKey(3, 258, record);
  EXPECT_FALSE(DecodeStreamRecordKey(record.substr(0, 12)).has_value());
  EXPECT_FALSE(DecodeStreamRecordKey(record + "x").has_value());
  EXPECT_FALSE(DecodeTokenExpiryKey("\x15short").has_value());
}

RC_GTEST_PROP(Keys, ItemKeysDecode, (TableId table)) {
  const AttributeValue partition = *ArbitraryKeyAttribute();
  const AttributeValue sort = *ArbitraryKeyAttribute();
  const bool has_sort = *rc::gen::arbitrary<bool>();
  const ItemKey decoded =
      DecodeItemKey(ItemKeyOf(table, partition, has_sort ? &sort : nullptr)).value();
  RC_ASSERT(decoded.table == table);
  RC_ASSERT(decoded.partition == partition);
  RC_ASSERT(decoded.sort.has_value() == has_sort);
  RC_ASSERT((!has_sort || *decoded.sort == sort));
}

RC_GTEST_PROP(Keys, AnItemsRowIsKnownByItsKey, (TableId table, bool has_sort)) {
  const AttributeValue partition = *ArbitraryKeyAttribute();
  const AttributeValue sort = *ArbitraryKeyAttribute();
  const std::string name = *rc::gen::element(std::string("sk"), std::string("ab"));
  const std::string* const sort_name = has_sort ? &name : nullptr;
  Item item = *ArbitraryMap(1);
  item.Set("pk", partition);
  item.Set(name, sort);
  const auto row_of = [](const Item& of) {
    std::string row;
    value::AppendItem(of, row);
    return row;
  };
  const std::string row = row_of(item);
  const std::string key = ItemKeyOf(table, partition, has_sort ? &sort : nullptr);
  RC_ASSERT(IsKeyOfRow(key, table, row, "pk", sort_name));
  RC_ASSERT(!IsKeyOfRow(key, table + 1, row, "pk", sort_name));
  RC_ASSERT(!IsKeyOfRow(key, table, row, "no such attribute", sort_name));
  // One byte too few or too many, and any byte that differs.
  for (std::size_t at = 0; at < key.size(); ++at) {
    RC_ASSERT(!IsKeyOfRow(key.substr(0, at), table, row, "pk", sort_name));
    std::string other = key;
    other[at] = static_cast<char>(other[at] ^ 1);
    RC_ASSERT(!IsKeyOfRow(other, table, row, "pk", sort_name));
  }
  RC_ASSERT(!IsKeyOfRow(key + '\0', table, row, "pk", sort_name));
  // The row of another item.
  const AttributeValue other = *ArbitraryKeyAttribute();
  item.Set("pk", other);
  RC_ASSERT(IsKeyOfRow(key, table, row_of(item), "pk", sort_name) == (other == partition));
  item.Set("pk", List{partition});
  RC_ASSERT(!IsKeyOfRow(key, table, row_of(item), "pk", sort_name));
}

RC_GTEST_PROP(Keys, ItemsOfAPartitionAreNeighboursInTheOrderOfTheSortKey, ()) {
  const AttributeValue partition = *ArbitraryKeyAttribute();
  const AttributeValue left = *ArbitraryKeyAttribute();
  const AttributeValue right = *ArbitraryKeyAttribute();
  const std::partial_ordering order = CompareScalars(left, right);
  RC_PRE(order != std::partial_ordering::unordered);
  const std::string left_key = ItemKeyOf(1, partition, &left);
  const std::string right_key = ItemKeyOf(1, partition, &right);
  RC_ASSERT((left_key <=> right_key) == order);
  RC_ASSERT(left_key.starts_with(ItemKeyOf(1, partition)));
  RC_ASSERT(right_key.starts_with(ItemKeyOf(1, partition)));
}

RC_GTEST_PROP(Keys, IndexKeysDecode, (TableId table, IndexId index)) {
  const auto attributes = rc::gen::container<std::vector<AttributeValue>>(ArbitraryKeyAttribute());
  const std::vector<AttributeValue> partition =
      *rc::gen::suchThat(rc::gen::resize(4, attributes), [](const auto& v) { return !v.empty(); });
  std::vector<AttributeValue> rest = *rc::gen::resize(5, attributes);
  rest.push_back(*ArbitraryKeyAttribute());
  std::vector<const AttributeValue*> pointers;
  pointers.reserve(partition.size());
  for (const AttributeValue& value : partition) {
    pointers.push_back(&value);
  }
  std::string key;
  AppendIndexPartition(table, index, pointers, key);
  std::vector<AttributeValue> all = partition;
  for (const AttributeValue& value : rest) {
    AppendKeyPart(value, key);
    all.push_back(value);
  }
  const IndexKey decoded = DecodeIndexKey(key).value();
  RC_ASSERT(decoded.table == table);
  RC_ASSERT(decoded.index == index);
  RC_ASSERT(decoded.parts == all);
}

RC_GTEST_PROP(Keys, ExpiryKeysDecodeAndSortByTime, (std::int64_t left, std::int64_t right)) {
  const std::string item_key = ItemKeyOf(9, *ArbitraryKeyAttribute());
  const ExpiryKey decoded = DecodeExpiryKey(ExpiryKeyOf(left, item_key)).value();
  RC_ASSERT(decoded.seconds == left);
  RC_ASSERT(decoded.table == 9U);
  RC_ASSERT(decoded.item_key == item_key);
  RC_PRE(left != right);
  std::string before_right;
  AppendExpiryPrefix(right, before_right);
  RC_ASSERT((ExpiryKeyOf(left, item_key) < before_right) == (left < right));
}

RC_GTEST_PROP(Keys, StreamRecordsDecodeAndSortBySequence,
              (StreamId stream, std::uint64_t left, std::uint64_t right)) {
  std::string left_key;
  AppendStreamRecordKey(stream, left, left_key);
  std::string right_key;
  AppendStreamRecordKey(stream, right, right_key);
  const StreamRecordKey decoded = DecodeStreamRecordKey(left_key).value();
  RC_ASSERT(decoded.stream == stream);
  RC_ASSERT(decoded.sequence == left);
  RC_ASSERT((left_key <=> right_key) == (left <=> right));
  std::string prefix;
  AppendStreamRecordsPrefix(stream, prefix);
  RC_ASSERT(left_key.starts_with(prefix));
}

RC_GTEST_PROP(Keys, TokenExpiryKeysDecode, (std::int64_t seconds, const std::string& token)) {
  std::string key;
  AppendTokenExpiryKey(seconds, token, key);
  const TokenExpiryKey decoded = DecodeTokenExpiryKey(key).value();
  RC_ASSERT(decoded.seconds == seconds);
  RC_ASSERT(decoded.token == token);
}

}  // namespace
}  // namespace stator::keyspace

#include "keyspace/keys.h"

#include <cstddef>
#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/try.h"
#include "keyspace/key_part.h"
#include "keyspace/partition_hash.h"
#include "value/name_order.h"
#include "value/value_codec.h"
#include "value/value_reader.h"

namespace stator::keyspace {
namespace {

constexpr std::size_t kKindBytes = 1;

void AppendKind(KeyKind kind, std::string& key) {
  key.push_back(static_cast<char>(kind));
}

std::unexpected<Error> Damaged(std::string_view what) {
  return Fail(ErrorCode::kCorruption, "a key on disk is damaged: " + std::string(what));
}

// The key without its kind.
Result<std::string_view> TakeKind(KeyKind kind, std::string_view key) {
  if (key.empty() || key[0] != static_cast<char>(kind)) {
    return Damaged("it is of another kind");
  }
  return key.substr(kKindBytes);
}

template <std::unsigned_integral T>
Result<T> Take(std::string_view& key) {
  T value = 0;
  if (!base::TakeBigEndian(key, value)) {
    return Damaged("it is too short");
  }
  return value;
}

Result<void> ExpectEnd(std::string_view rest) {
  if (!rest.empty()) {
    return Damaged("it is too long");
  }
  return {};
}

// A key that is one id.
template <class Id>
Result<Id> OnlyId(KeyKind kind, std::string_view key) {
  std::string_view rest = TRY(TakeKind(kind, key));
  const Id id = TRY(Take<Id>(rest));
  TRY_VOID(ExpectEnd(rest));
  return id;
}

// Reserves two bytes, appends the partition key by `append`, and puts its hash before it.
template <class Append>
void AppendHashed(std::string& key, const Append& append) {
  const std::size_t hash_at = key.size();
  key.append(sizeof(std::uint16_t), '\0');
  const std::size_t partition_at = key.size();
  append();
  CHECK_THAT(key.size() > partition_at, "a partition key of nothing");
  const std::uint16_t hash = PartitionHash(std::string_view(key).substr(partition_at));
  key[hash_at] = static_cast<char>(hash >> 8U);
  key[hash_at + 1] = static_cast<char>(hash);
}

}  // namespace

std::string KindPrefix(KeyKind kind) {
  return {static_cast<char>(kind)};
}

std::string FormatVersionKey() {
  return KindPrefix(KeyKind::kFormat);
}

std::string CounterKey(Counter counter) {
  return {static_cast<char>(KeyKind::kCounter), static_cast<char>(counter)};
}

std::string TableKey(std::string_view name) {
  CHECK_THAT(!name.empty(), "the row of no table");
  return KindPrefix(KeyKind::kTable).append(name);
}

std::string DroppedTableKey(TableId table) {
  std::string key = KindPrefix(KeyKind::kDroppedTable);
  base::AppendBigEndian(table, key);
  return key;
}

std::string StreamKey(StreamId stream) {
  std::string key = KindPrefix(KeyKind::kStream);
  base::AppendBigEndian(stream, key);
  return key;
}

Result<std::string_view> TableNameOfKey(std::string_view key) {
  return TakeKind(KeyKind::kTable, key);
}

Result<TableId> TableOfDroppedTableKey(std::string_view key) {
  return OnlyId<TableId>(KeyKind::kDroppedTable, key);
}

Result<StreamId> StreamOfKey(std::string_view key) {
  return OnlyId<StreamId>(KeyKind::kStream, key);
}

std::string CheckpointKey(std::string_view name) {
  return KindPrefix(KeyKind::kCheckpoint).append(name);
}

Result<std::string_view> CheckpointOfKey(std::string_view key) {
  return TakeKind(KeyKind::kCheckpoint, key);
}

std::string RestoreKey(TableId table) {
  std::string key = KindPrefix(KeyKind::kRestore);
  base::AppendBigEndian(table, key);
  return key;
}

Result<TableId> TableOfRestoreKey(std::string_view key) {
  return OnlyId<TableId>(KeyKind::kRestore, key);
}

std::string BackupKey(const BackupId& id) {
  return TransferKey(KeyKind::kBackup, id);
}

Result<BackupId> BackupOfKey(std::string_view key) {
  return TransferOfKey(KeyKind::kBackup, key);
}

std::string TransferKey(KeyKind kind, const TransferId& id) {
  std::string key = KindPrefix(kind);
  base::AppendBigEndian(id.created_ms, key);
  base::AppendBigEndian(id.number, key);
  return key;
}

Result<TransferId> TransferOfKey(KeyKind kind, std::string_view key) {
  std::string_view rest = TRY(TakeKind(kind, key));
  TransferId id;
  id.created_ms = TRY(Take<std::uint64_t>(rest));
  id.number = TRY(Take<std::uint32_t>(rest));
  TRY_VOID(ExpectEnd(rest));
  return id;
}

std::string ExportFilesPrefix(const TransferId& id) {
  return TransferKey(KeyKind::kExportFile, id);
}

std::string ExportFileKey(const TransferId& id, std::uint32_t file) {
  std::string key = ExportFilesPrefix(id);
  base::AppendBigEndian(file, key);
  return key;
}

Result<TransferId> ExportOfFileKey(std::string_view key) {
  if (key.size() < sizeof(std::uint32_t)) {
    return Damaged("it is too short");
  }
  return TransferOfKey(KeyKind::kExportFile, key.substr(0, key.size() - sizeof(std::uint32_t)));
}

std::string EncodeCounter(std::uint64_t value) {
  std::string row;
  base::AppendBigEndian(value, row);
  return row;
}

Result<std::uint64_t> DecodeCounter(std::string_view value) {
  std::uint64_t counter = 0;
  if (!base::TakeBigEndian(value, counter) || !value.empty()) {
    return Fail(ErrorCode::kCorruption, "a counter on disk is damaged");
  }
  return counter;
}

void AppendItemsPrefix(TableId table, std::string& key) {
  AppendKind(KeyKind::kItem, key);
  base::AppendBigEndian(table, key);
}

std::string ItemKeyInTable(std::string_view item_key, TableId table) {
  CHECK(item_key.size() > kKindBytes + sizeof(TableId) &&
        item_key[0] == static_cast<char>(KeyKind::kItem));
  std::string key;
  key.reserve(item_key.size());
  AppendItemsPrefix(table, key);
  return key.append(item_key.substr(kKindBytes + sizeof(TableId)));
}

void AppendItemKey(TableId table, const AttributeValue& partition, const AttributeValue* sort,
                   std::string& key) {
  CHECK(IsKeyType(partition.type()) && (sort == nullptr || IsKeyType(sort->type())));
  constexpr std::size_t kUsualBytes = 64;
  key.reserve(key.size() + kUsualBytes);
  AppendItemsPrefix(table, key);
  AppendHashed(key, [&] { AppendKeyPart(partition, key); });
  if (sort != nullptr) {
    AppendKeyPart(*sort, key);
  }
}

Result<ItemKey> DecodeItemKey(std::string_view key) {
  std::string_view rest = TRY(TakeKind(KeyKind::kItem, key));
  ItemKey item;
  item.table = TRY(Take<TableId>(rest));
  const std::uint16_t hash = TRY(Take<std::uint16_t>(rest));
  const std::string_view parts = rest;
  item.partition = TRY(TakeKeyPart(rest));
  if (hash != PartitionHash(parts.substr(0, parts.size() - rest.size()))) {
    return Damaged("the hash is not that of the partition key");
  }
  if (!rest.empty()) {
    item.sort = TRY(TakeKeyPart(rest));
  }
  TRY_VOID(ExpectEnd(rest));
  return item;
}

bool IsKeyOfRow(std::string_view item_key, TableId table, std::string_view row,
                std::string_view partition, const std::string* sort) {
  std::string_view entries = value::EntriesOf(row);
  const auto take = [&](std::string_view name, std::string_view& parts) {
    return value::FindEntry(entries, name) && TakeEqualKeyPart(entries, parts);
  };
  // Behind the other attribute of the key, if names say so.
  const auto take_sort = [&](std::string_view name, std::string_view& parts) {
    if (value::IsBefore(partition, name)) {
      CHECK(value::SkipValue(entries));
    } else {
      entries = value::EntriesOf(row);
    }
    return take(name, parts);
  };
  TableId id = 0;
  std::uint16_t hash = 0;
  std::string_view rest = item_key;
  if (!rest.starts_with(static_cast<char>(KeyKind::kItem))) {
    return false;
  }
  rest.remove_prefix(kKindBytes);
  if (!base::TakeBigEndian(rest, id) || id != table || !base::TakeBigEndian(rest, hash)) {
    return false;
  }
  const std::string_view parts = rest;
  return take(partition, rest) &&
         PartitionHash(parts.substr(0, parts.size() - rest.size())) == hash &&
         (sort == nullptr || take_sort(*sort, rest)) && rest.empty();
}

std::string_view PartsOfRow(std::string_view row_key) {
  CHECK(!row_key.empty());
  const bool is_index = row_key[0] == static_cast<char>(KeyKind::kIndex);
  const std::size_t before = kKindBytes + sizeof(TableId) + (is_index ? sizeof(IndexId) : 0) +
                             sizeof(std::uint16_t);  // the hash
  CHECK(row_key.size() > before);
  return row_key.substr(before);
}

std::string_view FirstParts(std::string_view parts, std::size_t count) {
  std::string_view rest = parts;
  for (; count > 0 && !rest.empty(); --count) {
    if (!TakeKeyPart(rest)) {
      return parts;
    }
  }
  return parts.substr(0, parts.size() - rest.size());
}

void AppendUndoPrefix(std::string_view item_key, std::string& key) {
  // The end of all items is a byte more than their kind, and so is that of their undo rows.
  CHECK(!item_key.empty() && (item_key[0] == static_cast<char>(KeyKind::kItem) ||
                              item_key[0] == static_cast<char>(KeyKind::kItem) + 1));
  key.push_back(static_cast<char>(item_key[0] - static_cast<char>(KeyKind::kItem) +
                                  static_cast<char>(KeyKind::kUndo)));
  key.append(item_key.substr(kKindBytes));
}

std::size_t AppendUntimedUndoKey(std::string_view item_key, std::string& key) {
  AppendUndoPrefix(item_key, key);
  const std::size_t at = key.size();
  base::AppendBigEndian(std::uint64_t{0}, key);
  DCHECK(key.size() == at + sizeof(std::uint64_t));
  return at;
}

void AppendUndoKey(std::string_view item_key, std::uint64_t time, std::string& key) {
  AppendUndoPrefix(item_key, key);
  base::AppendBigEndian(time, key);
}

Result<UndoKey> SplitUndoKey(std::string_view key) {
  std::string_view rest = TRY(TakeKind(KeyKind::kUndo, key));
  if (rest.size() < sizeof(std::uint64_t)) {
    return Damaged("it is too short");
  }
  UndoKey undo{.item = rest.substr(0, rest.size() - sizeof(std::uint64_t))};
  rest.remove_prefix(undo.item.size());
  undo.time = TRY(Take<std::uint64_t>(rest));
  return undo;
}

std::string ItemKeyOfUndo(const UndoKey& undo) {
  DCHECK(!undo.item.empty());
  return KindPrefix(KeyKind::kItem).append(undo.item);
}

void AppendUndoRowsPrefix(TableId table, std::string& key) {
  AppendKind(KeyKind::kUndo, key);
  base::AppendBigEndian(table, key);
}

Result<TableId> TableOfUndoKey(std::string_view key) {
  std::string_view rest = TRY(TakeKind(KeyKind::kUndo, key));
  return Take<TableId>(rest);
}

void AppendIndexesPrefix(TableId table, std::string& key) {
  AppendKind(KeyKind::kIndex, key);
  base::AppendBigEndian(table, key);
}

void AppendIndexPrefix(TableId table, IndexId index, std::string& key) {
  AppendIndexesPrefix(table, key);
  base::AppendBigEndian(index, key);
}

void AppendIndexPartition(TableId table, IndexId index,
                          std::span<const AttributeValue* const> partition, std::string& key) {
  CHECK(!partition.empty());
  AppendIndexPrefix(table, index, key);
  AppendHashed(key, [&] {
    for (const AttributeValue* part : partition) {
      CHECK(part != nullptr);
      AppendKeyPart(*part, key);
    }
  });
}

Result<IndexKey> DecodeIndexKey(std::string_view key) {
  std::string_view rest = TRY(TakeKind(KeyKind::kIndex, key));
  IndexKey decoded;
  decoded.table = TRY(Take<TableId>(rest));
  decoded.index = TRY(Take<IndexId>(rest));
  // How many parts the hash covers is known to the table, not to the key, so it is not checked.
  static_cast<void>(TRY(Take<std::uint16_t>(rest)));
  while (!rest.empty()) {
    decoded.parts.push_back(TRY(TakeKeyPart(rest)));
  }
  // The attributes of the index and at least the partition key of the table.
  if (decoded.parts.size() < 2) {
    return Damaged("it is too short");
  }
  return decoded;
}

void AppendExpiryPrefix(std::int64_t seconds, std::string& key) {
  AppendKind(KeyKind::kExpiry, key);
  base::AppendBigEndian(base::Ordered(seconds), key);
}

void AppendExpiryKey(std::int64_t seconds, std::string_view item_key, std::string& key) {
  CHECK(item_key.starts_with(static_cast<char>(KeyKind::kItem)));
  AppendExpiryPrefix(seconds, key);
  key.append(item_key.substr(kKindBytes));
}

Result<ExpiryKey> DecodeExpiryKey(std::string_view key) {
  std::string_view rest = TRY(TakeKind(KeyKind::kExpiry, key));
  ExpiryKey decoded;
  decoded.seconds = base::Unordered(TRY(Take<std::uint64_t>(rest)));
  decoded.item_key = KindPrefix(KeyKind::kItem).append(rest);
  decoded.table = TRY(DecodeItemKey(decoded.item_key)).table;
  return decoded;
}

void AppendStreamRecordsPrefix(StreamId stream, std::string& key) {
  AppendKind(KeyKind::kStreamRecord, key);
  base::AppendBigEndian(stream, key);
}

void AppendStreamRecordKey(StreamId stream, std::uint64_t sequence, std::string& key) {
  AppendStreamRecordsPrefix(stream, key);
  base::AppendBigEndian(sequence, key);
}

std::size_t AppendUnnumberedStreamRecordKey(StreamId stream, std::string& key) {
  AppendStreamRecordsPrefix(stream, key);
  const std::size_t at = key.size();
  base::AppendBigEndian(std::uint64_t{0}, key);
  return at;
}

Result<StreamRecordKey> DecodeStreamRecordKey(std::string_view key) {
  std::string_view rest = TRY(TakeKind(KeyKind::kStreamRecord, key));
  StreamRecordKey decoded;
  decoded.stream = TRY(Take<StreamId>(rest));
  decoded.sequence = TRY(Take<std::uint64_t>(rest));
  TRY_VOID(ExpectEnd(rest));
  return decoded;
}

void AppendTokenKey(std::string_view token, std::string& key) {
  AppendKind(KeyKind::kToken, key);
  key.append(token);
}

Result<std::string> TokenOfKey(std::string_view key) {
  return std::string(TRY(TakeKind(KeyKind::kToken, key)));
}

void AppendTokenExpiryPrefix(std::int64_t seconds, std::string& key) {
  AppendKind(KeyKind::kTokenExpiry, key);
  base::AppendBigEndian(base::Ordered(seconds), key);
}

void AppendTokenExpiryKey(std::int64_t seconds, std::string_view token, std::string& key) {
  AppendTokenExpiryPrefix(seconds, key);
  key.append(token);
}

Result<TokenExpiryKey> DecodeTokenExpiryKey(std::string_view key) {
  std::string_view rest = TRY(TakeKind(KeyKind::kTokenExpiry, key));
  TokenExpiryKey decoded;
  decoded.seconds = base::Unordered(TRY(Take<std::uint64_t>(rest)));
  decoded.token = rest;
  return decoded;
}

}  // namespace stator::keyspace

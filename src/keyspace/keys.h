// Every key on disk is built and taken apart here. docs/format.md describes the bytes; the first
// one is the kind, and keys of one kind are neighbours.
//
// Integers are big-endian, so that their order is that of their bytes. Ids never come back: a
// table that is dropped and made again has another one, so rows of the old can be cleaned up late.
//
// The Append functions write behind what `key` already holds and allocate nothing else; a prefix of
// a key is made by the same functions with fewer parts.
//
// THREADS: pure functions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::keyspace {

using TableId = std::uint32_t;
using IndexId = std::uint32_t;
using StreamId = std::uint32_t;

// The first byte of a key, the parts behind it, the value. On disk: these values cannot change,
// gone ones cannot be used again.
enum class KeyKind : std::uint8_t {
  kFormat = 0x01,        // ()                                         format_version.h
  kCounter = 0x02,       // counter                                    u64
  kTable = 0x03,         // name                                       an item
  kDroppedTable = 0x04,  // table id                                   an item
  kStream = 0x05,        // stream id                                  an item
  kBackup = 0x06,        // milliseconds, number                       an item; from version 2 on
  kExport = 0x07,        // milliseconds, number                       an item; from version 2 on
  kImport = 0x08,        // milliseconds, number                       an item; from version 2 on
  kCheckpoint = 0x09,    // name                                       an item; from version 2 on
  kRestore = 0x0A,       // table id                                   an item; from version 2 on
  kExportFile = 0x0B,    // milliseconds, number, file                 an item; from version 2 on
  kItem = 0x10,          // table id, hash, partition key, sort key?   an item
  kIndex = 0x11,         // table id, index id, hash, index key, key   an item
  kExpiry = 0x12,        // seconds, rest of the item key              empty
  kStreamRecord = 0x13,  // stream id, sequence                        an item
  kToken = 0x14,         // idempotency token                          an item
  kTokenExpiry = 0x15,   // seconds, idempotency token                 empty
  // In the family of the history (storage/family.h), from version 2 on:
  kUndo = 0x16,  // rest of the item key, commit time           an item row; empty: there was none
};

// What is counted in counter rows. On disk: cannot change.
enum class Counter : std::uint8_t {
  kNextTableId = 0x01,
  kNextStreamId = 0x02,
  kCommitTime = 0x03,  // no commit has a later one; microseconds since 1970; from version 2 on
};

// All keys of a kind begin with this.
std::string KindPrefix(KeyKind kind);

// The catalogue.
std::string FormatVersionKey();
std::string CounterKey(Counter counter);
std::string TableKey(std::string_view name);
std::string DroppedTableKey(TableId table);
std::string StreamKey(StreamId stream);
Result<std::string_view> TableNameOfKey(std::string_view key);
Result<TableId> TableOfDroppedTableKey(std::string_view key);
Result<StreamId> StreamOfKey(std::string_view key);
// Checkpoints, in the order of their names.
std::string CheckpointKey(std::string_view name);
Result<std::string_view> CheckpointOfKey(std::string_view key);
// How far the restoring or the rewinding of a table has come.
std::string RestoreKey(TableId table);
Result<TableId> TableOfRestoreKey(std::string_view key);
// Backups, in the order in which they were made.
struct BackupId {
  std::uint64_t created_ms = 0;  // since 1970
  std::uint32_t number = 0;      // tells those of one millisecond apart; 0 of system backups

  friend auto operator<=>(const BackupId&, const BackupId&) = default;
};
std::string BackupKey(const BackupId& id);
Result<BackupId> BackupOfKey(std::string_view key);
// Exports and imports are named and ordered as backups are. `kind` is kExport or kImport.
using TransferId = BackupId;
std::string TransferKey(KeyKind kind, const TransferId& id);
Result<TransferId> TransferOfKey(KeyKind kind, std::string_view key);
// The data files of an export, in the order in which they were written.
std::string ExportFileKey(const TransferId& id, std::uint32_t file);
std::string ExportFilesPrefix(const TransferId& id);
Result<TransferId> ExportOfFileKey(std::string_view key);
// Values of counter rows.
std::string EncodeCounter(std::uint64_t value);
Result<std::uint64_t> DecodeCounter(std::string_view value);

// Items. The prefix of a partition is what AppendItemKey writes without a sort key.
struct ItemKey {
  TableId table = 0;
  AttributeValue partition;
  std::optional<AttributeValue> sort;
};
// REQUIRES: values of key types.
void AppendItemKey(TableId table, const AttributeValue& partition, const AttributeValue* sort,
                   std::string& key);
Result<ItemKey> DecodeItemKey(std::string_view key);
// Whether this is what AppendItemKey writes for the item in `row`, whose key is in the attributes of
// these names; `sort` is null where a key has one part. REQUIRES: CheckItem (value/item_codec.h) took the row.
bool IsKeyOfRow(std::string_view item_key, TableId table, std::string_view row,
                std::string_view partition, const std::string* sort);

// What the key of an item or of an index row says behind ids and hash: its key attributes.
// REQUIRES: such a key, at least up to its partition.
std::string_view PartsOfRow(std::string_view row_key);
// The first so many of them, or as many as there are.
std::string_view FirstParts(std::string_view parts, std::size_t count);

// All items of a table begin with this.
void AppendItemsPrefix(TableId table, std::string& key);
// The key of the same item in another table. REQUIRES: `item_key` was written by AppendItemKey.
std::string ItemKeyInTable(std::string_view item_key, TableId table);

// Undo rows: what an item was before it was changed at a time. Rows of one item are neighbours, earlier
// changes first, and items stand in the order of their item rows.
struct UndoKey {
  std::string_view item;   // what item and undo rows of one item have in common; see UndoPrefix
  std::uint64_t time = 0;  // of the commit, in microseconds since 1970
};
// REQUIRES: `item_key` was written by AppendItemKey, or is a prefix or a bound of such keys.
void AppendUndoPrefix(std::string_view item_key, std::string& key);
// The same of a change whose time is filled in later; returns where its 8 bytes begin.
std::size_t AppendUntimedUndoKey(std::string_view item_key, std::string& key);
void AppendUndoKey(std::string_view item_key, std::uint64_t time, std::string& key);
// Takes the key apart without looking at the item's key. `item` is a view into `key`.
Result<UndoKey> SplitUndoKey(std::string_view key);
// The key of the item row that the undo row is about.
std::string ItemKeyOfUndo(const UndoKey& undo);
// All undo rows of a table begin with this.
void AppendUndoRowsPrefix(TableId table, std::string& key);
Result<TableId> TableOfUndoKey(std::string_view key);
// What SplitUndoKey gives as `item`, of an item row.
inline std::string_view UndoItemOf(std::string_view item_key) {
  return item_key.substr(1);
}

// Indexes. An index key is its partition attributes (one to four), its sort attributes (none to
// four), and the key of the item in the table, which makes it unique and orders ties.
//
// The prefix of an index partition is what AppendIndexPartition writes; sort attributes and the
// table key follow it with AppendKeyPart.
struct IndexKey {
  TableId table = 0;
  IndexId index = 0;
  std::vector<AttributeValue> parts;  // in the order on disk
};
// REQUIRES: at least one, values of key types.
void AppendIndexPartition(TableId table, IndexId index,
                          std::span<const AttributeValue* const> partition, std::string& key);
Result<IndexKey> DecodeIndexKey(std::string_view key);

// All rows of an index, and of all indexes of a table, begin with this.
void AppendIndexPrefix(TableId table, IndexId index, std::string& key);
void AppendIndexesPrefix(TableId table, std::string& key);

// Expiry. The rows are ordered by time over all tables, so the sweeper reads from the front.
struct ExpiryKey {
  std::int64_t seconds = 0;  // since 1970, of the item's TTL attribute
  TableId table = 0;
  std::string item_key;  // as AppendItemKey wrote it
};
// REQUIRES: `item_key` was written by AppendItemKey.
void AppendExpiryKey(std::int64_t seconds, std::string_view item_key, std::string& key);
Result<ExpiryKey> DecodeExpiryKey(std::string_view key);

// Everything that expires before `seconds` is below this.
void AppendExpiryPrefix(std::int64_t seconds, std::string& key);

// Streams.
struct StreamRecordKey {
  StreamId stream = 0;
  std::uint64_t sequence = 0;
};
void AppendStreamRecordKey(StreamId stream, std::uint64_t sequence, std::string& key);
// The same for a record whose number is filled in later; returns where its 8 bytes begin.
std::size_t AppendUnnumberedStreamRecordKey(StreamId stream, std::string& key);
Result<StreamRecordKey> DecodeStreamRecordKey(std::string_view key);

// All records of a stream begin with this.
void AppendStreamRecordsPrefix(StreamId stream, std::string& key);

// Idempotency tokens, and the queue in which they are forgotten.
struct TokenExpiryKey {
  std::int64_t seconds = 0;
  std::string token;
};
void AppendTokenKey(std::string_view token, std::string& key);
Result<std::string> TokenOfKey(std::string_view key);
void AppendTokenExpiryKey(std::int64_t seconds, std::string_view token, std::string& key);
Result<TokenExpiryKey> DecodeTokenExpiryKey(std::string_view key);
// All tokens that are forgotten before `seconds` are below this.
void AppendTokenExpiryPrefix(std::int64_t seconds, std::string& key);

}  // namespace stator::keyspace

// Streams that there are, enabled or within 24 hours of having been disabled, as rows. Their names
// are in memory (stream_directory.h), so that a call reads the rows that it returns.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core.h"
#include "engine/table.h"
#include "stator/api/table_types.h"
#include "stator/base/result.h"
#include "storage/write_batch.h"

namespace stator::engine {

// What one answer may list of streams or of shards, by the API reference of DynamoDB Streams.
inline constexpr std::int32_t kStreamsPerAnswerMax = 100;

struct StreamRow {
  Stream stream;
  std::string table_name;
  std::string table_arn;
  TimePoint created_at = {};
  std::optional<TimePoint> disabled_at;
  std::vector<KeySchemaElement> key_schema;
  std::uint64_t first_sequence = 0;   // no record has a lower one
  std::uint64_t trimmed_through = 0;  // records up to this one are gone

  [[nodiscard]] std::string Arn() const;
  // A stream has one shard here.
  [[nodiscard]] std::string ShardId() const;
};

// A stream for the table, begun now: adds its row to the batch and itself to the table.
// REQUIRES: the catalog's ChangeLock.
Result<void> EnableStream(Core& core, StreamViewType view, Table& table,
                          storage::WriteBatch& batch);

// Ends the table's stream now; its records stay readable for their time.
Result<void> DisableStream(Core& core, Table& table, storage::WriteBatch& batch);

// All rows; for jobs.
Result<std::vector<StreamRow>> ReadStreams(const Core& core);
// Nothing when there is no such row.
Result<std::optional<StreamRow>> ReadStream(const Core& core, std::uint32_t id);
// kResourceNotFound when there is no such stream.
Result<StreamRow> FindStream(const Core& core, std::string_view arn);

void PutStream(const StreamRow& row, storage::WriteBatch& batch);
Result<StreamRow> DecodeStreamRow(std::string_view bytes);

// The highest number that a record of the stream ever had.
Result<std::uint64_t> LastSequence(const Core& core, const StreamRow& row);

// Tells the directory what the rows say. Once, when the engine opens.
Result<void> LoadStreamDirectory(Core& core);

// Has records numbered behind every number that was ever used.
Result<void> StartNumbering(Core& core);

}  // namespace stator::engine

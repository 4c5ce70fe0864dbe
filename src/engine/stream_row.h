// Streams that there are, found and changed: their rows (keyspace/stream_row.h) are in the store,
// their names in memory (stream_directory.h), so that a call reads the rows that it returns.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine_core.h"
#include "engine/table.h"
#include "keyspace/stream_row.h"
#include "stator/api/table_types.h"
#include "stator/base/result.h"
#include "storage/snapshot.h"
#include "storage/write_batch.h"

namespace stator::engine {

// What one answer may list of streams or of shards, by the API reference of DynamoDB Streams.
inline constexpr std::int32_t kStreamsPerAnswerMax = 100;

// About as long as a shard takes new records on AWS; nobody promises it.
inline constexpr std::chrono::hours kShardAge{4};

using keyspace::StreamRow;

std::string ArnOf(const StreamRow& row);
std::string ShardIdOf(std::uint32_t stream, TimePoint opened_at);

// A stream for the table, begun now: adds its row to the batch and itself to the table.
// REQUIRES: the catalog's ChangeLock.
Result<void> EnableStream(EngineCore& core, StreamViewType view, Table& table,
                          storage::WriteBatch& batch) STATOR_REQUIRES(core.catalog.change_mutex());

// Ends the table's stream now; its records stay readable for their time.
Result<void> DisableStream(EngineCore& core, Table& table, storage::WriteBatch& batch);

// All rows; for jobs.
Result<std::vector<StreamRow>> ReadStreams(const EngineCore& core);
// As of `snapshot` or of now. Nothing when there is no such row.
Result<std::optional<StreamRow>> ReadStream(const EngineCore& core, std::uint32_t id,
                                            const storage::Snapshot* snapshot = nullptr);
// kResourceNotFound when there is no such stream.
Result<StreamRow> FindStream(const EngineCore& core, std::string_view arn);

// Where its name is: those that users know, or those of what leaves for Kinesis.
StreamDirectory& DirectoryOf(EngineCore& core, const StreamRow& row);

void PutStream(const StreamRow& row, storage::WriteBatch& batch);

// The highest number that a record of the stream, or a beginning of a shard, ever had.
Result<std::uint64_t> LastSequence(const EngineCore& core, const StreamRow& row);

// Tells the directory what the rows say. Once, when the engine opens.
Result<void> LoadStreamDirectory(EngineCore& core);

// Has records numbered behind every number that was ever used.
Result<void> StartNumbering(EngineCore& core);

}  // namespace stator::engine

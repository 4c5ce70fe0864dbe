// Records of a table's stream: written with the change that they tell of, read back by GetRecords.
// Their rows are those of keyspace/stream_record_row.h.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/item_change.h"
#include "stator/api/streams.h"

namespace stator::engine {

// Adds the record of the change to the batch. Its number is stamped when the write has its place in
// the commit queue, so records are in the order of commits.
// `stream` is the table's own, or that of what leaves for Kinesis.
void AppendStreamRecord(EngineCore& core, const Stream& stream, const ItemChange& change,
                        PendingWrite& write);

// 32 hexadecimal digits, the same for one record whenever it is read, different for every record.
std::string EventId(std::uint32_t stream, std::uint64_t sequence);

// The record as GetRecords returns it.
Result<StreamRecord> DecodeStreamRecord(std::uint32_t stream, std::uint64_t sequence,
                                        std::string_view row, const std::string& region);

// Sequence numbers as the service prints them: 21 digits, so that text order is number order.
std::string SequenceText(std::uint64_t sequence);
// Nothing when it is no such number.
std::optional<std::uint64_t> SequenceFrom(std::string_view text);

}  // namespace stator::engine

// A checkpoint as a row, stored as an item: a moment of the whole database, and what there was then
// besides items. docs/format.md, "Checkpoints", names its attributes.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keyspace/stream_row.h"
#include "keyspace/table_row.h"
#include "stator/base/result.h"

namespace stator::keyspace {

struct CheckpointRow {
  std::uint64_t time = 0;  // the commit time of the moment
  std::vector<TableRow> tables = {};
  std::vector<StreamRow> streams = {};
  std::uint64_t sequence = 0;  // the last of a stream record
  // Tokens that were there are those that are valid until an earlier second than this, and of this
  // second those in the list.
  std::int64_t tokens_until = 0;
  std::vector<std::string> tokens = {};
  // The database is being taken back to it in several steps, which nobody may see.
  bool restoring = false;
};

void AppendCheckpointRow(const CheckpointRow& row, std::string& bytes);
Result<CheckpointRow> DecodeCheckpointRow(std::string_view bytes);

}  // namespace stator::keyspace

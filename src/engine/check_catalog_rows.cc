// The part of CheckDatabase that looks at the rows of the catalog: counters, tables, dropped
// tables, streams.

#include <algorithm>
#include <set>
#include <utility>

#include "base/hex.h"
#include "base/limits.h"
#include "engine/check_context.h"
#include "engine/history.h"
#include "engine/table_row.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

bool IsDefined(const Table& table, const KeyAttribute& key) {
  const AttributeDefinition wanted{.attribute_name = key.name, .attribute_type = key.type};
  return std::find(table.attribute_definitions.begin(), table.attribute_definitions.end(),
                   wanted) != table.attribute_definitions.end();
}

void CheckIndexSchema(CheckContext& context, const Table& table, const Index& index) {
  const std::string name = "table " + table.name + ", index " + index.name;
  const std::size_t keys_max = index.global ? limits::kIndexKeyAttributesMax : 1;
  if (index.partition.empty() || index.partition.size() > keys_max ||
      index.sort.size() > keys_max) {
    context.Problem(name + ": it has an impossible number of key attributes");
  }
  if (!index.global && index.partition != std::vector{table.partition}) {
    context.Problem(name + ": a local index has another partition key than its table");
  }
  for (const KeyAttribute& key : index.KeyAttributes()) {
    if (!IsDefined(table, key)) {
      context.Problem(name + ": the key attribute " + key.name + " is not defined");
    }
  }
  if (index.id >= table.next_index_id) {
    context.Problem(name + ": its id " + std::to_string(index.id) + " was not given out yet");
  }
}

void CheckKeptHistory(CheckContext& context, const Table& table) {
  const std::string name = "table " + table.name;
  if (table.recovery && !table.history) {
    return context.Problem(name + ": its recovery is on, but it keeps no history");
  }
  if (!table.history || table.history->since == 0) {
    return;
  }
  if (table.history->floor < table.history->since) {
    context.Problem(name + ": its history reaches back further than it was kept");
  }
  if (table.recovery && table.recovery->since < table.history->since) {
    context.Problem(name + ": its recovery reaches back further than its history");
  }
  if (std::max(table.history->floor, table.recovery ? table.recovery->since : 0) >
      context.commit_time) {
    context.Problem(name + ": its history is of a time that was not given yet");
  }
}

void CheckSchema(CheckContext& context, const Table& table) {
  const std::string name = "table " + table.name;
  if (table.id == 0 || table.id >= context.next_table_id) {
    context.Problem(name + ": its id " + std::to_string(table.id) + " was not given out yet");
  }
  if (!IsDefined(table, table.partition) || (table.sort && !IsDefined(table, *table.sort))) {
    context.Problem(name + ": a key attribute is not defined");
  }
  if (table.ttl_attribute && table.ttl_disabling) {
    context.Problem(name + ": its expiry is enabled and is being disabled");
  }
  CheckKeptHistory(context, table);
  std::set<std::uint32_t> ids;
  std::set<std::string> names;
  for (const Index& index : table.indexes) {
    CheckIndexSchema(context, table, index);
    if (!ids.insert(index.id).second || !names.insert(index.name).second) {
      context.Problem(name + ": two indexes share the id or the name of " + index.name);
    }
  }
}

void CheckFigure(CheckContext& context, const std::string& name, const Statistics& stored,
                 const CheckedFigures& counted) {
  if (stored.items != counted.items || stored.bytes != counted.bytes) {
    context.report.warnings.Add(name + ": it is said to have " + std::to_string(stored.items) +
                                " items of together " + std::to_string(stored.bytes) +
                                " bytes, but has " + std::to_string(counted.items) + " of " +
                                std::to_string(counted.bytes));
  }
}

void CheckStreamOfTable(CheckContext& context, const Table& table, const Stream& stream) {
  const auto found = context.streams.find(stream.id);
  if (found == context.streams.end()) {
    context.Problem("table " + table.name + ": its stream is not there");
  } else if (found->second.table_name != table.name || found->second.table_arn != table.arn ||
             found->second.stream.label != stream.label ||
             found->second.stream.view != stream.view) {
    context.Problem("table " + table.name + ": its stream is that of another table");
  }
}

}  // namespace

void CheckCounterRow(CheckContext& context, std::string_view key, std::string_view row) {
  const Result<std::uint64_t> counter = keyspace::DecodeCounter(row);
  if (!counter) {
    return context.Problem(counter.error().message + ": " + base::HexOf(key));
  }
  if (key == keyspace::CounterKey(keyspace::Counter::kNextTableId)) {
    context.next_table_id = *counter;
  } else if (key == keyspace::CounterKey(keyspace::Counter::kNextStreamId)) {
    context.next_stream_id = *counter;
  } else if (key == keyspace::CounterKey(keyspace::Counter::kCommitTime)) {
    context.commit_time = *counter;
  } else {
    context.Problem("a counter counts nothing that is known: " + base::HexOf(key));
  }
}

void CheckTableRow(CheckContext& context, std::string_view key, std::string_view row) {
  ++context.report.tables;
  Result<Table> table = DecodeTable(row);
  if (!table) {
    return context.Problem("the table " + std::string(keyspace::TableNameOfKey(key).value_or("")) +
                           " cannot be read: " + table.error().message);
  }
  if (keyspace::TableKey(table->name) != key) {
    context.Problem("table " + table->name + ": its row is under another name");
  }
  CheckSchema(context, *table);
  if (table->restore) {
    context.pinned.insert(table->restore->source);
  }
  if (table->rewind && !table->recovery) {
    context.Problem("table " + table->name + " is being rewound without recovery");
  }
  const std::uint32_t id = table->id;
  if (!context.tables.try_emplace(id, CheckedTable{.table = *std::move(table)}).second) {
    context.Problem("two tables have the id " + std::to_string(id));
  }
}

void CheckDroppedTableRow(CheckContext& context, std::string_view key, std::string_view row) {
  const Result<keyspace::TableId> id = keyspace::TableOfDroppedTableKey(key);
  if (!id) {
    return context.Problem(id.error().message);
  }
  DroppedTable dropped;
  if (Result<keyspace::DroppedTableRow> stored = keyspace::DecodeDroppedTableRow(row)) {
    dropped.name = std::move(stored->name);
    dropped.kept_history = stored->table.has_value();
    dropped.only_items = stored->only_items;
  } else {
    context.Problem("the row of the dropped table with id " + std::to_string(*id) +
                    " cannot be read: " + stored.error().message);
  }
  if (context.tables.contains(*id)) {
    context.Problem("table " + dropped.name + ": it was dropped and is still there");
  }
  context.dropped.emplace(*id, std::move(dropped));
}

void CheckStreamRow(CheckContext& context, std::string_view key, std::string_view row) {
  ++context.report.streams;
  const Result<keyspace::StreamId> id = keyspace::StreamOfKey(key);
  Result<StreamRow> stream = keyspace::DecodeStreamRow(row);
  if (!id || !stream) {
    return context.Problem("a stream cannot be read: " +
                           (id ? stream.error().message : id.error().message));
  }
  const std::string name = "stream " + ArnOf(*stream);
  if (stream->stream.id != *id) {
    context.Problem(name + ": its row is under another id");
  }
  if (*id == 0 || *id >= context.next_stream_id) {
    context.Problem(name + ": its id " + std::to_string(*id) + " was not given out yet");
  }
  const bool is_written =
      std::any_of(context.tables.begin(), context.tables.end(), [&](const auto& entry) {
        const Table& table = entry.second.table;
        const std::optional<Stream>& current = stream->outgoing ? table.outgoing : table.stream;
        return current && current->id == *id;
      });
  if (is_written == stream->disabled_at.has_value()) {
    context.Problem(name + (is_written ? ": it is disabled and a table writes to it"
                                       : ": it is enabled, but no table writes to it"));
  }
  context.streams.emplace(*id, *std::move(stream));
}

void CheckStreamsOfTables(CheckContext& context) {
  for (const auto& [id, checked] : context.tables) {
    const Table& table = checked.table;
    for (const std::optional<Stream>* stream : {&table.stream, &table.outgoing}) {
      if (*stream) {
        CheckStreamOfTable(context, table, **stream);
      }
    }
  }
}

void CheckFigures(CheckContext& context) {
  for (auto& [id, checked] : context.tables) {
    const std::string name = "table " + checked.table.name;
    CheckFigure(context, name, *checked.table.statistics, checked.figures);
    for (const Index& index : checked.table.indexes) {
      if (index.status == IndexStatus::kActive) {
        CheckFigure(context, name + ", index " + index.name, *index.statistics,
                    checked.index_figures[index.id]);
      }
    }
  }
}

void NoteUnfinishedJobs(CheckContext& context) {
  for (const auto& [id, dropped] : context.dropped) {
    const std::string name = "table " + dropped.name + " was dropped; ";
    const std::string rows = std::to_string(dropped.rows) + " of its rows are ";
    if (dropped.only_items && context.pinned.contains(id)) {
      context.report.kept.Add(name + rows + "kept for who may restore it");
    } else {
      context.report.notes.Add(name + rows + "still to be removed");
    }
  }
  for (const auto& [id, checked] : context.tables) {
    const Table& table = checked.table;
    for (const Index& index : table.indexes) {
      if (index.status != IndexStatus::kActive) {
        context.report.notes.Add("table " + table.name + ": the index " + index.name +
                                 " is being " +
                                 (index.status == IndexStatus::kCreating ? "filled" : "removed"));
      }
    }
    if (table.restore) {
      context.report.notes.Add("table " + table.name + " is being restored from what " +
                               table.restore->source_arn + " was");
    }
    if (table.rewind) {
      context.report.notes.Add("table " + table.name + " is being rewound to " +
                               CommitTimeText(table.rewind->time));
    }
    if (table.history && !table.recovery && !context.pinned.contains(id)) {
      context.report.notes.Add("table " + table.name + ": its recovery was being switched on");
    }
    if (table.ttl_enabling || table.ttl_disabling) {
      context.report.notes.Add("table " + table.name + ": its expiry is being switched " +
                               (table.ttl_enabling ? "on" : "off"));
    }
  }
}

}  // namespace stator::engine
